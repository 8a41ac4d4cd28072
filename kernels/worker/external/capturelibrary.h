// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

#include <string>

namespace stagecraft::worker {

// The library that the driver loads into a program, to record its kernels: the file that STAGECRAFT_CAPTURE_LIBRARY
// names, else ../lib/stagecraft/libstagecraft-capture-injection.so from this worker's own folder. Not to be had where
// CUDA_INJECTION64_PATH names another tool's: the driver loads one.
struct CaptureLibrary
{
    std::string path; // absolute, empty where there is none
    protocol::CaptureSupport support;
};

CaptureLibrary findCaptureLibrary();

} // namespace stagecraft::worker
