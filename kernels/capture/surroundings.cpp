// SPDX-License-Identifier: MIT
#include "surroundings.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace stagecraft::capture {

namespace {

std::string firstLine(const char *file)
{
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

bool exists(const char *file)
{
    std::error_code error;
    return std::filesystem::exists(file, error);
}

} // namespace

Surroundings surroundings()
{
    Surroundings found;
    found.wsl = firstLine("/proc/version").find("icrosoft") != std::string::npos;
    found.container = exists("/.dockerenv") || exists("/run/.containerenv") || std::getenv("container") != nullptr;
    return found;
}

bool serializesKernels()
{
    const char *value = std::getenv("STAGECRAFT_CAPTURE_KERNELS");
    return value && std::string_view(value) == "serialized";
}

} // namespace stagecraft::capture
