// SPDX-License-Identifier: MIT
#pragma once

#include "workload.h"

#include <memory>

namespace stagecraft::worker {

// cuBLAS's FP32 matrix multiplication without TF32, with a workspace of this program's own (its size is in note()).
// Throws WorkerError: unavailable without cuBLAS, invalid for dims beyond its 32-bit interface, failed otherwise.
std::unique_ptr<Workload> prepareCublasMatmul(const operations::Dims &dims, const Gpu &gpu, const DeviceArrays &arrays);

} // namespace stagecraft::worker
