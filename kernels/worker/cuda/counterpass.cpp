// SPDX-License-Identifier: MIT
#include "counterpass.h"

#include "backend.h"
#include "countermetrics.h"
#include "counterprofiler.h"
#include "passes.h"

namespace stagecraft::worker {

namespace {

using namespace protocol;

void requireWarm(const Workload &workload)
{
    if (workload.isCold())
        throw WorkerError(error::unavailable,
                          "kernel replay runs each kernel several times on the same arrays and so finds them in the "
                          "cache",
                          "take counters of a warm run (--cache warm)");
}

capture::CounterReading counted(Workload &workload, const Gpu &gpu, const std::vector<std::string> &metrics,
                                capture::KernelRecorder &recorder)
{
    const std::unique_ptr<capture::CounterProfiler> profiler = recorder.openCounters();
    workload.turn();
    profiler->start(metrics.empty() ? capture::usualMetrics() : metrics);
    workload.enqueue();
    gpu.wait();
    return profiler->stop();
}

CountedKernel joined(const KernelRecord &record, std::map<std::string, double> values)
{
    return {record.kernelName,         record.grid,           record.block,
            record.registersPerThread, record.sharedMemBytes, std::move(values)};
}

} // namespace

CountersResult counterPass(Workload &workload, const Gpu &gpu, const CountersParams &params,
                           capture::KernelRecorder &recorder, const std::atomic<bool> &cancelRequested)
{
    requireWarm(workload);
    const CaptureResult recorded = capturePass(workload, gpu, params.warmup, 1, recorder, cancelRequested);
    CountersResult result;
    result.backend = recorded.backend;
    result.replayMode = capture::replayMode;
    result.cancelled = recorded.cancelled || cancelRequested;
    if (result.cancelled)
        return result;
    capture::CounterReading reading = counted(workload, gpu, params.metrics, recorder);
    if (reading.kernels.size() != recorded.records.size())
        throw WorkerError(error::failed,
                          "the call launched " + std::to_string(recorded.records.size()) + " kernels when it was " +
                              "recorded and " + std::to_string(reading.kernels.size()) + " when they were counted",
                          "count a call that launches the same kernels each time");
    result.passes = reading.passes;
    result.metrics = std::move(reading.metrics);
    result.missing = std::move(reading.missing);
    for (std::size_t i = 0; i < reading.kernels.size(); ++i)
        result.kernels.push_back(joined(recorded.records[i], std::move(reading.kernels[i])));
    return result;
}

} // namespace stagecraft::worker
