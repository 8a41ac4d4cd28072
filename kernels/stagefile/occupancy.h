// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

// How many threads of a kernel a multiprocessor holds at once, from what a compiler says of the kernel: without a GPU
// or the CUDA driver.
namespace stagecraft::stagefile {

// Per-SM limits of a compute capability (CUDA C++ Programming Guide, technical specifications per compute capability).
struct SmLimits
{
    int threads = 0, blocks = 0, warps = 0;
    int registers = 0;
    std::int64_t sharedBytes = 0;         // of one SM, for all its blocks
    std::int64_t sharedBytesPerBlock = 0; // with opt-in
    std::int64_t reservedSharedBytes = 0; // the system's share of each block
};

// "9.0" or "sm_90a" → its limits; nullopt for a compute capability that is not known here.
std::optional<SmLimits> smLimits(const std::string &computeCapability);

struct KernelShape
{
    std::int64_t threadsPerBlock = 0;
    int registersPerThread = 0;
    std::int64_t sharedBytes = 0; // static and dynamic, of one block
};

struct Occupancy
{
    enum Limit
    {
        Threads,
        Blocks,
        Registers,
        SharedMemory
    };
    int blocksPerSm = 0, residentThreads = 0;
    Limit limitedBy = Threads; // the scarcest; the first in this order where several are equally scarce
};

// nullopt where not even one block fits.
std::optional<Occupancy> occupancy(const SmLimits &limits, const KernelShape &kernel);

} // namespace stagecraft::stagefile
