// SPDX-License-Identifier: MIT
#pragma once

#include "cuptirefusal.h"
#include "messages.h"

#include <map>
#include <string>
#include <vector>

namespace stagecraft::capture {

// What start() to stop() counted.
struct CounterReading
{
    int passes = 0; // how often each kernel was run
    std::vector<protocol::Metric> metrics;
    std::vector<protocol::MissingMetric> missing;       // of those asked for
    std::vector<std::map<std::string, double>> kernels; // by metric, of each kernel in the order of their launches
};

// The kernels that one reading may have; more are an error, not a part of them.
inline constexpr std::size_t maximumCountedKernels = 512;

inline constexpr auto replayMode = "kernel";

// Hardware counters of kernels through CUPTI's Range Profiler API. Each kernel is a range of its own and is run again
// on the same memory, restored in between, as often as its metrics need (kernel replay); so none of it is a time, and
// what it finds in the caches is what the run before it left there. Implemented once per CUPTI major
// (cupticounters.cpp); this header is free of CUDA. Start and stop are for the thread whose CUDA context is counted.
// The process's later launches may be slower than before.
class CounterProfiler
{
public:
    virtual ~CounterProfiler() = default;

    // From now on the kernels of this thread's context are counted, one after the other. Throws CaptureError where
    // there is no context, the driver refuses, or none of the metrics is there; nothing is left on then.
    virtual void start(const std::vector<std::string> &metrics) = 0;

    // The caller has waited for the GPU. Throws CaptureError; in any case counting has ended.
    virtual CounterReading stop() = 0;
};

} // namespace stagecraft::capture
