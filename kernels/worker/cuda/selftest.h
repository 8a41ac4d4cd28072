// SPDX-License-Identifier: MIT
#pragma once

#include "gpu.h"
#include "kernelrecorder.h"

namespace stagecraft::worker {

struct SelfTestOutcome
{
    protocol::SelfTest result;
    std::string captureReason, captureFix; // empty where the launch was recorded
};

// Compiles a kernel of one block, launches it once while recording (unless there is no recorder), and reads back what
// it wrote: the shortest way through everything that a measurement needs. Does not throw. The GPU must be current.
SelfTestOutcome runSelfTest(const Gpu &gpu, capture::KernelRecorder *recorder);

// Whether hardware counters are to be had, by counting that kernel. Does not throw. Later launches of this process may
// be slower. The GPU must be current.
protocol::CaptureSupport findCounters(const Gpu &gpu, capture::KernelRecorder &recorder);

} // namespace stagecraft::worker
