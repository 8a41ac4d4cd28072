// SPDX-License-Identifier: MIT
#pragma once

#include "cuptirefusal.h"
#include "iterationmatching.h"
#include "sharedlibrary.h"

#include <memory>

namespace stagecraft::capture {

struct RawRecording
{
    std::vector<RawKernel> kernels;
    std::vector<IterationCall> calls;
    std::int64_t dropped = 0;
};

// Records kernels through one loaded libcupti. Implemented once per CUPTI major (cuptisession.cpp); this header is free
// of CUDA. One session may record at a time in a process, since CUPTI allows one subscriber. start, stop and
// setIteration are for one thread; CUPTI calls back from others.
class CuptiSession
{
public:
    virtual ~CuptiSession() = default;

    // Throws CaptureError where CUPTI refuses; nothing is left subscribed then.
    virtual void start() = 0;

    // From now on every CUDA call belongs to this iteration; −1: to none.
    virtual void setIteration(int iteration) = 0;

    // The caller has waited for the GPU. Throws CaptureError; in any case recording has ended.
    virtual RawRecording stop() = 0;
};

} // namespace stagecraft::capture
