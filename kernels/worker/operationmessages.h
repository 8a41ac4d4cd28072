// SPDX-License-Identifier: MIT
#pragma once

#include "backend.h"
#include "reference.h"

// Between operations and messages: what is asked for looked up, what was found told.
namespace stagecraft::worker {

// The operation of this name. Throws WorkerError(error::invalid) where there is none.
const operations::Operation &requireOperation(const std::string &id);

// Throws WorkerError(error::invalid) for dims that the operation cannot have.
void requireDims(const operations::Operation &operation, const operations::Dims &dims);

// What describe says of kernel records where the program wants none.
protocol::CaptureSupport captureNotWanted();

// A comparison with the FP64 reference; figures that are not finite are absent, as JSON has none.
protocol::CheckResult toCheckResult(const operations::Comparison &comparison);

} // namespace stagecraft::worker
