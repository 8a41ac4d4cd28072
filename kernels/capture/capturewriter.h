// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace stagecraft::capture {

// Replaces the file as a whole, so that a reader sees the old text or the new and never a part. nullopt when done; else
// what failed, where and why, as a sentence.
std::optional<std::string> writeCapture(const std::filesystem::path &file, const std::string &text);

} // namespace stagecraft::capture
