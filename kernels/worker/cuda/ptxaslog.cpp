// SPDX-License-Identifier: MIT
#include "ptxaslog.h"

#include <regex>
#include <sstream>

namespace stagecraft::worker {

namespace {

// The number before the words, e.g. 31 of "Used 31 registers" for "registers"; nothing where the words are absent.
template <typename Number>
void readNumber(const std::string &line, const char *words, Number &number)
{
    std::smatch match;
    if (std::regex_search(line, match, std::regex(std::string(R"((\d{1,15}) )") + words)))
        number = static_cast<Number>(std::stoll(match[1]));
}

} // namespace

std::vector<protocol::KernelResources> resourcesInLog(std::string_view log)
{
    const std::regex entry(R"(Compiling entry function '([^']+)')");
    std::vector<protocol::KernelResources> kernels;
    std::istringstream lines{std::string(log)};
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, entry)) {
            kernels.emplace_back().entry = match[1];
            continue;
        }
        if (kernels.empty())
            continue;
        protocol::KernelResources &kernel = kernels.back();
        readNumber(line, "registers", kernel.registers);
        readNumber(line, "barriers", kernel.barriers);
        readNumber(line, "bytes smem", kernel.sharedBytes);
        readNumber(line, "bytes stack frame", kernel.localBytes);
        readNumber(line, "bytes spill stores", kernel.spillBytes);
    }
    return kernels;
}

} // namespace stagecraft::worker
