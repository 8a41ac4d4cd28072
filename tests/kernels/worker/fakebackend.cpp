// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakebackend.h"

#include "bytefile.h"
#include "catalogue.h"
#include "faketrace.h"
#include "stagefit.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <limits>
#include <thread>
#include <tuple>
#include <unistd.h>

using namespace stagecraft;
using namespace stagecraft::protocol;
using worker::WorkerError;

namespace {

[[noreturn]] void hang()
{
    for (;;)
        pause();
}

[[noreturn]] void die()
{
    std::raise(SIGKILL);
    hang(); // until the signal takes effect
}

// Samples at `rate` a second, in steps that the system's timer can keep.
class Pace
{
public:
    explicit Pace(double rate) : m_rate(rate) {}

    void waitFor(int sample) const
    {
        if (m_rate <= 0)
            return;
        const auto due = m_start + std::chrono::duration<double>(sample / m_rate);
        if (due - std::chrono::steady_clock::now() > std::chrono::milliseconds(1))
            std::this_thread::sleep_until(due);
    }

private:
    double m_rate;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace

DescribeResult FakeBackend::describe(const DescribeParams &params)
{
    chatter();
    const FakeTrace trace(m_options, "describe", params.leaveProfiler ? "without-capture" : "with-capture", -1,
                          params.counters ? "counters" : "");
    DescribeResult result;
    result.platform = "Fake OS, fake CPU";
    const bool available = m_options.behaviour != "no-device";
    if (available)
        result.devices = {{0, m_options.gpu, "GPU-fake", "9.0", "580.1", 132, 2048, 141 << 20, 50 << 20}};
    result.libraries = {{"NVRTC", "", "13.0", available, available ? "" : "no GPU is there", "", ""}};
    for (const auto &id : m_options.implementations) {
        Implementation implementation{id, {}, available, {}, {}, "fp32", "event", {}};
        for (const auto &operation : operations::catalogue())
            implementation.operations.push_back(operation.id);
        if (!available) {
            implementation.reason = "no GPU is there";
            implementation.fix = "install one";
        }
        result.implementations.push_back(implementation);
    }
    result.capture = {
        available && !params.leaveProfiler && m_options.behaviour != "no-capture", "cupti", "normal", {}, {}};
    if (params.counters)
        result.counters = countersSupport();
    result.selfTest = {available, available ? "" : "no GPU is there", {}};
    return result;
}

CompileResult FakeBackend::compile(const CompileParams &params)
{
    chatter();
    Prepared prepared{params.operation, "cuda"};
    if (!params.source.empty())
        prepared.stage = FakeStage::parse(params.operation, params.stage, params.source);
    static const std::set<std::string> known{"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_120"};
    if (!known.contains(params.architecture))
        throw WorkerError(error::invalid, "NVRTC 13.0 does not know the architecture " + params.architecture,
                          "choose among sm_75, sm_80, sm_86, sm_89, sm_90a, sm_120");
    misbehaveInCompile(prepared, params.stage, params.architecture);
    if (!params.cubin.empty())
        std::ofstream(params.cubin) << "fake machine code of " << params.stage;
    if (!params.ptx.empty())
        std::ofstream(params.ptx) << "fake PTX of " << params.stage;
    CompileResult result{"compiled " + params.stage, {}};
    if (!prepared.stage) {
        result.kernels = {{"fake", 32, 1, 1024, 0, 0}};
        return result;
    }
    for (const stagefile::LaunchSpec &launch : prepared.stage->stage.launches)
        result.kernels.push_back(prepared.stage->resources(launch));
    return result;
}

void FakeBackend::misbehaveInCompile(const Prepared &prepared, const std::string &stage,
                                     const std::string &architecture) const
{
    if (does("no-nvrtc", prepared))
        throw WorkerError(error::unavailable, "stages cannot be compiled: NVRTC: libnvrtc is not there",
                          "install the CUDA Toolkit");
    if (does("hang-in-compile", prepared))
        hang();
    if (does("kill-in-compile", prepared))
        die();
    if (does("compile-error", prepared)) {
        const std::string log = prepared.stage ? prepared.stage->compileErrorLog() : stage + ".cu(1): error: no\n";
        throw WorkerError(error::failed,
                          stage + ".cu does not compile for " + architecture + ": " + log.substr(0, log.find('\n')),
                          "correct the source at the lines that the compiler names", log);
    }
}

PrepareResult FakeBackend::prepare(const PrepareParams &params)
{
    chatter();
    const FakeTrace trace(m_options, "prepare", params.implementation);
    const auto *operation = operations::findOperation(params.operation);
    const auto found = std::ranges::find(m_options.implementations, params.implementation);
    if (!operation || operations::dimsProblem(*operation, params.dims) || found == m_options.implementations.end())
        throw WorkerError(error::invalid, "no such operation, dims or implementation");
    Prepared prepared{params.operation, params.implementation,
                      static_cast<int>(found - m_options.implementations.begin()),
                      operations::outputElements(*operation, params.dims)};
    if (!params.source.empty())
        prepared.stage = FakeStage::parse(params.operation, params.stage, params.source);
    if (does("unavailable", prepared))
        throw WorkerError(error::unavailable, "the fake library is not there", "install the fake library");
    if (does("hang-in-prepare", prepared))
        hang();
    if (does("kill-in-prepare", prepared))
        die();
    misbehaveInCompile(prepared, params.stage, "sm_90a");
    if (does("impossible-launch", prepared))
        throw WorkerError(error::invalid,
                          params.stage + ": fake cannot be launched: not one block fits a multiprocessor of this GPU",
                          "correct the stage's block, shared_bytes or __launch_bounds__");
    PrepareResult result;
    result.handle = ++m_lastHandle;
    result.arithmetic = "fp32";
    result.timingSource = "event";
    const bool attentive = !does("ignores-wishes", prepared);
    if (attentive && params.cache == "cold") {
        if (does("no-cold", prepared))
            throw WorkerError(error::unavailable, "cold: 1024 copies of 1 KB do not exceed the L2 of 50 MB twice",
                              "choose larger dims");
        result.note = "cold: 3 copies of 48 MB rotate through an L2 of 50 MB";
    }
    if (prepared.stage) {
        if (const auto misfit = stagefile::dimsMisfit(prepared.stage->stage, params.dims, 132))
            throw WorkerError(error::invalid, *misfit, "choose another stage, or dims that it is made for");
        result.stage = params.stage;
        result.sourceSha256 = prepared.stage->stage.sha256;
        result.arithmetic = prepared.stage->stage.arithmetic;
        result.launches = prepared.stage->launches(params.dims);
    } else if (params.implementation == "cuda") {
        result.stage = params.stage.empty() ? params.operation + "/fake" : params.stage;
        result.sourceSha256 = std::string(64, 'a');
        if (does("chooses-3xtf32", prepared) || (!attentive && params.arithmetic == "fp32"))
            result.arithmetic = attentive && params.arithmetic == "fp32" ? "fp32" : "3xtf32";
        result.launches = {{"fake", {64, 64, 1}, {16, 16, 1}, {"fake", 37, 1, 2048, 0, 0}, 1536}};
    }
    m_prepared[m_lastHandle] = std::move(prepared);
    return result;
}

CheckResult FakeBackend::check(const CheckParams &params)
{
    chatter();
    auto &prepared = m_prepared.at(params.handle);
    const FakeTrace trace(m_options, "check", prepared.implementation, params.round);
    const bool later = prepared.checks++ > 0;
    if (later && does("kill-later", prepared))
        die();
    if (later && does("hang-later", prepared))
        hang();
    if (later && does("error-later", prepared))
        throw WorkerError(error::failed, "an illegal memory access was encountered (CUDA error 700)",
                          "run the stage under compute-sanitizer");
    if (does("illegal-address", prepared)) {
        m_lost = true;
        throw WorkerError(error::failed,
                          "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered (in "
                          "cuStreamSynchronize); the GPU context of this worker is lost, so it ends now",
                          "the kernel reads or writes outside its buffers");
    }
    const CheckResult result = checkOf(prepared);
    if (!params.output.empty())
        worker::writeBytes(params.output, std::vector<std::byte>(static_cast<std::size_t>(prepared.elements) * 4),
                           "the result");
    return result;
}

CheckResult FakeBackend::checkOf(const Prepared &prepared) const
{
    if (does("endless-loop", prepared))
        hang();
    CheckResult result{true, 1e-6, 1e-7, 1e-4, 1e-4, prepared.elements, 0, {}, {}, {}, "fp64"};
    if (does("wrong-result", prepared) || (does("wrong-later", prepared) && prepared.checks > 1)) {
        result.passed = false;
        result.maxAbsError = 0.5;
        result.relError = 0.25;
        result.badElements = 1;
        result.firstBad = 0;
        result.firstBadValue = 1.5;
        result.firstBadReference = 1.0;
    } else if (does("nan-result", prepared)) {
        result.passed = false;
        result.maxAbsError = result.relError = std::nullopt;
        result.badElements = prepared.elements;
        result.firstBad = 0;
        result.firstBadReference = 1.0;
    }
    return result;
}

MeasureResult FakeBackend::measure(const MeasureParams &params, worker::SampleSink &sink,
                                   const std::atomic<bool> &cancelRequested)
{
    const auto &prepared = m_prepared.at(params.handle);
    const FakeTrace trace(m_options, "measure", prepared.implementation, params.round,
                          "warmup " + std::to_string(params.warmup));
    const Pace pace(m_options.rate);
    MeasureResult result;
    while (result.count < params.iterations && !cancelRequested) {
        if (result.count == params.iterations / 2) {
            chatter();
            misbehaveInMeasure(prepared, params.round, sink, cancelRequested);
        }
        pace.waitFor(result.count);
        if (!sink.put(prepared.us() + 0.1 * (result.count % 7)))
            break;
        ++result.count;
    }
    result.cancelled = result.count < params.iterations;
    return result;
}

void FakeBackend::misbehaveInMeasure(const Prepared &prepared, int round, worker::SampleSink &sink,
                                     const std::atomic<bool> &cancelRequested) const
{
    if (does("kill-in-measure", prepared, round))
        die();
    if (does("abort-in-measure", prepared, round))
        std::abort();
    if (does("hang-in-measure", prepared, round))
        hang();
    if (does("error-in-measure", prepared, round))
        throw WorkerError(error::failed, "an illegal memory access was encountered (CUDA error 700)",
                          "run the stage under compute-sanitizer");
    if (does("slow-measure", prepared, round)) {
        while (!cancelRequested)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (does("nan-sample", prepared, round))
        std::ignore = sink.put(std::numeric_limits<double>::quiet_NaN());
    if (does("malformed-message", prepared, round))
        dprintf(m_protocolDescriptor, "{\"jsonrpc\":\"2.0\",\"method\":\n");
}

void FakeBackend::appendRecords(std::vector<KernelRecord> &records, const Prepared &prepared, int iteration)
{
    if (!prepared.stage) {
        for (int kernel = 0; kernel <= prepared.index; ++kernel)
            records.push_back(
                {"fake_kernel_" + std::to_string(kernel), 4.0, iteration, {64, 64, 1}, {16, 16, 1}, 37, 2048, 0});
        return;
    }
    const auto &launches = prepared.stage->stage.launches;
    for (const stagefile::LaunchSpec &launch : launches) {
        const KernelResources resources = prepared.stage->resources(launch);
        records.push_back({launch.entry,
                           0.4 * prepared.us() / static_cast<double>(launches.size()),
                           iteration,
                           {64, 64, 1},
                           launch.block,
                           resources.registers,
                           resources.sharedBytes,
                           resources.localBytes});
    }
}

CaptureResult FakeBackend::capture(const CaptureParams &params, const std::atomic<bool> &cancelRequested)
{
    chatter();
    const auto &prepared = m_prepared.at(params.handle);
    const FakeTrace trace(m_options, "capture", prepared.implementation, params.round,
                          "warmup " + std::to_string(params.warmup));
    if (does("no-capture", prepared))
        throw WorkerError(error::unavailable, "another profiler uses the device", "end the other profiler");
    if (does("kill-in-capture", prepared, params.round))
        die();
    CaptureResult result;
    result.backend = "cupti";
    result.timestampMode = "normal";
    result.requestedIterations = params.iterations;
    for (int i = 0; i < params.iterations && !cancelRequested; ++i)
        appendRecords(result.records, prepared, i);
    result.cancelled = cancelRequested;
    if (does("varying-launches", prepared, params.round) && !result.records.empty())
        result.records.pop_back();
    return result;
}

void FakeBackend::release(std::int64_t handle)
{
    const auto found = m_prepared.find(handle);
    const FakeTrace trace(m_options, "release", found == m_prepared.end() ? "" : found->second.implementation);
    m_prepared.erase(handle);
}

// With the behaviour "floors": 1.25 µs of each operation, and one of an operation that nobody asked for.
FloorsResult FakeBackend::floors(const FloorsParams &params, const std::atomic<bool> &cancelRequested)
{
    if (m_options.behaviour == "floors-fail")
        throw stagecraft::worker::WorkerError(error::failed, "the benchmark broke", "look at it");
    if (m_options.behaviour == "floors-wait") {
        while (!cancelRequested)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        throw stagecraft::worker::WorkerError(error::cancelled, "the benchmark was cancelled", {});
    }
    if (m_options.behaviour != "floors")
        return Backend::floors(params, cancelRequested);
    FloorsResult result;
    result.backend = "made up";
    result.timestampMode = "made-up clock";
    result.measurements = {{"empty kernel", "µs", 0.6, "made up"}, {"span of an empty kernel", "µs", 4.5, "made up"}};
    result.missing = {"The made-up peak is unknown."};
    for (const FloorsOperation &wanted : params.operations)
        result.floors.push_back({wanted.operation, wanted.dims, "fp32", params.cache, "made-up copy", 1.25});
    result.floors.push_back({"gelu", {1, 1}, "fp32", params.cache, "of nobody", 1.25});
    return result;
}

bool FakeBackend::does(const char *behaviour, const Prepared &prepared, std::optional<int> round) const
{
    const auto matches = [](const auto &wanted, const auto &actual) { return !wanted || *wanted == actual; };
    if (prepared.stage && prepared.stage->does(behaviour))
        return true;
    return m_options.behaviour == behaviour && matches(m_options.operation, prepared.operation) &&
           matches(m_options.only, prepared.implementation) && (!round || matches(m_options.round, *round));
}

void FakeBackend::chatter() const
{
    if (m_options.behaviour != "chatter")
        return;
    std::puts("a kernel's printf says {\"jsonrpc\":\"2.0\",\"method\":\"hello\"}");
    std::fflush(stdout);
}
