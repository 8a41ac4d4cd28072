// SPDX-License-Identifier: MIT
#pragma once

#include "floorkernels.h"

#include <atomic>

namespace stagecraft::worker {

// The mean span in µs of a call that launches one block of an empty kernel, taken as every other span is. Less that
// kernel's own time it is what any call of one launch costs beside its kernel. Throws WorkerError(cancelled).
double emptyKernelSpan(CUfunction kernel, const Gpu &gpu, const std::atomic<bool> &cancelRequested);

} // namespace stagecraft::worker
