// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checklist.h"
#include "messages.h"

#include <filesystem>

namespace stagecraft::tests {

// What became of the checks, as JSON: gpu, driver, cuda, tests [{name, result, detail}], passed, failed, skipped.
// Throws where the file cannot be written.
void writeReport(const std::filesystem::path &file, const Checklist &list, const protocol::DescribeResult &description);

} // namespace stagecraft::tests
