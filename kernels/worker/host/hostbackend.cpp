// SPDX-License-Identifier: MIT
#include "hostbackend.h"

#include "bytefile.h"
#include "machine.h"
#include "measuredspan.h"
#include "operationmessages.h"
#include "parallelrows.h"
#include "preparedinputs.h"

#include <chrono>
#include <limits>

namespace stagecraft::worker {

namespace {

using namespace protocol;

constexpr auto implementationId = "host";
constexpr auto timingSource = "host";
constexpr auto noRecordsReason = "the CPU has no kernel records: there is no launch that an instrument could time";
constexpr auto noRecordsFix = "spans are measured; kernel time needs a GPU";
constexpr auto noCountersReason = "hardware counters are a GPU's";
constexpr auto noCountersFix = "ask the worker of a GPU (stagecraft-worker-cuda)";

WorkerError unavailable(const std::string &reason, const std::string &fix)
{
    return {error::unavailable, reason, fix};
}

void requireDevice(int device)
{
    if (device != 0)
        throw WorkerError(error::invalid, "device " + std::to_string(device) + ": the host worker has device 0 only",
                          "choose device 0");
}

void requireHost(const PrepareParams &params)
{
    requireDevice(params.device);
    if (params.implementation != implementationId)
        throw unavailable("the host worker has no implementation \"" + params.implementation + "\"",
                          "its implementation is \"host\"");
    if (!params.stage.empty())
        throw unavailable("the host worker has no stages, so \"" + params.stage + "\" cannot run here",
                          "stages run in the CUDA worker");
}

ColdPlan planCopies(const PrepareParams &params)
{
    if (!wantsCold(params))
        return {};
    const auto &operation = requireOperation(params.operation);
    std::int64_t bytes = operations::outputElements(operation, params.dims) * std::int64_t{sizeof(float)};
    for (const auto &buffer : operations::inputBuffers(operation, params.dims))
        bytes += buffer.bytes();
    return planCold(bytes, {"a", "last-level cache", lastLevelCacheBytes(), "memory", availableMemoryBytes()});
}

// Every element is overwritten with NaN first, so that one that the kernel does not write cannot pass.
CheckResult checkKernel(HostKernel &kernel, const std::vector<double> &reference)
{
    std::ranges::fill(kernel.output(), std::numeric_limits<float>::quiet_NaN());
    kernel.run();
    return toCheckResult(operations::compare(kernel.output(), reference));
}

SelfTest selfTest()
{
    const auto inputs = operations::generateInputs(*operations::findOperation("matmul"), {5, 3, 7}, 1);
    HostKernel kernel(inputs);
    const bool passed = checkKernel(kernel, operations::reference(inputs)).passed;
    return {passed, passed ? "" : "a 5 × 3 × 7 matmul differs from its FP64 reference", {}};
}

std::vector<std::string> operationIds()
{
    std::vector<std::string> ids;
    for (const auto &operation : operations::catalogue())
        ids.push_back(operation.id);
    return ids;
}

} // namespace

DescribeResult HostBackend::describe(const DescribeParams &params)
{
    requireDevice(params.device);
    DescribeResult result;
    result.platform = operatingSystem() + ", " + cpuModel();
    Device cpu;
    cpu.name = cpuModel();
    cpu.memoryBytes = memoryBytes();
    result.devices = {cpu};
    Implementation host{implementationId, operationIds(), true, {}, {}, "fp32", timingSource, {}};
    host.note = "on the CPU: " + HostKernel::library(threadCount());
    result.implementations = {host};
    result.capture.reason = noRecordsReason;
    result.capture.fix = noRecordsFix;
    if (params.counters)
        result.counters = CaptureSupport{false, {}, {}, noCountersReason, noCountersFix};
    result.selfTest = selfTest();
    return result;
}

CompileResult HostBackend::compile(const CompileParams &)
{
    throw unavailable("the host worker compiles no stages", "stages are compiled by the CUDA worker");
}

PrepareResult HostBackend::prepare(const PrepareParams &params)
{
    requireHost(params);
    auto [inputs, reference] = prepareInputs(params);
    const auto handle = m_lastHandle + 1;
    const ColdPlan plan = planCopies(params);
    const auto &kernel =
        m_prepared.try_emplace(handle, inputs, std::move(reference), plan.copies).first->second.kernels.front();
    m_lastHandle = handle;
    const std::string note = "on the CPU: " + HostKernel::library(kernel.threads());
    return {handle, {}, {}, "fp32", timingSource, note + (plan.note.empty() ? "" : "; " + plan.note), {}};
}

CheckResult HostBackend::check(const CheckParams &params)
{
    auto &work = prepared(params.handle);
    CheckResult result;
    HostKernel *kernel = nullptr;
    for (std::size_t i = 0; i < work.turns.copies() && (!kernel || result.passed); ++i) {
        kernel = &work.turn();
        result = checkKernel(*kernel, work.reference);
    }
    if (!params.output.empty())
        writeBytes(params.output, std::as_bytes(std::span(kernel->output())), "the result");
    return result;
}

MeasureResult HostBackend::measure(const MeasureParams &params, SampleSink &sink,
                                   const std::atomic<bool> &cancelRequested)
{
    using Clock = std::chrono::steady_clock;
    auto &work = prepared(params.handle);
    for (int i = 0; i < params.warmup && !cancelRequested; ++i)
        work.turn().run();
    MeasureResult result;
    while (result.count < params.iterations && !cancelRequested) {
        auto &kernel = work.turn();
        const auto start = Clock::now();
        kernel.run();
        const auto end = Clock::now();
        if (!sink.put(measuredSpan(std::chrono::duration<double, std::micro>(end - start).count(), "system's clock")))
            break;
        ++result.count;
    }
    result.cancelled = result.count < params.iterations;
    return result;
}

CaptureResult HostBackend::capture(const CaptureParams &, const std::atomic<bool> &)
{
    throw unavailable(noRecordsReason, noRecordsFix);
}

void HostBackend::release(std::int64_t handle)
{
    prepared(handle);
    m_prepared.erase(handle);
}

HostBackend::Prepared &HostBackend::prepared(std::int64_t handle)
{
    const auto entry = m_prepared.find(handle);
    if (entry == m_prepared.end())
        throw WorkerError(error::invalid, "handle " + std::to_string(handle) + " is not prepared", "prepare it first");
    return entry->second;
}

} // namespace stagecraft::worker
