// SPDX-License-Identifier: GPL-3.0-or-later
#include "machinecode.h"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

namespace stagecraft::tests {

namespace {

using Places = std::set<std::size_t>; // of instructions in their function

std::optional<std::int64_t> branchTarget(const std::string &opcode, const std::string &operands)
{
    const std::size_t at = operands.rfind("0x");
    if (!opcode.starts_with("BRA") || at == std::string::npos)
        return std::nullopt;
    return std::stoll(operands.substr(at), nullptr, 16);
}

bool goesOn(const Instruction &instruction)
{
    const bool jumps = instruction.opcode.starts_with("BRA") || instruction.opcode == "EXIT";
    return !jumps || instruction.conditional;
}

// Where each instruction can go, and where it can come from.
struct Flow
{
    std::vector<std::vector<std::size_t>> next, before;

    explicit Flow(const std::vector<Instruction> &function) : next(function.size()), before(function.size())
    {
        std::map<std::int64_t, std::size_t> at;
        for (std::size_t i = 0; i < function.size(); ++i)
            at[function[i].address] = i;
        for (std::size_t i = 0; i < function.size(); ++i) {
            if (goesOn(function[i]) && i + 1 < function.size())
                connect(i, i + 1);
            if (const auto found = function[i].target ? at.find(*function[i].target) : at.end(); found != at.end())
                connect(i, found->second);
        }
    }

    void connect(std::size_t from, std::size_t to)
    {
        next[from].push_back(to);
        before[to].push_back(from);
    }
};

// All that can be reached from `start` without passing `barred`.
Places reachable(const std::vector<std::vector<std::size_t>> &edges, std::size_t start, std::size_t barred)
{
    Places seen{start};
    std::vector<std::size_t> waiting{start};
    while (!waiting.empty()) {
        const std::size_t place = waiting.back();
        waiting.pop_back();
        for (const std::size_t other : edges[place]) {
            if (other != barred && seen.insert(other).second)
                waiting.push_back(other);
        }
    }
    return seen;
}

// Natural loops: of a branch back to an instruction that every way to the branch passes, all between the two. A branch
// back from code that the compiler moved behind the function's end is none. Nor is a branch to itself, a trap.
std::vector<Places> loopsOf(const std::vector<Instruction> &function)
{
    const Flow flow(function);
    std::vector<Places> loops;
    for (std::size_t end = 0; end < function.size(); ++end) {
        for (const std::size_t head : flow.next[end]) {
            if (head >= end || (head > 0 && reachable(flow.next, 0, head).contains(end)))
                continue;
            Places loop = reachable(flow.before, end, head);
            loop.insert(head);
            loops.push_back(std::move(loop));
        }
    }
    return loops;
}

LoopCounts countWithin(const std::vector<Instruction> &function, const Places &places)
{
    LoopCounts counts;
    for (const std::size_t place : places) {
        const std::string &opcode = function[place].opcode;
        const std::string operation = opcode.substr(0, opcode.find('.'));
        counts.sharedReads += operation == "LDS";
        counts.multiplyAdds += operation == "FFMA" ? 1 : operation == "FFMA2" ? 2 : 0;
    }
    return counts;
}

bool encloses(const Places &outer, const Places &inner)
{
    return outer.size() > inner.size() && std::ranges::includes(outer, inner);
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
            current->push_back({std::stoll(match[1], nullptr, 16), match[3], branchTarget(match[3], match[4]),
                                match[2].matched || match[4].str().find(',') != std::string::npos});
    }
    return functions;
}

LoopCounts countInnerLoops(const std::vector<Instruction> &function)
{
    // Loops that only wait or copy are no inner loops.
    std::vector<Places> loops = loopsOf(function);
    std::erase_if(loops, [&](const Places &loop) { return countWithin(function, loop).multiplyAdds == 0; });
    LoopCounts total;
    for (const Places &loop : loops) {
        if (std::ranges::any_of(loops, [&](const Places &other) { return encloses(loop, other); }))
            continue;
        const LoopCounts counts = countWithin(function, loop);
        total.sharedReads += counts.sharedReads;
        total.multiplyAdds += counts.multiplyAdds;
    }
    if (total.multiplyAdds > 0)
        return total;
    Places all;
    for (std::size_t i = 0; i < function.size(); ++i)
        all.insert(i);
    return countWithin(function, all);
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
