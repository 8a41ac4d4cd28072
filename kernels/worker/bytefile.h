// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace stagecraft::worker {

// Writes a file that a request named. Throws WorkerError(error::failed), which says what could not be written: "the
// result"; what was written of it is removed then.
void writeBytes(const std::string &file, std::span<const std::byte> bytes, const std::string &what);

} // namespace stagecraft::worker
