// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What the tests need to know of a kernel's machine code, read from what `cuobjdump` prints of a cubin.
namespace stagecraft::tests {

struct Instruction
{
    std::int64_t address = 0;
    std::string opcode;                 // with its modifiers: "LDS.128"
    std::optional<std::int64_t> target; // of a branch
    bool conditional = false;           // under a predicate, so that what follows may be next all the same
};

// The functions of `cuobjdump -sass`, by name.
std::map<std::string, std::vector<Instruction>> parseMachineCode(const std::string &text);

struct LoopCounts
{
    int sharedReads = 0;  // load instructions, each one however wide
    int multiplyAdds = 0; // of FP32, per thread
};

// Of the innermost loops that multiply and add: natural loops, with no other such loop inside. Where the compiler left
// no such loop, of the whole function.
LoopCounts countInnerLoops(const std::vector<Instruction> &function);

// In bytes per thread (stack) and per block (shared, with what the system reserves of it).
struct ResourceUsage
{
    int registers = 0;
    std::int64_t stackBytes = 0, sharedBytes = 0;
};

// The functions of `cuobjdump --dump-resource-usage`, by name.
std::map<std::string, ResourceUsage> parseResourceUsage(const std::string &text);

} // namespace stagecraft::tests
