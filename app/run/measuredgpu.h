// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"
#include "workerfault.h"

namespace stagecraft::run {

// The GPU with this number among what a worker describes; nullptr where it has none, as the host worker, whose device
// is its CPU and has no compute capability, and an external program's, which looks at none.
const protocol::Device *measuredGpu(const protocol::DescribeResult &description, int device);

// Why this worker's times would be of another GPU than the run's, as where a launcher gives each worker a machine of
// its own; nullopt where it is the same one, or the worker describes none.
std::optional<WorkerFault> otherGpuFault(const protocol::DescribeResult &description, const protocol::Device &runs);

} // namespace stagecraft::run
