// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"

// Whether a stage can be used for given dims on a given GPU, and the grid that its launches then have.
namespace stagecraft::stagefile {

// The GPU as far as a stage's front matter can ask for it.
struct GpuFacts
{
    int computeMajor = 0, computeMinor = 0;
    int smCount = 0;
};

// Why the stage cannot compute these dims (its `requires`, or a grid beyond CUDA's limits), as a sentence; nullopt if
// it can. The dims must be valid for the stage's operation.
std::optional<std::string> dimsMisfit(const Stage &stage, const operations::Dims &dims, int smCount);

// Why the stage cannot run on this GPU, as a sentence; nullopt if it can.
std::optional<std::string> gpuMisfit(const Stage &stage, const GpuFacts &gpu);

// Why the stage does not compute in the arithmetic that was asked for ("fp32": exact FP32; empty: any will do), as a
// sentence; nullopt if it does.
std::optional<std::string> arithmeticMisfit(const Stage &stage, const std::string &arithmetic);

// The first of the three misfits.
std::optional<std::string> misfit(const Stage &stage, const operations::Dims &dims, const GpuFacts &gpu,
                                  const std::string &arithmetic = {});

// Blocks along x, y and z: a cover is the product of its dims divided by `by`, rounded up, and at least 1; clusters
// round each axis up to their extent. Throws StageError where an axis exceeds CUDA's limit (2^31 − 1, 65535, 65535).
Extent3 gridOf(const Stage &stage, const LaunchSpec &launch, const operations::Dims &dims, int smCount);

// The retained stage furthest along the progression that fits, from stages in the order of stagesOf() (stagefolder.h);
// nullptr where none fits.
const Stage *lastRetained(const std::vector<Stage> &stages, const operations::Dims &dims, const GpuFacts &gpu,
                          const std::string &arithmetic = {});

} // namespace stagecraft::stagefile
