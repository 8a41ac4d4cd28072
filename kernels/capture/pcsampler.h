// SPDX-License-Identifier: MIT
#pragma once

#include "cuptirefusal.h"
#include "messages.h"

#include <string>
#include <vector>

namespace stagecraft::capture {

// Between two samples of an SM, in cycles. At a quarter of it an H200 lost four of ten.
inline constexpr std::int64_t samplingPeriodCycles = 256;

// Samples of where warps are and what they wait for, through CUPTI's PC Sampling API. Implemented once per CUPTI major
// (cuptisampling.cpp); this header is free of CUDA. Only modules that are loaded between start() and stop() are seen.
// For the thread whose CUDA context is sampled; nothing may be recorded or counted meanwhile, and what runs is no time.
class PcSampler
{
public:
    virtual ~PcSampler() = default;

    // Throws CaptureError where there is no context or the driver refuses; nothing is left on then.
    virtual void start() = 0;

    // The caller has waited for the GPU; its modules are still loaded. Kernels by name, instructions by address. Throws
    // CaptureError; in any case sampling has ended.
    virtual protocol::SampleResult stop() = 0;
};

} // namespace stagecraft::capture
