// SPDX-License-Identifier: MIT
#pragma once

#include "counterprofiler.h"
#include "cuptisession.h"
#include "pcsampler.h"

// The CUPTI majors that this build can read.
namespace stagecraft::capture {

struct CuptiVariant
{
    int major = 0; // of CUDA
    // All throw CaptureError.
    std::unique_ptr<CuptiSession> (*open)(const SharedLibrary &library) = nullptr;
    std::unique_ptr<CounterProfiler> (*openCounters)(const SharedLibrary &library) = nullptr;
    std::unique_ptr<PcSampler> (*openSampler)(const SharedLibrary &library) = nullptr;
};

const std::vector<CuptiVariant> &builtVariants();

// The CUDA major of a version as cuptiGetVersion gives it (19 to 28 are CUDA 12; since CUDA 13 it is MMmmuu);
// 0 where it is none that this project knows the numbering of.
int cudaMajorOfCupti(std::uint32_t version);

} // namespace stagecraft::capture
