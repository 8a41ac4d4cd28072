// SPDX-License-Identifier: MIT
#include "countedkernels.h"

#include <utility>

namespace stagecraft::capture {

std::optional<Refusal> joinCounters(const std::vector<protocol::KernelRecord> &recorded, CounterReading reading,
                                    protocol::CountersResult &result)
{
    if (reading.kernels.size() != recorded.size())
        return Refusal{"the call launched " + std::to_string(recorded.size()) + " kernels when it was recorded and " +
                           std::to_string(reading.kernels.size()) + " when they were counted",
                       "count a call that launches the same kernels each time"};
    result.replayMode = replayMode;
    result.passes = reading.passes;
    result.metrics = std::move(reading.metrics);
    result.missing = std::move(reading.missing);
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const protocol::KernelRecord &one = recorded[i];
        result.kernels.push_back({one.kernelName, one.grid, one.block, one.registersPerThread, one.sharedMemBytes,
                                  std::move(reading.kernels[i])});
    }
    return std::nullopt;
}

} // namespace stagecraft::capture
