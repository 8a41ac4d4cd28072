// SPDX-License-Identifier: MIT
#include "occupancy.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace stagecraft::stagefile {

namespace {

constexpr std::int64_t threadsPerWarp = 32;
constexpr std::int64_t subPartitions = 4;         // of an SM; each holds its own quarter of the registers
constexpr std::int64_t registerGranularity = 256; // a warp's registers are allocated in such portions
constexpr std::int64_t mostRegistersPerThread = 255, mostThreadsPerBlock = 1024;
constexpr std::int64_t kibi = 1024;
constexpr std::int64_t unlimited = 1 << 20; // more than any other limit allows

struct Known
{
    std::string_view computeCapability;
    SmLimits limits;
};

// threads, blocks, warps, registers, shared bytes of the SM, of a block with opt-in, reserved in each block
constexpr std::array known{
    Known{"7.5", {1024, 16, 32, 65536, 64 * kibi, 64 * kibi, 0}},
    Known{"8.0", {2048, 32, 64, 65536, 164 * kibi, 163 * kibi, kibi}},
    Known{"8.6", {1536, 16, 48, 65536, 100 * kibi, 99 * kibi, kibi}},
    Known{"8.7", {1536, 16, 48, 65536, 164 * kibi, 163 * kibi, kibi}},
    Known{"8.9", {1536, 24, 48, 65536, 100 * kibi, 99 * kibi, kibi}},
    Known{"9.0", {2048, 32, 64, 65536, 228 * kibi, 227 * kibi, kibi}},
    Known{"10.0", {2048, 32, 64, 65536, 228 * kibi, 227 * kibi, kibi}},
    Known{"10.3", {2048, 32, 64, 65536, 228 * kibi, 227 * kibi, kibi}},
    Known{"12.0", {1536, 24, 48, 65536, 100 * kibi, 99 * kibi, kibi}},
};

constexpr std::int64_t roundedUp(std::int64_t value, std::int64_t step)
{
    return (value + step - 1) / step * step;
}

// "sm_103a" → "10.3": the last digit is the minor version; letters behind it name features, not another SM.
std::string versionText(std::string_view text)
{
    if (!text.starts_with("sm_"))
        return std::string(text);
    text.remove_prefix(3);
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits < 2 || text.size() > digits + 1)
        return {};
    return std::string(text.substr(0, digits - 1)) + '.' + text[digits - 1];
}

// Registers are given to whole warps within a quarter of the SM; a block must fit with its warps spread over all four.
std::int64_t blocksByRegisters(const SmLimits &limits, std::int64_t warps, int registersPerThread)
{
    const std::int64_t perWarp = roundedUp(registersPerThread * threadsPerWarp, registerGranularity);
    if (perWarp == 0)
        return unlimited;
    if (perWarp * roundedUp(warps, subPartitions) > limits.registers)
        return 0;
    return limits.registers / subPartitions / perWarp * subPartitions / warps;
}

// Shared memory is allocated in portions of 128 bytes; Turing, which reserves nothing, of 256.
std::int64_t blocksBySharedMemory(const SmLimits &limits, std::int64_t bytes)
{
    if (bytes > limits.sharedBytesPerBlock)
        return 0;
    const std::int64_t granularity = limits.reservedSharedBytes > 0 ? 128 : 256;
    const std::int64_t allocated = roundedUp(bytes + limits.reservedSharedBytes, granularity);
    return allocated == 0 ? unlimited : limits.sharedBytes / allocated;
}

bool isPossible(const KernelShape &kernel)
{
    return kernel.threadsPerBlock > 0 && kernel.threadsPerBlock <= mostThreadsPerBlock &&
           kernel.registersPerThread >= 0 && kernel.registersPerThread <= mostRegistersPerThread &&
           kernel.sharedBytes >= 0;
}

} // namespace

std::optional<SmLimits> smLimits(const std::string &computeCapability)
{
    const std::string version = versionText(computeCapability);
    const auto *const entry = std::find_if(
        known.begin(), known.end(), [&](const Known &candidate) { return candidate.computeCapability == version; });
    return entry == known.end() ? std::nullopt : std::optional(entry->limits);
}

std::optional<Occupancy> occupancy(const SmLimits &limits, const KernelShape &kernel)
{
    if (!isPossible(kernel))
        return std::nullopt;
    const std::int64_t warps = roundedUp(kernel.threadsPerBlock, threadsPerWarp) / threadsPerWarp;
    const std::array<std::pair<Occupancy::Limit, std::int64_t>, 4> blocks{{
        {Occupancy::Threads, limits.warps / warps},
        {Occupancy::Blocks, limits.blocks},
        {Occupancy::Registers, blocksByRegisters(limits, warps, kernel.registersPerThread)},
        {Occupancy::SharedMemory, blocksBySharedMemory(limits, kernel.sharedBytes)},
    }};
    const auto *const scarcest =
        std::min_element(blocks.begin(), blocks.end(),
                         [](const auto &first, const auto &second) { return first.second < second.second; });
    if (scarcest->second == 0)
        return std::nullopt;
    return Occupancy{.blocksPerSm = static_cast<int>(scarcest->second),
                     .residentThreads = static_cast<int>(scarcest->second * kernel.threadsPerBlock),
                     .limitedBy = scarcest->first};
}

} // namespace stagecraft::stagefile
