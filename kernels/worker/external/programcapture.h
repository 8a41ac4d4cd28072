// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

#include <filesystem>
#include <map>
#include <string>

// The kernel records of a program that the capture library was loaded into.
namespace stagecraft::worker {

// What makes the driver load `library` into a program, and the library write into `directory`.
std::map<std::string, std::string> captureEnvironment(const std::string &library,
                                                      const std::filesystem::path &directory);

// From what the library has written. Exactly one process with exactly one bracket counts: anything else could not be
// told from work that is not the operation's. Throws WorkerError: error::unavailable where nothing was recorded, with
// the cause; error::invalid where what was recorded is not the iterations asked for.
protocol::CaptureResult readProgramCapture(const std::filesystem::path &directory, int iterations);

} // namespace stagecraft::worker
