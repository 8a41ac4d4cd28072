// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

// What the operating system says of the machine.
namespace stagecraft::worker {

std::string cpuModel();              // "AMD EPYC 9654"; the architecture where no model is told
std::string operatingSystem();       // "Debian GNU/Linux 12 (bookworm)"; kernel name and release where no name is told
std::int64_t memoryBytes();          // physical
std::int64_t availableMemoryBytes(); // that programs can have without swapping, now; 0 where it is not told

// The processor's caches of the last level together: a machine has several where cores share one in groups, and a
// program on all cores fills them all. The larger of what sysfs lists and sysconf knows, since virtual machines can
// show a part; 0 where neither says.
std::int64_t lastLevelCacheBytes();

// Of a directory that holds cpu0, cpu1, … as Linux's sysfs does; 0 where it lists no caches.
std::int64_t lastLevelCacheBytes(const std::filesystem::path &cpus);

} // namespace stagecraft::worker
