// SPDX-License-Identifier: GPL-3.0-or-later
#include "machinecode.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace stagecraft::tests {

namespace {

// From a branch's target to the branch.
struct Range
{
    std::int64_t begin, end;
    bool contains(std::int64_t address) const { return begin <= address && address <= end; }
    bool encloses(const Range &other) const
    {
        return contains(other.begin) && contains(other.end) && (other.begin != begin || other.end != end);
    }
};

std::optional<std::int64_t> branchTarget(const std::string &opcode, const std::string &operands)
{
    const std::size_t at = operands.rfind("0x");
    if (!opcode.starts_with("BRA") || at == std::string::npos)
        return std::nullopt;
    return std::stoll(operands.substr(at), nullptr, 16);
}

// A branch to itself is the trap behind a kernel's end, no loop.
std::vector<Range> loopsOf(const std::vector<Instruction> &function)
{
    std::vector<Range> loops;
    for (const Instruction &instruction : function) {
        if (instruction.target && *instruction.target < instruction.address)
            loops.push_back({*instruction.target, instruction.address});
    }
    return loops;
}

LoopCounts countWithin(const std::vector<Instruction> &function, const Range &range)
{
    LoopCounts counts;
    for (const Instruction &instruction : function) {
        if (!range.contains(instruction.address))
            continue;
        const std::string operation = instruction.opcode.substr(0, instruction.opcode.find('.'));
        counts.sharedReads += operation == "LDS";
        counts.multiplyAdds += operation == "FFMA" ? 1 : operation == "FFMA2" ? 2 : 0;
    }
    return counts;
}

} // namespace

std::map<std::string, std::vector<Instruction>> parseMachineCode(const std::string &text)
{
    const std::regex name(R"(^\s*Function : (\S+))");
    const std::regex line(R"(^\s*/\*([0-9a-f]+)\*/\s+(?:(@!?\w+)\s+)?([A-Z][A-Z0-9_.]*)([^;]*);)");
    std::map<std::string, std::vector<Instruction>> functions;
    std::vector<Instruction> *current = nullptr;
    std::istringstream lines(text);
    for (std::string one; std::getline(lines, one);) {
        std::smatch match;
        if (std::regex_search(one, match, name))
            current = &functions[match[1]];
        else if (current && std::regex_search(one, match, line) && match[2] != "@!PT") // which is never carried out
            current->push_back({std::stoll(match[1], nullptr, 16), match[3], branchTarget(match[3], match[4])});
    }
    return functions;
}

LoopCounts countInnerLoops(const std::vector<Instruction> &function)
{
    const std::vector<Range> loops = loopsOf(function);
    LoopCounts total;
    for (const Range &loop : loops) {
        if (std::ranges::any_of(loops, [&](const Range &other) { return loop.encloses(other); }))
            continue;
        const LoopCounts counts = countWithin(function, loop);
        if (counts.multiplyAdds == 0)
            continue;
        total.sharedReads += counts.sharedReads;
        total.multiplyAdds += counts.multiplyAdds;
    }
    if (total.multiplyAdds == 0 && !function.empty())
        return countWithin(function, {function.front().address, function.back().address});
    return total;
}

std::map<std::string, ResourceUsage> parseResourceUsage(const std::string &text)
{
    const std::regex usage(R"(Function (\S+):\s*REG:(\d+) STACK:(\d+) SHARED:(\d+))");
    std::map<std::string, ResourceUsage> functions;
    for (std::sregex_iterator at(text.begin(), text.end(), usage), end; at != end; ++at)
        functions[(*at)[1]] = {std::stoi((*at)[2]), std::stoll((*at)[3]), std::stoll((*at)[4])};
    return functions;
}

} // namespace stagecraft::tests
