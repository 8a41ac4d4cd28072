// SPDX-License-Identifier: MIT
#include "cudabackend.h"

#include "bytefile.h"
#include "copychecks.h"
#include "counterpass.h"
#include "cudadescription.h"
#include "floors.h"
#include "libraryimplementations.h"
#include "operationmessages.h"
#include "passes.h"
#include "preparedinputs.h"
#include "samplepass.h"
#include "stagefolder.h"
#include "stagekernels.h"
#include "stageresources.h"
#include "stageworkload.h"

namespace stagecraft::worker {

namespace {

using namespace protocol;

constexpr auto timingSource = "event";

// A stage, and why later ones of its progression were passed over (empty where none was).
struct StageChoice
{
    stagefile::Stage stage;
    std::string passedOver;
};

// Of the stages' own words for it; empty where any will do.
std::string wantedArithmetic(const PrepareParams &params)
{
    return wantsExactFp32(params) ? params.arithmetic : std::string();
}

StageChoice lastRetainedStage(const std::string &operation, const operations::Dims &dims, const Gpu &gpu,
                              const std::string &arithmetic)
{
    const stagefile::StageListing listing = stagefile::stagesOf(stagesFolder(), operation);
    const stagefile::Stage *chosen = stagefile::lastRetained(listing.stages, dims, gpu.facts(), arithmetic);
    std::string passedOver;
    for (const std::string &problem : listing.problems)
        passedOver += "; " + problem;
    for (auto stage = listing.stages.rbegin(); stage != listing.stages.rend() && &*stage != chosen; ++stage) {
        const auto problem = stagefile::misfit(*stage, dims, gpu.facts(), arithmetic);
        if (problem && stage->status == stagefile::Status::Retained)
            passedOver += "; " + *problem;
    }
    if (chosen)
        return {*chosen, passedOver};
    throw WorkerError(
        error::unavailable,
        "no retained stage of " + operation + " fits " + operations::dimsText(dims) + " on this GPU" + passedOver,
        listing.stages.empty() ? "install Stagecraft again, or correct STAGECRAFT_RESOURCES"
        : arithmetic.empty()   ? "choose other dims"
                               : "choose other dims, or let stages of any arithmetic take part (--arithmetic any)");
}

stagefile::Stage namedStage(const PrepareParams &params)
{
    stagefile::Stage stage = findStage(params.operation, params.stage, params.source);
    if (const auto problem = stagefile::arithmeticMisfit(stage, wantedArithmetic(params)))
        throw WorkerError(error::invalid, *problem,
                          "choose another stage, or let stages of any arithmetic take part (--arithmetic any)");
    return stage;
}

StageChoice chosenStage(const PrepareParams &params, const Gpu &gpu)
{
    if (!params.stage.empty())
        return {namedStage(params), {}};
    if (!params.source.empty())
        throw WorkerError(error::invalid, "a source came without the stage's name", "name the stage, as OP/ID");
    return lastRetainedStage(params.operation, params.dims, gpu, wantedArithmetic(params));
}

ColdPlan planCopies(const PrepareParams &params, const Gpu &gpu)
{
    if (!wantsCold(params))
        return {};
    return planCold(arrayBytes(requireOperation(params.operation), params.dims),
                    {"an", "L2", gpu.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE), "GPU memory", gpu.freeBytes()});
}

std::string joined(const std::string &note, const std::string &more)
{
    return note + (note.empty() || more.empty() ? "" : "; ") + more;
}

// Nothing of CUPTI is loaded then: another profiler may be waiting for this GPU.
capture::RecorderSupport unwantedRecorder()
{
    const CaptureSupport unwanted = captureNotWanted();
    capture::RecorderSupport support;
    support.reason = unwanted.reason;
    support.fix = unwanted.fix;
    return support;
}

// Afterwards nothing of the context works, the releases included.
std::string withLoss(const std::string &reason)
{
    return reason + "; the GPU context of this worker is lost, so it ends now";
}

} // namespace

CudaBackend::CudaBackend() = default;

