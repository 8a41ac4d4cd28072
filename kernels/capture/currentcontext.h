// SPDX-License-Identifier: MIT
#pragma once

#include "cuptirefusal.h"
#include "sharedlibrary.h"

#include <cuda.h>

namespace stagecraft::capture {

// This thread's CUDA context, through the driver that the process has loaded already; this library links none. For the
// sources that see CUDA's headers.
struct CurrentContext
{
    CUcontext context = nullptr;
    CUdevice device = 0;
};

// Throws CaptureError where there is none.
inline CurrentContext currentContext()
{
    const SharedLibrary driver = SharedLibrary::alreadyLoaded("libcuda.so.1");
    decltype(&::cuCtxGetCurrent) getCurrent = nullptr;
    decltype(&::cuCtxGetDevice) getDevice = nullptr;
    CurrentContext current;
    if (!driver.bind(getCurrent, "cuCtxGetCurrent") || !driver.bind(getDevice, "cuCtxGetDevice") ||
        getCurrent(&current.context) != CUDA_SUCCESS || !current.context || getDevice(&current.device) != CUDA_SUCCESS)
        throw CaptureError({"this thread has no CUDA context whose kernels could be looked at",
                            "start the instrument on the thread that launches the kernels"});
    return current;
}

} // namespace stagecraft::capture
