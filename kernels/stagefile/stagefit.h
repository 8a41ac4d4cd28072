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

// The first of the two misfits.
std::optional<std::string> misfit(const Stage &stage, const operations::Dims &dims, const GpuFacts &gpu);

// Blocks along x, y and z: a cover is the product of its dims divided by `by`, rounded up, and at least 1; clusters
// round each axis up to their extent. Throws StageError where an axis exceeds CUDA's limit (2^31 − 1, 65535, 65535).
Extent3 gridOf(const Stage &stage, const LaunchSpec &launch, const operations::Dims &dims, int smCount);

// The retained stage furthest along the progression that fits, from stages in the order of stagesOf() (stagefolder.h);
// nullptr where none fits.
const Stage *lastRetained(const std::vector<Stage> &stages, const operations::Dims &dims, const GpuFacts &gpu);

} // namespace stagecraft::stagefile