CudaBackend::~CudaBackend() = default;

template <typename Work>
auto CudaBackend::guarded(Work &&work)
{
    try {
        return work();
    } catch (const ContextLost &error) {
        m_lost = true;
        throw WorkerError(error.code, withLoss(error.what()), error.fix);
    } catch (const capture::CaptureError &error) {
        throw WorkerError(protocol::error::unavailable, error.what(), error.fix);
    }
}

DescribeResult CudaBackend::describe(const DescribeParams &params)
{
    m_captures = !params.leaveProfiler;
    DescribeResult result = describeMachine(params.device, m_captures ? recorder().support() : unwantedRecorder());
    if (result.devices.empty()) {
        const Implementation &lacking = result.implementations.front();
        result.selfTest.reason = "there is no GPU to launch on: " + lacking.reason;
        if (params.counters)
            result.counters = CaptureSupport{false, {}, {}, lacking.reason, lacking.fix};
        return result;
    }
    const SelfTestOutcome &outcome = selfTest(params.device);
    result.selfTest = outcome.result;
    if (params.counters)
        describeCounters(params.device, result);
    if (!m_captures)
        return result;
    result.capture.available = outcome.captureReason.empty();
    if (!result.capture.available && recorder().support().available) {
        result.capture.reason = outcome.captureReason;
        result.capture.fix = outcome.captureFix;
    }
    return result;
}

void CudaBackend::describeCounters(int device, DescribeResult &result)
{
    if (!m_captures)
        result.counters = captureNotWanted();
    else
        result.counters = findCounters(gpu(device), recorder());
}

CompileResult CudaBackend::compile(const CompileParams &params)
{
    const operations::Operation &operation = requireOperation(params.operation);
    const operations::Dims dims = params.dims.empty() ? operation.defaultDims : params.dims;
    requireDims(operation, dims);
    const stagefile::Stage stage = findStage(params.operation, params.stage, params.source);
    requireArchitecture(params.architecture);
    CompiledCode code = compileStage(stage, dims, params.architecture);
    std::vector<KernelResources> kernels = launchResources(stage, code);
    if (!params.cubin.empty())
        writeBytes(params.cubin, std::as_bytes(std::span(code.image)), "the machine code");
    if (!params.ptx.empty())
        writeBytes(params.ptx, std::as_bytes(std::span(code.ptx)), "the PTX");
    return {std::move(code.log), std::move(kernels)};
}

PrepareResult CudaBackend::prepare(const PrepareParams &params)
{
    return guarded([&] {
        Prepared work;
        work.gpu = &gpu(params.device);
        auto [inputs, reference] = prepareInputs(params);
        work.reference = std::move(reference);
        const ColdPlan plan = planCopies(params, *work.gpu);
        work.copies = uploadArrays(requireOperation(params.operation), inputs, plan.copies);
        work.workload = makeWorkload(params, *work.gpu, work.copies);
        const Workload &workload = *work.workload;
        const std::int64_t handle = ++m_lastHandle;
        PrepareResult result{handle,
                             workload.stage(),
                             workload.sourceSha256(),
                             workload.arithmetic(),
                             timingSource,
                             joined(workload.note(), plan.note),
                             workload.launches()};
        m_prepared.emplace(handle, std::move(work));
        return result;
    });
}

std::unique_ptr<Workload> CudaBackend::makeWorkload(const PrepareParams &params, const Gpu &gpu, ArrayCopies copies)
{
    if (params.implementation == "cuda") {
        const StageChoice choice = chosenStage(params, gpu);
        return prepareStage(choice.stage, params.dims, gpu, copies, choice.passedOver);
    }
    if (!params.stage.empty())
        throw WorkerError(error::invalid, "\"" + params.implementation + "\" has no stages",
                          "name stages with the implementation \"cuda\"");
    return prepareLibrary(params.implementation, params.operation, params.dims, gpu, copies);
}

