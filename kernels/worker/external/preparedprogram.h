// SPDX-License-Identifier: MIT
#pragma once

#include "childprogram.h"
#include "messages.h"
#include "privatedirectory.h"
#include "reference.h"
#include "timingfile.h"

#include <map>
#include <optional>

namespace stagecraft::worker {

// The program as the worker was told of it: NAME PROGRAM [ARGUMENT…].
struct ExternalProgram
{
    std::string name; // in NAME-output.bin and NAME-timing.json
    std::string program;
    std::vector<std::string> arguments; // before the input directory
};

struct ProgramCounts
{
    int warmup = 0, iterations = 1;
};

// What one run of the program left, read and found whole; whether it is right is `comparison`'s to say.
struct ProgramResult
{
    std::vector<float> output;
    operations::Comparison comparison;
    Timing timing;
};

// One external program with a private copy of one set of inputs, run as PROGRAM ARGUMENT… DIRECTORY --iterations N.
class PreparedProgram
{
public:
    // The program will see params.device alone. Makes the copy and checks it, so that no program sees inputs that are
    // not sound. Throws WorkerError.
    PreparedProgram(ExternalProgram program, protocol::PrepareParams params);

    // nullopt where it was cancelled. `bracket` adds --capture. Throws WorkerError for everything that a program can do
    // wrong but a wrong result.
    std::optional<ProgramResult> run(const ProgramCounts &counts, bool bracket,
                                     std::map<std::string, std::string> environment, const Session &session);

    const std::filesystem::path &directory() const { return m_directory.path(); }

private:
    std::filesystem::path outputFile() const;
    std::filesystem::path timingFile() const;
    void removeResults() const;
    ProgramCall callFor(const ProgramCounts &counts, bool bracket) const;
    WorkerError failure(const ProgramEnd &end, const ProgramCounts &counts, bool bracket) const;
    ProgramResult readResult(const ProgramCounts &counts) const;

    ExternalProgram m_program;
    std::string m_visibleDevice;
    PrivateDirectory m_directory;
    std::string m_operation;
    operations::Dims m_dims;
    std::vector<double> m_reference;
};

} // namespace stagecraft::worker
