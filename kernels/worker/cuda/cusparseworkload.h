// SPDX-License-Identifier: MIT
#pragma once

#include "workload.h"

#include <memory>

namespace stagecraft::worker {

// neighbor as cuSPARSE's product of a sparse matrix (the graph in CSR with 32-bit indices, the edges' weights its
// values) and a dense row-major one, in FP32: cusparseSpMM by the fastest of its algorithms for CSR that takes a
// row-major matrix, tried here. Buffers and cusparseSpMM_preprocess are readied here too, outside of every span.
// Throws WorkerError: unavailable without cuSPARSE, where no algorithm runs, and where a matrix without edges is not
// computed; invalid for dims beyond its 32-bit indices; failed otherwise.
std::unique_ptr<Workload> prepareCusparseNeighbor(const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies);

} // namespace stagecraft::worker