CheckResult CudaBackend::check(const CheckParams &params)
{
    return guarded([&] {
        Prepared &work = prepared(params.handle);
        const CheckedOutput checked = checkCopies(*work.workload, *work.gpu, work.copies.size(), work.reference);
        if (!params.output.empty())
            writeBytes(params.output, std::as_bytes(std::span(checked.output)), "the result");
        return toCheckResult(checked.comparison);
    });
}

MeasureResult CudaBackend::measure(const MeasureParams &params, SampleSink &sink,
                                   const std::atomic<bool> &cancelRequested)
{
    return guarded([&] {
        Prepared &work = prepared(params.handle);
        return spanPass(*work.workload, *work.gpu, params, sink, cancelRequested);
    });
}

CaptureResult CudaBackend::capture(const CaptureParams &params, const std::atomic<bool> &cancelRequested)
{
    requireProfiler();
    return guarded([&] {
        Prepared &work = prepared(params.handle);
        return capturePass(*work.workload, *work.gpu, params.warmup, params.iterations, recorder(), cancelRequested);
    });
}

void CudaBackend::release(std::int64_t handle)
{
    prepared(handle);
    m_prepared.erase(handle);
}

FloorsResult CudaBackend::floors(const FloorsParams &params, const std::atomic<bool> &cancelRequested)
{
    requireProfiler();
    return guarded([&] { return measureFloors(params, gpu(params.device), recorder(), cancelRequested); });
}

CountersResult CudaBackend::counters(const CountersParams &params, const std::atomic<bool> &cancelRequested)
{
    requireProfiler();
    return guarded([&] {
        Prepared &work = prepared(params.handle);
        return counterPass(*work.workload, *work.gpu, params, recorder(), cancelRequested);
    });
}

SampleResult CudaBackend::sample(const SampleParams &params)
{
    requireProfiler();
    return guarded([&] {
        const Gpu &device = gpu(params.prepare.device);
        const auto [inputs, reference] = prepareInputs(params.prepare);
        const auto copies = uploadArrays(requireOperation(params.prepare.operation), inputs, 1);
        std::vector<char> code;
        SampleResult result =
            samplePass([&] { return prepareStage(namedStage(params.prepare), params.prepare.dims, device, copies); },
                       device, params.iterations, reference, recorder(), &code);
        if (!params.cubin.empty())
            writeBytes(params.cubin, std::as_bytes(std::span(code)), "the machine code");
        return result;
    });
}

void CudaBackend::requireProfiler() const
{
    if (!m_captures)
        throw WorkerError(error::unavailable, captureNotWanted().reason, captureNotWanted().fix);
}

CudaBackend::Prepared &CudaBackend::prepared(std::int64_t handle)
{
    const auto entry = m_prepared.find(handle);
    if (entry == m_prepared.end())
        throw WorkerError(error::invalid, "handle " + std::to_string(handle) + " is not prepared", "prepare it first");
    entry->second.gpu->makeCurrent();
    return entry->second;
}

const Gpu &CudaBackend::gpu(int index)
{
    auto &entry = m_gpus[index];
    if (!entry)
        entry = std::make_unique<Gpu>(index);
    entry->makeCurrent();
    return *entry;
}

capture::KernelRecorder &CudaBackend::recorder()
{
    if (!m_recorder)
        m_recorder = std::make_unique<capture::KernelRecorder>(capture::sonamesFor("libcupti", driver().cudaVersion));
    return *m_recorder;
}

const SelfTestOutcome &CudaBackend::selfTest(int device)
{
    const auto found = m_selfTests.find({device, m_captures});
    if (found != m_selfTests.end())
        return found->second;
    SelfTestOutcome outcome;
    try {
        outcome = runSelfTest(gpu(device), m_captures ? &recorder() : nullptr);
    } catch (const WorkerError &error) {
        outcome.result.reason = std::string(error.what()) + "; " + error.fix;
        outcome.captureReason = error.what();
        outcome.captureFix = error.fix;
    }
    return m_selfTests.emplace(std::pair(device, m_captures), std::move(outcome)).first->second;
}

} // namespace stagecraft::worker
