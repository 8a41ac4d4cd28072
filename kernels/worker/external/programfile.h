// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

// The files that an external program leaves in its directory. What they are called in messages has no folder.
namespace stagecraft::worker {

// A file of at most this many bytes. Throws WorkerError: error::failed where it is missing, is no file or cannot be
// read, error::invalid where it is larger.
std::string readProgramFile(const std::filesystem::path &file, std::uintmax_t maximumBytes);

// NAME-output.bin: little-endian float32, row-major. Throws WorkerError(error::failed) where it is missing, is no file,
// cannot be read or has another length.
std::vector<float> readOutput(const std::filesystem::path &file, std::int64_t elements);

} // namespace stagecraft::worker
