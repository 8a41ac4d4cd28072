// SPDX-License-Identifier: MIT
#pragma once

#include "kernelrecorder.h"
#include "workload.h"

#include <atomic>

// What is done with a workload: a check, a pass of spans, a pass of kernel records. Spans and records are never taken
// in the same pass, because recording slows the calls down. The GPU must be current.
namespace stagecraft::worker {

// What the next call computes into an output and with a scratch full of NaN.
std::vector<float> outputPass(Workload &workload, const Gpu &gpu);

// Warm-up calls, then for each iteration: event, one call, event, wait. The time between the events is the span.
protocol::MeasureResult spanPass(Workload &workload, const Gpu &gpu, const protocol::MeasureParams &params,
                                 SampleSink &sink, const std::atomic<bool> &cancelRequested);

// Warm-up calls, then recorded ones, each waited for. Throws capture::CaptureError where CUPTI refuses, WorkerError
// where a record belongs to no iteration (it could not be told whose time it is).
protocol::CaptureResult capturePass(Workload &workload, const Gpu &gpu, int warmup, int iterations,
                                    capture::KernelRecorder &recorder, const std::atomic<bool> &cancelRequested);

} // namespace stagecraft::worker
