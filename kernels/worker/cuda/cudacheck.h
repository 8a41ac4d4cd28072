// SPDX-License-Identifier: MIT
#pragma once

#include "backend.h"
#include "cudalibraries.h"

// The one check of calls into the driver, NVRTC, cuBLAS, cuBLASLt and cuSPARSE (CUPTI's is in the capture library,
// which owns it).
namespace stagecraft::worker {

// A CUDA error after which the context is dead: every later call in this process fails too.
struct ContextLost : WorkerError
{
    using WorkerError::WorkerError;
};

// Throw WorkerError(failed): what failed, the library's name for it, and what to do. `call` is the source text of the
// call. Errors of a kernel that ran are reported by the next call that waits for it.
void checkResult(CUresult result, const char *call);
void checkResult(nvrtcResult result, const char *call);
void checkResult(cublasStatus_t result, const char *call); // of cuBLAS and of cuBLASLt, by the call's text
void checkResult(cusparseStatus_t result, const char *call);

#define STAGECRAFT_CHECK(expression) ::stagecraft::worker::checkResult((expression), #expression)

} // namespace stagecraft::worker
