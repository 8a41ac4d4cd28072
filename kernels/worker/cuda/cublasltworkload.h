// SPDX-License-Identifier: MIT
#pragma once

#include "workload.h"

#include <memory>

namespace stagecraft::worker {

// cuBLASLt's FP32 matrix multiplication without TF32 (CUBLAS_COMPUTE_32F), by the fastest of the algorithms that its
// heuristic names for these dims and a workspace of this program's own: they are tried here, before any span.
// Throws WorkerError: unavailable without cuBLASLt or where no algorithm runs, failed otherwise.
std::unique_ptr<Workload> prepareCublasLtMatmul(const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies);

} // namespace stagecraft::worker
