// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakebackend.h"
#include "faketrace.h"
#include "protocolerror.h"

#include <chrono>
#include <csignal>
#include <thread>
#include <unistd.h>

using namespace stagecraft::protocol;
using stagecraft::worker::WorkerError;

namespace {

CountersResult madeUp(const std::vector<KernelRecord> &records)
{
    CountersResult result;
    result.backend = "cupti";
    result.replayMode = "kernel";
    result.passes = 18;
    result.metrics = {{"smsp__inst_executed.sum", "instruction"}, {"lts__t_sector_hit_rate.pct", "percent"}};
    result.missing = {{"sm__pipe_tensor_cycles_active.sum", "this made-up GPU does not have it"}};
    for (const KernelRecord &record : records) {
        CountedKernel kernel{record.kernelName,         record.grid,           record.block,
                             record.registersPerThread, record.sharedMemBytes, {}};
        const auto number = static_cast<double>(result.kernels.size() + 1);
        kernel.values = {{"smsp__inst_executed.sum", 1000.0 * number}, {"lts__t_sector_hit_rate.pct", 50.0}};
        result.kernels.push_back(kernel);
    }
    return result;
}

} // namespace

CaptureSupport FakeBackend::countersSupport() const
{
    if (m_options.behaviour == "counters-ask-kill")
        std::raise(SIGKILL);
    if (m_options.behaviour == "counters-refused")
        return {false, "cupti", {}, "the made-up driver refuses counters", "ask it nicely"};
    const bool available = m_options.behaviour.starts_with("counters");
    return {available, "cupti", {}, available ? "" : "no made-up counters", {}};
}

CountersResult FakeBackend::counters(const CountersParams &params, const std::atomic<bool> &cancelRequested)
{
    const Prepared &prepared = m_prepared.at(params.handle);
    const FakeTrace trace(m_options, "counters", prepared.implementation, -1,
                          "warmup " + std::to_string(params.warmup));
    std::vector<KernelRecord> records;
    appendRecords(records, prepared, 0);
    CountersResult result = madeUp(records);
    if (does("counters-refused", prepared))
        throw WorkerError(error::unavailable, "the made-up driver refuses counters", "ask it nicely");
    if (does("counters-unknown", prepared))
        throw WorkerError(rpc::methodNotFound, "this worker has no method \"counters\"");
    if (does("counters-fail", prepared))
        throw WorkerError(error::failed, "the replay broke", "look at it");
    if (does("counters-kill", prepared))
        std::raise(SIGKILL);
    while (does("counters-hang", prepared))
        pause();
    if (does("counters-wait", prepared)) {
        while (!cancelRequested)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        result.kernels.clear();
    }
    result.cancelled = cancelRequested || does("counters-cancelled", prepared);
    if (does("counters-empty", prepared))
        result.kernels.clear();
    if (does("counters-unlisted", prepared))
        result.metrics.clear();
    const bool has = m_options.behaviour.starts_with("counters");
    return has ? result : Backend::counters(params, cancelRequested);
}
