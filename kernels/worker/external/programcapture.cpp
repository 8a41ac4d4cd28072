// SPDX-License-Identifier: MIT
#include "programcapture.h"

#include "backend.h"
#include "capturefile.h"
#include "envelope.h"

#include <algorithm>

namespace stagecraft::worker {

namespace {

using namespace capture;
using protocol::error::invalid;
using protocol::error::unavailable;

constexpr auto bracketOnce = "with --capture, call cuProfilerStart once before the timed part and cuProfilerStop once "
                             "after it, in one process";

// What a program may have written has no length of its own.
std::string shortened(const std::string &text)
{
    constexpr std::size_t longest = 400;
    if (text.size() <= longest)
        return text;
    auto end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end; // the middle of a character of UTF-8
    return text.substr(0, end) + "…";
}

// A pointer without its first slash, with which it would read as a file's path.
std::string problemOf(const CaptureFileError &error)
{
    const std::string &pointer = error.pointer();
    return error.file() + ": " + (pointer.empty() ? std::string() : pointer.substr(1) + " ") + error.cause();
}

std::vector<CaptureFile> readFiles(const std::filesystem::path &directory)
{
    try {
        return readCaptureDirectory(directory);
    } catch (const CaptureFileError &error) {
        throw WorkerError(invalid, "the capture library's file cannot be used: " + shortened(problemOf(error)),
                          "use a capture library and a worker of the same version");
    }
}

// Each process that CUPTI refuses says so, bracket or not: that is the cause, however many they are.
void requireNoRefusal(const std::vector<CaptureFile> &files)
{
    for (const auto &file : files) {
        for (const auto &bracket : file.brackets) {
            if (bracket.unavailable)
                throw WorkerError(unavailable, shortened(bracket.unavailable->reason),
                                  shortened(bracket.unavailable->fix));
        }
    }
}

CaptureBracket theOnlyBracket(std::vector<CaptureFile> files)
{
    if (files.empty())
        throw WorkerError(unavailable,
                          "the program recorded nothing: it called no cuProfilerStart and cuProfilerStop, or it does "
                          "not use CUDA",
                          std::string(bracketOnce) + "; a program that computes on the CPU has spans only");
    if (files.size() > 1) {
        std::string names;
        for (const auto &file : files)
            names += (names.empty() ? "" : ", ") + file.process;
        throw WorkerError(invalid,
                          std::to_string(files.size()) + " processes called cuProfilerStart and cuProfilerStop (" +
                              shortened(names) + "), so that their kernels cannot be told apart",
                          bracketOnce);
    }
    auto &brackets = files.front().brackets;
    if (brackets.size() != 1)
        throw WorkerError(invalid,
                          "the program bracketed its work with cuProfilerStart and cuProfilerStop " +
                              std::to_string(brackets.size()) + " times",
                          bracketOnce);
    return std::move(brackets.front());
}

void requireWhole(const CaptureBracket &bracket)
{
    if (bracket.unterminated)
        throw WorkerError(invalid, "the program ended between cuProfilerStart and cuProfilerStop", bracketOnce);
}

CaptureBracket theWholeBracket(const std::filesystem::path &directory)
{
    auto files = readFiles(directory);
    requireNoRefusal(files);
    auto bracket = theOnlyBracket(std::move(files));
    requireWhole(bracket);
    return bracket;
}

// A library from before there were counters records all the same; a program can choose by the library's function too.
WorkerError otherKind(const char *what)
{
    return {invalid, std::string("the program's capture library ") + what,
            "use a capture library and a worker of the same version, and a program that does not call "
            "stagecraft_capture_counters itself"};
}

// Unmarked records are dealt out by their order, which says nothing where some are missing.
void assign(CaptureBracket &bracket, int iterations)
{
    constexpr auto iterationsAlone =
        "the part between cuProfilerStart and cuProfilerStop must be the iterations alone, "
        "each with the same launches";
    const auto isUnmarked = [](const auto &record) { return record.iteration == unmarkedIteration; };
    if (bracket.dropped + bracket.invalid > 0 && std::ranges::any_of(bracket.records, isUnmarked))
        throw WorkerError(invalid,
                          std::to_string(bracket.dropped) + " kernel records were lost and " +
                              std::to_string(bracket.invalid) +
                              " had no sound times, so that nobody can say which iteration the others belong to",
                          "capture fewer iterations (--capture-iterations)");
    if (const auto problem = assignIterations(bracket.records, iterations))
        throw WorkerError(invalid, *problem, iterationsAlone);
}

void requireSendable(const protocol::CaptureResult &result)
{
    if (protocol::resultLine(0, result).size() > protocol::maximumLineBytes)
        throw WorkerError(invalid,
                          std::to_string(result.records.size()) + " kernel records are more than a worker can send",
                          "capture fewer iterations (--capture-iterations)");
}

} // namespace

std::map<std::string, std::string>
captureEnvironment(const std::string &library, const std::filesystem::path &directory, const std::string &metrics)
{
    return {{"CUDA_INJECTION64_PATH", library},
            {"STAGECRAFT_CAPTURE_DIRECTORY", directory.string()},
            {"STAGECRAFT_CAPTURE_METRICS", metrics}};
}

protocol::CaptureResult readProgramCapture(const std::filesystem::path &directory, int iterations)
{
    auto bracket = theWholeBracket(directory);
    if (bracket.counters)
        throw otherKind("counted where it was to record");
    assign(bracket, iterations);
    protocol::CaptureResult result;
    result.backend = std::move(bracket.backend);
    result.timestampMode = std::move(bracket.timestampMode);
    result.requestedIterations = iterations;
    result.records = std::move(bracket.records);
    result.dropped = bracket.dropped;
    result.invalid = bracket.invalid;
    requireSendable(result);
    return result;
}

CounterReading readProgramCounters(const std::filesystem::path &directory)
{
    auto bracket = theWholeBracket(directory);
    if (!bracket.counters)
        throw otherKind("recorded where it was to count");
    return std::move(*bracket.counters);
}

} // namespace stagecraft::worker
