// SPDX-License-Identifier: MIT
#pragma once

#include "kernelrecorder.h"
#include "workload.h"

#include <functional>

namespace stagecraft::worker {

using MakeWorkload = std::function<std::unique_ptr<Workload>()>;

// Samples of where the warps of a stage wait, over `iterations` calls. The workload is made here, since only code that
// is loaded while the instrument is on can be sampled, and its result is compared with the reference before its samples
// are believed. The GPU must be current. Throws capture::CaptureError where CUPTI refuses, WorkerError where the result
// is wrong or nothing was sampled. `machineCode`, where not null, becomes the code whose addresses the samples have.
protocol::SampleResult samplePass(const MakeWorkload &make, const Gpu &gpu, int iterations,
                                  const std::vector<double> &reference, capture::KernelRecorder &recorder,
                                  std::vector<char> *machineCode);

} // namespace stagecraft::worker
