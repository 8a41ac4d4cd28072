// SPDX-License-Identifier: MIT
#include "libraryimplementations.h"

#include "cublasltworkload.h"
#include "cublasworkload.h"
#include "cusparseworkload.h"

#include <algorithm>

namespace stagecraft::worker {

namespace {

std::string joined(const std::vector<std::string> &words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}

std::string knownIds()
{
    std::vector<std::string> ids{"\"cuda\""};
    for (const LibraryImplementation &known : libraryImplementations())
        ids.push_back('"' + known.id + '"');
    return joined(ids);
}

std::string operationsOf(const LibraryImplementation &implementation)
{
    std::vector<std::string> ids;
    for (const LibraryOperation &one : implementation.operations)
        ids.push_back(one.operation);
    return joined(ids);
}

} // namespace

const std::vector<LibraryImplementation> &libraryImplementations()
{
    static const std::vector<LibraryImplementation> all{
        {"cublas",
         "cuBLAS",
         "FP32 without TF32; triangle as strided batches, with the layout changes that it takes",
         []() -> const LibraryState & { return cublas().state; },
         {{"matmul", prepareCublasMatmul}, {"triangle", prepareCublasTriangle}}},
        {"cublaslt",
         "cuBLASLt",
         "FP32 without TF32; the fastest of the algorithms that its heuristic names, tried before the spans",
         []() -> const LibraryState & { return cublasLt().state; },
         {{"matmul", prepareCublasLtMatmul}}},
        {"cusparse",
         "cuSPARSE",
         "FP32; CSR times dense by the fastest of its algorithms, tried and preprocessed before the spans",
         []() -> const LibraryState & { return cusparse().state; },
         {{"neighbor", prepareCusparseNeighbor}}},
    };
    return all;
}

std::unique_ptr<Workload> prepareLibrary(const std::string &implementation, const std::string &operation,
                                         const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies)
{
    const std::vector<LibraryImplementation> &all = libraryImplementations();
    const auto known = std::ranges::find(all, implementation, &LibraryImplementation::id);
    if (known == all.end())
        throw WorkerError(protocol::error::unavailable,
                          "the CUDA worker has no implementation \"" + implementation + "\"",
                          "its implementations are " + knownIds());
    const auto found = std::ranges::find(known->operations, operation, &LibraryOperation::operation);
    if (found == known->operations.end())
        throw WorkerError(protocol::error::unavailable, known->library + " computes no " + operation + " here",
                          "use " + known->id + " for " + operationsOf(*known));
    return found->prepare(dims, gpu, copies);
}

} // namespace stagecraft::worker
