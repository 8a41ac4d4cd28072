// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "disassembly.h"

#include <array>

// What the instructions of a kernel are, by kind. It is a count of the instructions that are there, not of those that
// are executed: a loop's stand once.
namespace stagecraft::run {

enum class InstructionKind
{
    Fma32,       // FP32 fused multiply-add
    Float32,     // other FP32
    OtherFloat,  // FP16, BF16, FP64
    Tensor,      // matrix multiply-accumulate
    Integer,     // integer, logic and predicates
    Uniform,     // of the whole warp at once, on the uniform datapath
    Conversion,  // between number types
    Move,        // moves, selects, permutes, special registers
    Lanes,       // shuffles and votes
    SharedLoad,  //
    SharedStore, //
    GlobalLoad,  //
    GlobalStore, //
    AsyncCopy,   // from global to shared memory or back, past the registers
    Atomic,      // atomics and reductions in memory
    Local,       // loads and stores of local memory: spilled registers, and arrays that registers cannot hold
    OtherMemory, // constant, generic, texture, tensor memory; cache control
    Barrier,     // barriers, fences, waits
    Control,     // branches, calls, ends
    NoOperation, // padding
    Other        // not known to this program
};
inline constexpr std::size_t instructionKinds = std::size_t(InstructionKind::Other) + 1;

InstructionKind kindOf(const Instruction &instruction);
bool usesLocalMemory(const Instruction &instruction);

QString kindId(InstructionKind kind);    // "fma_fp32", for programs
QString kindTitle(InstructionKind kind); // "FMA FP32"

struct InstructionMix
{
    std::array<qsizetype, instructionKinds> counts{};

    qsizetype count(InstructionKind kind) const { return counts[std::size_t(kind)]; }
    qsizetype total() const; // without padding
    void add(const Instruction &instruction);
};

InstructionMix mixOf(const QList<Instruction> &instructions);

// "16 FMA FP32, 32 shared loads, …": the most frequent first, at most so many kinds (0: all); without padding.
QString mixText(const InstructionMix &mix, int most = 0);

} // namespace stagecraft::run
