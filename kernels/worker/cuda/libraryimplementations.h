// SPDX-License-Identifier: MIT
#pragma once

#include "workload.h"

#include <memory>

namespace stagecraft::worker {

// An operation as a library computes it.
struct LibraryOperation
{
    std::string operation;
    std::unique_ptr<Workload> (*prepare)(const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies);
};

// One of NVIDIA's libraries as an implementation.
struct LibraryImplementation
{
    std::string id;      // "cublas"
    std::string library; // "cuBLAS"
    std::string note;
    const LibraryState &(*state)(); // loads the library at the first call
    std::vector<LibraryOperation> operations;
};

const std::vector<LibraryImplementation> &libraryImplementations();

// Throws WorkerError: unavailable where there is no such implementation or it does not compute the operation, and what
// its prepare function throws.
std::unique_ptr<Workload> prepareLibrary(const std::string &implementation, const std::string &operation,
                                         const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies);

} // namespace stagecraft::worker
