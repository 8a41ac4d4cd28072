// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

// What the operating system says of the machine.
namespace stagecraft::worker {

std::string cpuModel();        // "AMD EPYC 9654"; the architecture where no model is told
std::string operatingSystem(); // "Debian GNU/Linux 12 (bookworm)"; kernel name and release where no name is told
std::int64_t memoryBytes();    // physical

} // namespace stagecraft::worker
