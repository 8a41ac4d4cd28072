// SPDX-License-Identifier: MIT
#include "machine.h"

#include <fstream>
#include <string_view>
#include <sys/utsname.h>
#include <unistd.h>

namespace stagecraft::worker {

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

} // namespace stagecraft::worker
