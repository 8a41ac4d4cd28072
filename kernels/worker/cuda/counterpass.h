// SPDX-License-Identifier: MIT
#pragma once

#include "kernelrecorder.h"
#include "workload.h"

#include <atomic>

namespace stagecraft::worker {

// The hardware counters of one call's kernels: warm-up calls, one that is recorded, so that each kernel has its name
// and shape, and one whose kernels are counted. The GPU must be current. `metrics` empty: capture::usualMetrics().
// Throws capture::CaptureError where CUPTI refuses, WorkerError where the two calls launched different numbers of
// kernels, and where the workload has cold caches: the runs of a kernel after the first would find them warm.
protocol::CountersResult counterPass(Workload &workload, const Gpu &gpu, const protocol::CountersParams &params,
                                     capture::KernelRecorder &recorder, const std::atomic<bool> &cancelRequested);

} // namespace stagecraft::worker
