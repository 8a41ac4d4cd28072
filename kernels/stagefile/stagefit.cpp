// SPDX-License-Identifier: MIT
#include "stagefit.h"

#include "occupancy.h"
#include "tensormapshape.h"

#include <algorithm>
#include <limits>

namespace stagecraft::stagefile {

namespace {

// CUDA's limits of a grid since compute capability 3.0.
constexpr Extent3 largestGrid{std::numeric_limits<std::int32_t>::max(), 65535, 65535};
constexpr std::array axisNames{'x', 'y', 'z'};

std::int64_t dimValue(const Stage &stage, const std::string &name, const operations::Dims &dims)
{
    const operations::Operation *operation = operations::findOperation(stage.operation);
    const auto &names = operation->dimNames;
    return dims.at(static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
}

std::int64_t blocksToCover(const Stage &stage, const Cover &cover, const operations::Dims &dims)
{
    std::int64_t extent = 1;
    for (const std::string &name : cover.dims) {
        if (__builtin_mul_overflow(extent, dimValue(stage, name, dims), &extent))
            return std::numeric_limits<std::int64_t>::max();
    }
    return std::max<std::int64_t>(1, extent / cover.by + (extent % cover.by != 0));
}

std::int64_t blocksAlong(const Stage &stage, const GridExtent &extent, const operations::Dims &dims, int smCount)
{
    const std::int64_t sms = std::max(1, smCount);
    if (const auto *perSm = std::get_if<PerSm>(&extent))
        return perSm->blocks * sms;
    const Cover &cover = std::get<Cover>(extent);
    const std::int64_t blocks = blocksToCover(stage, cover, dims);
    return cover.perSm ? std::min(blocks, *cover.perSm * sms) : blocks;
}

std::optional<std::string> requirementMisfit(const std::string &name, const DimRequirement &requirement,
                                             std::int64_t value)
{
    const std::string is = name + " is " + std::to_string(value) + ", the stage needs ";
    if (requirement.equals && value != *requirement.equals)
        return is + "exactly " + std::to_string(*requirement.equals);
    if (requirement.min && value < *requirement.min)
        return is + "at least " + std::to_string(*requirement.min);
    if (requirement.max && value > *requirement.max)
        return is + "at most " + std::to_string(*requirement.max);
    if (requirement.multipleOf && value % *requirement.multipleOf != 0)
        return is + "a multiple of " + std::to_string(*requirement.multipleOf);
    return std::nullopt;
}

} // namespace

std::optional<std::string> dimsMisfit(const Stage &stage, const operations::Dims &dims, int smCount)
{
    for (const auto &[name, requirement] : stage.requirements.dims) {
        if (const auto problem = requirementMisfit(name, requirement, dimValue(stage, name, dims)))
            return stage.name() + ": " + *problem + ".";
    }
    try {
        for (const LaunchSpec &launch : stage.launches)
            gridOf(stage, launch, dims, smCount);
    } catch (const StageError &error) {
        return error.what();
    }
    return tensorMapMisfit(stage, dims);
}

namespace {

std::string capabilityText(const GpuFacts &gpu)
{
    return std::to_string(gpu.computeMajor) + "." + std::to_string(gpu.computeMinor);
}

// Dynamic shared memory beyond what a block may have, where that is known.
std::optional<std::string> sharedMisfit(const Stage &stage, const GpuFacts &gpu)
{
    const auto limits = smLimits(capabilityText(gpu));
    if (!limits)
        return std::nullopt;
    for (const LaunchSpec &launch : stage.launches) {
        if (launch.sharedBytes > limits->sharedBytesPerBlock)
            return stage.name() + ": the stage needs " + std::to_string(launch.sharedBytes) +
                   " bytes of shared memory for a block, compute capability " + capabilityText(gpu) + " has " +
                   std::to_string(limits->sharedBytesPerBlock) + ".";
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> gpuMisfit(const Stage &stage, const GpuFacts &gpu)
{
    if (!stage.tensorMaps.empty() && gpu.computeMajor < 9)
        return stage.name() + ": the GPU has compute capability " + capabilityText(gpu) +
               ", tensor maps need at least 9.0.";
    const std::string &architecture = stage.requirements.architecture;
    if (architecture.empty())
        return sharedMisfit(stage, gpu);
    const int needed = std::stoi(architecture.substr(3));
    const int present = 10 * gpu.computeMajor + gpu.computeMinor;
    const bool exact = architecture.back() == 'a';
    if (exact ? present == needed : present >= needed)
        return sharedMisfit(stage, gpu);
    return stage.name() + ": the GPU has compute capability " + capabilityText(gpu) + ", the stage needs " +
           (exact ? "exactly " : "at least ") + std::to_string(needed / 10) + "." + std::to_string(needed % 10) + ".";
}

std::optional<std::string> arithmeticMisfit(const Stage &stage, const std::string &arithmetic)
{
    if (arithmetic.empty() || stage.arithmetic == arithmetic)
        return std::nullopt;
    return stage.name() + ": the stage computes in " + stage.arithmetic + ", " + arithmetic + " was asked for.";
}

std::optional<std::string> misfit(const Stage &stage, const operations::Dims &dims, const GpuFacts &gpu,
                                  const std::string &arithmetic)
{
    if (auto problem = gpuMisfit(stage, gpu))
        return problem;
    if (auto problem = dimsMisfit(stage, dims, gpu.smCount))
        return problem;
    return arithmeticMisfit(stage, arithmetic);
}

Extent3 gridOf(const Stage &stage, const LaunchSpec &launch, const operations::Dims &dims, int smCount)
{
    Extent3 grid{1, 1, 1};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::int64_t blocks = axis < launch.grid.size() ? blocksAlong(stage, launch.grid[axis], dims, smCount) : 1;
        const std::int64_t cluster = launch.cluster[axis];
        if (blocks <= largestGrid[axis])
            blocks += (cluster - blocks % cluster) % cluster;
        if (blocks > largestGrid[axis])
            throw StageError(stage.name() + ": " + launch.entry + " would need " + std::to_string(blocks) +
                             " blocks along " + axisNames[axis] + ", CUDA allows " + std::to_string(largestGrid[axis]) +
                             ".");
        grid[axis] = blocks;
    }
    return grid;
}

const Stage *lastRetained(const std::vector<Stage> &stages, const operations::Dims &dims, const GpuFacts &gpu,
                          const std::string &arithmetic)
{
    const auto fits = [&](const Stage &stage) {
        return stage.status == Status::Retained && !misfit(stage, dims, gpu, arithmetic);
    };
    const auto last = std::find_if(stages.rbegin(), stages.rend(), fits);
    return last == stages.rend() ? nullptr : &*last;
}

} // namespace stagecraft::stagefile
