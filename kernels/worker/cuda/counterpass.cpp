// SPDX-License-Identifier: MIT
#include "counterpass.h"

#include "backend.h"
#include "countedkernels.h"
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

} // namespace

CountersResult counterPass(Workload &workload, const Gpu &gpu, const CountersParams &params,
                           capture::KernelRecorder &recorder, const std::atomic<bool> &cancelRequested)
{
    requireWarm(workload);
    const CaptureResult recorded = capturePass(workload, gpu, params.warmup, 1, recorder, cancelRequested);
    CountersResult result;
    result.backend = recorded.backend;
    result.cancelled = recorded.cancelled || cancelRequested;
    if (result.cancelled)
        return result;
    if (const auto problem = joinCounters(recorded.records, counted(workload, gpu, params.metrics, recorder), result))
        throw WorkerError(error::failed, problem->reason, problem->fix);
    return result;
}

} // namespace stagecraft::worker
