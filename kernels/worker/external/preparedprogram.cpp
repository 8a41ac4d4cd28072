// SPDX-License-Identifier: MIT
#include "preparedprogram.h"

#include "gpupresence.h"
#include "operationmessages.h"
#include "preparedinputs.h"
#include "programfile.h"
#include "programsearch.h"
#include "visibledevice.h"

#include <csignal>
#include <sys/wait.h>

namespace stagecraft::worker {

namespace {

namespace fs = std::filesystem;
using protocol::error::failed;

WorkerError noCopy(const std::string &file, const std::error_code &error)
{
    return {failed, file + " could not be copied for the program: " + error.message(),
            "make room where the inputs are, or set TMPDIR to a directory that has it"};
}

// What is missing is left out: reading the copy says so as reading the original would.
void copyInputs(const fs::path &from, const fs::path &to, const operations::Operation &operation,
                const operations::Dims &dims)
{
    std::vector<std::string> names{"input.json", "inputs.sha256.json", "reference.f64.bin"};
    for (const auto &buffer : operations::inputBuffers(operation, dims))
        names.push_back(buffer.fileName());
    for (const auto &name : names) {
        std::error_code error;
        if (fs::exists(from / name, error) && !fs::copy_file(from / name, to / name, error))
            throw noCopy(name, error);
    }
}

void fillDirectory(const fs::path &directory, const protocol::PrepareParams &params)
{
    const auto &operation = requireOperation(params.operation);
    requireDims(operation, params.dims);
    if (!params.directory.empty())
        return copyInputs(params.directory, directory, operation, params.dims);
    const ProgramCounts once;
    operations::writeInputDirectory(directory, operations::generateInputs(operation, params.dims, params.seed),
                                    once.warmup, once.iterations);
}

// What automake and others take for "skipped" too.
constexpr int notThisOperation = 77;

std::string fixFor(const ProgramEnd &end, bool bracket, const std::string &given)
{
    if (WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL)
        return "something outside ended it: look for the out-of-memory killer in the system's log, or for a limit of a "
               "container or batch system";
    if (bracket)
        return "a program must accept --capture and then bracket its timed part with cuProfilerStart and "
               "cuProfilerStop; it was given " +
               given + " --capture";
    return "correct the program; it was given " + given;
}

} // namespace

PreparedProgram::PreparedProgram(ExternalProgram program, protocol::PrepareParams params)
    : m_program(std::move(program)), m_visibleDevice(visibleDevice(params.device)), m_directory(params.directory)
{
    fillDirectory(m_directory.path(), params);
    params.directory = m_directory.path().string();
    auto prepared = prepareInputs(params); // of the copy: what is checked is what the program gets
    m_operation = std::move(prepared.inputs.operation);
    m_dims = std::move(prepared.inputs.dims);
    m_reference = std::move(prepared.reference);
}

std::optional<ProgramResult> PreparedProgram::run(const ProgramCounts &counts, bool bracket,
                                                  std::map<std::string, std::string> environment,
                                                  const Session &session)
{
    removeResults();
    operations::writeInputManifest(m_directory.path(), {m_operation, m_dims, counts.warmup, counts.iterations});
    auto call = callFor(counts, bracket);
    call.environment = std::move(environment);
    call.environment["CUDA_VISIBLE_DEVICES"] = m_visibleDevice;
    const auto end = runProgram(call, session);
    if (end.cancelled)
        return std::nullopt;
    if (!end.succeeded())
        throw failure(end, counts, bracket);
    return readResult(counts);
}

WorkerError PreparedProgram::failure(const ProgramEnd &end, const ProgramCounts &counts, bool bracket) const
{
    if (WIFEXITED(end.status) && WEXITSTATUS(end.status) == notThisOperation)
        return {protocol::error::unavailable,
                "the program does not compute " + m_operation + " (exit status " + std::to_string(notThisOperation) +
                    ")",
                "leave " + m_operation + " out for it with --operations, or teach it that operation"};
    const auto given =
        m_operation + " " + operations::dimsText(m_dims) + " with --iterations " + std::to_string(counts.iterations);
    return {failed, "the program " + programName(m_program.program) + " " + end.text(), fixFor(end, bracket, given)};
}

fs::path PreparedProgram::outputFile() const
{
    return m_directory.path() / (m_program.name + "-output.bin");
}

fs::path PreparedProgram::timingFile() const
{
    return m_directory.path() / (m_program.name + "-timing.json");
}

// An earlier run's files must not be taken for this one's.
void PreparedProgram::removeResults() const
{
    for (const auto &file : {outputFile(), timingFile()}) {
        std::error_code error;
        fs::remove_all(file, error);
        if (error)
            throw WorkerError(failed,
                              "an earlier " + file.filename().string() + " cannot be removed: " + error.message(),
                              "the program must leave its files and its directory so that they can be removed");
    }
}

// Looked for anew each time, as a shell does: it may have been built again.
ProgramCall PreparedProgram::callFor(const ProgramCounts &counts, bool bracket) const
{
    const auto found = findProgram(m_program.program);
    if (found.path.empty())
        throw WorkerError(protocol::error::unavailable, found.reason, found.fix);
    ProgramCall call{m_program.name, found.path, m_program.arguments, {}};
    call.arguments.insert(call.arguments.end(),
                          {m_directory.path().string(), "--iterations", std::to_string(counts.iterations)});
    if (bracket)
        call.arguments.emplace_back("--capture");
    return call;
}

ProgramResult PreparedProgram::readResult(const ProgramCounts &counts) const
{
    ProgramResult result;
    result.output = readOutput(outputFile(), static_cast<std::int64_t>(m_reference.size()));
    result.comparison = operations::compare(result.output, m_reference);
    result.timing = readTiming(timingFile(), {m_operation, m_dims, counts.warmup, counts.iterations, gpuMayBeHere()});
    return result;
}

} // namespace stagecraft::worker
