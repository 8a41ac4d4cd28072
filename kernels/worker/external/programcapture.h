// SPDX-License-Identifier: MIT
#pragma once

#include "counterprofiler.h"

#include <filesystem>
#include <map>
#include <string>

// The kernel records and hardware counters of a program that the capture library was loaded into.
namespace stagecraft::worker {

// What makes the driver load `library` into a program, and the library write into `directory`. With `metrics`
// (capture::metricList()) it counts instead of recording.
std::map<std::string, std::string>
captureEnvironment(const std::string &library, const std::filesystem::path &directory, const std::string &metrics = {});

// From what the library has written. Exactly one process with exactly one bracket counts: anything else could not be
// told from work that is not the operation's. Throws WorkerError: error::unavailable where nothing was recorded, with
// the cause; error::invalid where what was recorded is not the iterations asked for.
protocol::CaptureResult readProgramCapture(const std::filesystem::path &directory, int iterations);

// The same of a program that was to count.
capture::CounterReading readProgramCounters(const std::filesystem::path &directory);

} // namespace stagecraft::worker
