// SPDX-License-Identifier: MIT
#pragma once

#include "counterprofiler.h"

#include <optional>

namespace stagecraft::capture {

// Counters carry no names: a recorded call of the same launches tells name and shape of each kernel, in their order.
// Fills the result's passes, metrics and kernels; nullopt when done. Else why the two calls do not belong together, and
// nothing is changed.
std::optional<Refusal> joinCounters(const std::vector<protocol::KernelRecord> &recorded, CounterReading reading,
                                    protocol::CountersResult &result);

} // namespace stagecraft::capture
