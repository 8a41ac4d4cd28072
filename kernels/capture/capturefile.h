// SPDX-License-Identifier: MIT
#pragma once

#include "counterprofiler.h"
#include "cuptirefusal.h"
#include "cuptisession.h"
#include "iterationmatching.h"
#include "messages.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// The files that the capture library writes, one per process that brackets its work with cuProfilerStart and
// cuProfilerStop; written and read by the same code. Free of CUDA.
namespace stagecraft::capture {

inline constexpr int captureFormat = 1;
inline constexpr std::uintmax_t maximumCaptureFileBytes = std::uintmax_t(256) << 20;
inline constexpr std::size_t maximumCaptureFiles = 1000; // of one directory

// What stands in place of an iteration's index where nobody said which iteration launched a kernel.
inline constexpr int unmarkedIteration = -1;

// What was recorded or counted between one cuProfilerStart and its cuProfilerStop.
struct CaptureBracket
{
    std::string backend;       // "cupti"
    std::string timestampMode; // as RecorderSupport's
    // In the order in which the kernels started. `iteration` is as marked, else unmarkedIteration.
    std::vector<protocol::KernelRecord> records;
    std::optional<CounterReading> counters; // of a bracket that counted: then it has no records and no timestamp mode
    std::int64_t dropped = 0;               // records that the instrument lost
    std::int64_t invalid = 0;               // records with zero, negative or missing times, left out of records
    bool unterminated = false;              // the process ended before its cuProfilerStop
    std::optional<Refusal> unavailable;     // why there is nothing of either; all above but unterminated is empty then
};

struct CaptureFile
{
    std::int64_t pid = 0;
    std::string process;                  // the program's name, without its folder
    std::string cupti;                    // "API 130001, CUDA 13"; empty where there is none
    std::vector<CaptureBracket> brackets; // in the order in which they ended
};

// A file that is damaged, unreadable or beyond a limit. what() is a sentence with all three parts.
class CaptureFileError : public std::runtime_error
{
public:
    CaptureFileError(std::string file, std::string pointer, std::string cause);
    const std::string &file() const { return m_file; }       // its name without the folder, or the directory
    const std::string &pointer() const { return m_pointer; } // JSON pointer; empty where the whole file is at fault
    const std::string &cause() const { return m_cause; }

private:
    std::string m_file, m_pointer, m_cause;
};

// A kernel as the protocol and these files have it.
protocol::KernelRecord kernelRecord(const CapturedKernel &kernel);

// The name of a process's file in the directory: "4711.json".
std::string captureFileName(std::int64_t pid);

// What a file keeps of all its brackets together.
struct CaptureLimits
{
    std::size_t records = maximumRecords;
    std::size_t values = 1'000'000; // counted ones: about 100 MB of text
};

// Adds a bracket to those before it. Its last records beyond the limit are left out and counted as dropped; a bracket
// whose counted values are beyond it is unavailable.
void appendBracket(std::vector<CaptureBracket> &brackets, CaptureBracket bracket, CaptureLimits limits = {});

std::string captureText(const CaptureFile &file);

// Trusts nothing: presence, type and range of everything are checked. `name` is for the error. Throws CaptureFileError.
CaptureFile parseCapture(std::string_view text, const std::string &name);

// Every file of the directory that holds brackets, by process id; none where no process bracketed anything. What is not
// named PID.json is passed over. Throws CaptureFileError for the first that is damaged.
std::vector<CaptureFile> readCaptureDirectory(const std::filesystem::path &directory);

// Says of each record which of the `requested` iterations (at least 1) launched it. Marked ones stay as they are;
// unmarked ones are dealt out in their order where each iteration gets the same whole number of them. nullopt when
// done; else why not ("203 kernel records do not divide into 100 iterations"), and nothing is changed.
std::optional<std::string> assignIterations(std::vector<protocol::KernelRecord> &records, int requested);

} // namespace stagecraft::capture
