// SPDX-License-Identifier: MIT
#pragma once

#include "gpu.h"

#include <map>

namespace stagecraft::worker {

// The microbenchmarks (floors/*.cu beside the stages), compiled by NVRTC as stages are, for the GPU that is current.
class FloorKernels
{
public:
    // Throws WorkerError: unavailable without NVRTC or the sources, failed where one does not compile or load.
    explicit FloorKernels(const Gpu &gpu);

    // nullptr where the GPU's architecture lacks it.
    CUfunction find(const std::string &entry) const;

    int blocksPerSm(CUfunction function, unsigned threads) const;

private:
    std::map<std::string, CUfunction> m_functions;
};

} // namespace stagecraft::worker
