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
    std::int64_t dropped = 0; // records, and calls beyond maximumCalls: whatever those launched has lost its iteration
};

// A kernel's record takes some hundred bytes of the host's memory. Beyond this many, which is an hour of a busy program
// and no measurement, records are counted as dropped.
inline constexpr std::size_t maximumRecords = 500'000;

// Calls of marked iterations that are kept: a launch comes with a few that launch nothing.
inline constexpr std::size_t maximumCalls = 8 * maximumRecords;

// Told of the process's own calls of cuProfilerStart and cuProfilerStop, from within them and on the thread that makes
// them. The runtime's cudaProfilerStart and cudaProfilerStop may call the driver's, and then both are told.
class BracketWatcher
{
public:
    virtual void profilerStarted() noexcept = 0;  // the call is about to return
    virtual void profilerStopping() noexcept = 0; // the call has just been entered

protected:
    ~BracketWatcher() = default;
};

// Records kernels through one loaded libcupti. Implemented once per CUPTI major (cuptisession.cpp); this header is free
// of CUDA. One session may record or watch at a time in a process, since CUPTI allows one subscriber. start, stop and
// watch are for one thread at a time, setIteration for any; CUPTI calls back from others.
class CuptiSession
{
public:
    virtual ~CuptiSession() = default;

    // Subscribes and stays subscribed until the session goes; start() and stop() use that subscription then. Only the
    // profiler calls are told, so that no other call of the process is slowed down while nothing is recorded. The
    // watcher outlives the session. Throws CaptureError where CUPTI refuses; nothing is left subscribed then.
    virtual void watch(BracketWatcher &watcher) = 0;

    // Throws CaptureError where CUPTI refuses; nothing is left on then that was not before.
    virtual void start() = 0;

    // From now on every CUDA call belongs to this iteration; −1: to none.
    virtual void setIteration(int iteration) = 0;

    // The caller has waited for the GPU. Throws CaptureError; in any case recording has ended. Where the session
    // watches, the process's later launches stay slower than they were (about 1 µs each on an H200) until rest(); else
    // CUPTI has left the process.
    virtual RawRecording stop() = 0;

    // While the session watches and does not record: CUPTI leaves the process and comes back, and launches are as fast
    // as before. Not from within a callback, and no other thread may be in a CUDA call. Throws CaptureError where it
    // does not come back; then nothing is watched any more.
    virtual void rest() = 0;
};

} // namespace stagecraft::capture
