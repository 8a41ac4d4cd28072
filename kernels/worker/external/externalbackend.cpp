// SPDX-License-Identifier: MIT
#include "externalbackend.h"

#include "bytefile.h"
#include "capturelibrary.h"
#include "coldcache.h"
#include "countedkernels.h"
#include "machine.h"
#include "metriclist.h"
#include "operationmessages.h"
#include "programcapture.h"
#include "programsearch.h"

#include <cmath>
#include <sstream>

namespace stagecraft::worker {

namespace {

using namespace protocol;

// The contract's, where the program's file says nothing else.
constexpr auto standardArithmetic = "fp32";
constexpr auto standardSource = "event";

std::vector<std::string> operationIds()
{
    std::vector<std::string> ids;
    for (const auto &operation : operations::catalogue())
        ids.push_back(operation.id);
    return ids;
}

// What this worker itself needs of the machine, whatever the program is.
SelfTest selfTest()
{
    try {
        const PrivateDirectory directory({});
        operations::writeInputManifest(directory.path(), {"gelu", {1, 1}, 0, 1});
        return {true, {}, {}};
    } catch (const std::exception &error) {
        return {false, error.what(), {}};
    }
}

std::string text(double value)
{
    std::ostringstream stream;
    stream << value;
    return stream.str();
}

void requireRight(const operations::Comparison &comparison)
{
    if (comparison.passed)
        return;
    const double value = comparison.firstBadValue;
    throw WorkerError(error::failed,
                      "the result of this run is wrong: " + std::to_string(comparison.badElements) + " of " +
                          std::to_string(comparison.checkedElements) + " elements, the first is element " +
                          std::to_string(*comparison.firstBad) + ": " + text(value) + " where " +
                          text(comparison.firstBadReference) + " is expected; its times are not taken",
                      "the program must compute the whole result in every run, also with more iterations or --capture");
}

// What is known before the program runs. It is the program that initializes CUDA, and CUDA that asks the driver.
CaptureSupport countersOf(const CaptureSupport &capture)
{
    CaptureSupport support = capture;
    if (capture.available)
        support.reason = "whether the driver lets the program's kernels be counted shows when the program runs";
    return support;
}

CaptureLibrary requireCaptureLibrary()
{
    CaptureLibrary library = findCaptureLibrary();
    if (!library.support.available)
        throw WorkerError(error::unavailable, library.support.reason, library.support.fix);
    return library;
}

std::string listOf(const std::vector<std::string> &metrics)
{
    try {
        return capture::metricList(metrics);
    } catch (const capture::CaptureError &error) {
        throw WorkerError(error::invalid, error.what(), error.fix);
    }
}

// For preparing and checking, which have no half of a result.
ProgramResult runOnce(PreparedProgram &program, const Session &session)
{
    auto result = program.run({}, false, {}, session);
    if (!result)
        throw WorkerError(error::cancelled, "cancelled before the program had ended", {});
    return std::move(*result);
}

} // namespace

ExternalBackend::Prepared::Prepared(const ExternalProgram &external, const PrepareParams &params,
                                    const Session &session)
    : program(external, params),
      first(runOnce(program, session)),
      source(first->timing.source),
      arithmetic(first->timing.arithmetic)
{
}

DescribeResult ExternalBackend::describe(const DescribeParams &params)
{
    DescribeResult result;
    result.platform = operatingSystem() + ", " + cpuModel();
    result.implementations = {implementation()};
    result.capture = params.leaveProfiler ? captureNotWanted() : findCaptureLibrary().support;
    result.selfTest = selfTest();
    if (params.counters)
        result.counters = countersOf(result.capture);
    return result;
}

Implementation ExternalBackend::implementation() const
{
    const auto found = findProgram(m_program.program);
    return {m_program.name, operationIds(),     !found.path.empty(), found.reason,
            found.fix,      standardArithmetic, standardSource,      note()};
}

CompileResult ExternalBackend::compile(const CompileParams &)
{
    throw WorkerError(error::unavailable, "an external program's worker compiles no stages",
                      "stages are compiled by the CUDA worker");
}

void ExternalBackend::requireImplementation(const PrepareParams &params) const
{
    if (params.implementation != m_program.name)
        throw WorkerError(error::unavailable, "this worker has no implementation \"" + params.implementation + "\"",
                          "its implementation is \"" + m_program.name + "\"");
    if (!params.stage.empty())
        throw WorkerError(error::unavailable,
                          "an external program has no stages, so \"" + params.stage + "\" cannot run here",
                          "stages run in the CUDA worker");
    if (wantsCold(params))
        throw WorkerError(error::unavailable, "cold: an external program decides itself which memory it reads",
                          "measure it with a warm cache (--cache warm)");
}

PrepareResult ExternalBackend::prepare(const PrepareParams &params)
{
    requireImplementation(params);
    const auto handle = m_lastHandle + 1;
    const auto entry = m_prepared.try_emplace(handle, m_program, params, *m_session).first;
    const auto &timing = entry->second.first->timing;
    if (wantsExactFp32(params) && timing.arithmetic != params.arithmetic) {
        const std::string found = timing.arithmetic;
        m_prepared.erase(entry);
        throw WorkerError(error::unavailable,
                          m_program.name + " computes in " + found + ", " + params.arithmetic + " was asked for",
                          "let any arithmetic take part (--arithmetic any)");
    }
    m_lastHandle = handle;
    return {handle, {}, {}, timing.arithmetic, timing.source, note(), {}};
}

std::string ExternalBackend::note() const
{
    return "external program " + programName(m_program.program);
}

CheckResult ExternalBackend::check(const CheckParams &params)
{
    auto &entry = prepared(params.handle);
    auto result = std::exchange(entry.first, std::nullopt);
    if (!result)
        result = runOnce(entry.program, *m_session);
    if (!params.output.empty())
        writeBytes(params.output, std::as_bytes(std::span(result->output)), "the result");
    return toCheckResult(result->comparison);
}

// One series of samples is of one clock and one arithmetic.
void ExternalBackend::requireSame(const Prepared &entry, const Timing &timing) const
{
    const auto require = [this](const char *key, const std::string &found, const std::string &before) {
        if (found != before)
            throw WorkerError(error::invalid,
                              m_program.name + "-timing.json: " + key + ": is \"" + found + "\", but was \"" + before +
                                  "\" before",
                              "take every run's samples by the same clock and in the same arithmetic");
    };
    require("source", timing.source, entry.source);
    require("arithmetic", timing.arithmetic, entry.arithmetic);
}

MeasureResult ExternalBackend::measure(const MeasureParams &params, SampleSink &sink, const std::atomic<bool> &)
{
    auto &entry = prepared(params.handle);
    const auto run = entry.program.run({params.warmup, params.iterations}, params.bracket, {}, *m_session);
    MeasureResult result;
    if (run) {
        requireRight(run->comparison);
        requireSame(entry, run->timing);
        for (const double us : run->timing.samplesUs) {
            if (!sink.put(us))
                break;
            ++result.count;
        }
    }
    result.cancelled = result.count < params.iterations;
    return result;
}

// False where it was cancelled.
bool ExternalBackend::runCaptured(Prepared &entry, const ProgramCounts &counts,
                                  std::map<std::string, std::string> environment)
{
    const auto run = entry.program.run(counts, true, std::move(environment), *m_session);
    if (!run)
        return false;
    requireRight(run->comparison);
    requireSame(entry, run->timing);
    return true;
}

CaptureResult ExternalBackend::capture(const CaptureParams &params, const std::atomic<bool> &)
{
    auto &entry = prepared(params.handle);
    const auto library = requireCaptureLibrary();
    const PrivateDirectory records(entry.program.directory());
    if (runCaptured(entry, {params.warmup, params.iterations}, captureEnvironment(library.path, records.path())))
        return readProgramCapture(records.path(), params.iterations);
    CaptureResult cancelled;
    cancelled.requestedIterations = params.iterations;
    cancelled.cancelled = true;
    return cancelled;
}

CountersResult ExternalBackend::counters(const CountersParams &params, const std::atomic<bool> &)
{
    auto &entry = prepared(params.handle);
    const auto library = requireCaptureLibrary();
    const auto metrics = listOf(params.metrics);
    const ProgramCounts once{params.warmup, 1};
    const PrivateDirectory records(entry.program.directory()), counts(entry.program.directory());
    CountersResult result;
    result.backend = library.support.backend;
    result.cancelled = !runCaptured(entry, once, captureEnvironment(library.path, records.path()));
    if (result.cancelled)
        return result;
    const auto recorded = readProgramCapture(records.path(), once.iterations);
    result.cancelled = !runCaptured(entry, once, captureEnvironment(library.path, counts.path(), metrics));
    if (result.cancelled)
        return result;
    if (const auto problem = joinCounters(recorded.records, readProgramCounters(counts.path()), result))
        throw WorkerError(error::failed, problem->reason, problem->fix);
    return result;
}

void ExternalBackend::release(std::int64_t handle)
{
    prepared(handle);
    m_prepared.erase(handle);
}

ExternalBackend::Prepared &ExternalBackend::prepared(std::int64_t handle)
{
    const auto entry = m_prepared.find(handle);
    if (entry == m_prepared.end())
        throw WorkerError(error::invalid, "handle " + std::to_string(handle) + " is not prepared", "prepare it first");
    return entry->second;
}

} // namespace stagecraft::worker
