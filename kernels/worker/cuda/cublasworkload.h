// SPDX-License-Identifier: MIT
#pragma once

#include "workload.h"

#include <memory>

// cuBLAS's FP32 without TF32, with a workspace of this program's own. Both throw WorkerError: unavailable without
// cuBLAS, invalid for dims beyond its 32-bit interface, failed otherwise. note() says what a call consists of.
namespace stagecraft::worker {

std::unique_ptr<Workload> prepareCublasMatmul(const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies);

// A strided batch of matrix multiplications, one for each channel. cuBLAS needs one unit stride in every matrix, and
// the one of an (n, n, channels) array is the channel's: so a and b are transposed to (channels, n, n) before and the
// result back after it. These layout changes are part of the call, and their kernels of its kernel time.
std::unique_ptr<Workload> prepareCublasTriangle(const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies);

} // namespace stagecraft::worker
