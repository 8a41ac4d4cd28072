// SPDX-License-Identifier: MIT
#include "machine.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <string_view>
#include <sys/utsname.h>
#include <unistd.h>
#include <vector>

namespace stagecraft::worker {

namespace fs = std::filesystem;

namespace {

std::string stripped(std::string_view text)
{
    constexpr auto outside = " \t\"'";
    const auto first = text.find_first_not_of(outside);
    if (first == std::string_view::npos)
        return {};
    return std::string(text.substr(first, text.find_last_not_of(outside) - first + 1));
}

// The value of the first line "KEY separator VALUE" of a file; empty where there is none.
std::string firstValue(const char *file, std::string_view key, char separator)
{
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        const auto position = line.find(separator);
        if (position != std::string::npos && stripped(line.substr(0, position)) == key)
            return stripped(std::string_view(line).substr(position + 1));
    }
    return {};
}

constexpr std::int64_t kibibyte = 1024;

// A number at the beginning, in kibibytes ("32768K", "65432 kB"); 0 for anything else.
std::int64_t kibibytes(const std::string &text)
{
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value * kibibyte;
}

std::string lineOf(const fs::path &file)
{
    std::string line;
    std::getline(std::ifstream(file) >> std::ws, line);
    return line;
}

struct Cache
{
    int level = 0;
    std::int64_t bytes = 0;
    std::string sharedBy; // the CPUs, which name the cache among those of its level
};

std::vector<Cache> cachesOf(const fs::path &cpu)
{
    std::vector<Cache> caches;
    std::error_code none;
    for (const auto &entry : fs::directory_iterator(cpu / "cache", none)) {
        const std::string level = lineOf(entry.path() / "level");
        const std::int64_t bytes = kibibytes(lineOf(entry.path() / "size"));
        if (level.size() == 1 && bytes > 0)
            caches.push_back({level[0] - '0', bytes, lineOf(entry.path() / "shared_cpu_list")});
    }
    return caches;
}

utsname systemNames()
{
    utsname names{};
    uname(&names);
    return names;
}

} // namespace

std::string cpuModel()
{
    const auto model = firstValue("/proc/cpuinfo", "model name", ':');
    return model.empty() ? std::string(systemNames().machine) + " CPU" : model;
}

std::string operatingSystem()
{
    const auto name = firstValue("/etc/os-release", "PRETTY_NAME", '=');
    const auto names = systemNames();
    return name.empty() ? std::string(names.sysname) + " " + names.release : name;
}

std::int64_t memoryBytes()
{
    return std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
}

std::int64_t availableMemoryBytes()
{
    return kibibytes(firstValue("/proc/meminfo", "MemAvailable", ':'));
}

std::int64_t lastLevelCacheBytes(const fs::path &cpus)
{
    int lastLevel = 0;
    std::map<std::string, std::int64_t> caches; // of the last level so far
    std::error_code none;
    for (const auto &cpu : fs::directory_iterator(cpus, none)) {
        for (const Cache &cache : cachesOf(cpu.path())) {
            if (cache.level > lastLevel) {
                lastLevel = cache.level;
                caches.clear();
            }
            if (cache.level == lastLevel)
                caches[cache.sharedBy] = cache.bytes;
        }
    }
    std::int64_t bytes = 0;
    for (const auto &[sharedBy, size] : caches)
        bytes += size;
    return bytes;
}

std::int64_t lastLevelCacheBytes()
{
    return std::max(lastLevelCacheBytes("/sys/devices/system/cpu"), std::int64_t{sysconf(_SC_LEVEL3_CACHE_SIZE)});
}

} // namespace stagecraft::worker
