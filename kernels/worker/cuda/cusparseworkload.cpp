// SPDX-License-Identifier: MIT
#include "cusparseworkload.h"

#include "algorithmsearch.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <numeric>

namespace stagecraft::worker {

namespace {

constexpr float one = 1, zero = 0;

struct Algorithm
{
    const char *name;
    cusparseSpMMAlg_t id;
};

// The first is the one that NVIDIA recommends for row-major matrices.
constexpr std::array algorithms{
    Algorithm{"CSR_ALG2", CUSPARSE_SPMM_CSR_ALG2},
    Algorithm{"CSR_ALG1", CUSPARSE_SPMM_CSR_ALG1},
    Algorithm{"CSR_ALG3", CUSPARSE_SPMM_CSR_ALG3},
};

void requireIndexable(const operations::Dims &dims)
{
    for (const std::int64_t extent : dims) {
        if (extent > std::numeric_limits<std::int32_t>::max())
            throw WorkerError(protocol::error::invalid,
                              "cuSPARSE's 32-bit indices reach 2147483647, one dim is " + std::to_string(extent),
                              "choose smaller dims");
    }
}

// Its kernels leave their buffers where a row has more entries than the matrix has columns, which takes several edges
// from one node to another: an illegal address instead of a result (cuSPARSE 12.6.3, seen on an H200).
void requireRowsWithinColumns(const operations::Dims &dims, const DeviceArrays &arrays)
{
    std::vector<std::uint32_t> offsets(static_cast<std::size_t>(dims.at(0)) + 1);
    arrays.inputs.at(2).read(std::as_writable_bytes(std::span(offsets)));
    std::adjacent_difference(offsets.begin(), offsets.end(), offsets.begin());
    const std::uint32_t most = *std::max_element(offsets.begin() + 1, offsets.end());
    if (most > dims.at(0))
        throw WorkerError(protocol::error::unavailable,
                          "a node has " + std::to_string(most) + " edges and there are " + std::to_string(dims.at(0)) +
                              " nodes: cuSPARSE takes no row with more entries than columns",
                          "choose a graph with more nodes or fewer edges, or leave cusparse out");
}

CusparseHandle createHandle(const Gpu &gpu)
{
    const LibraryState &state = cusparse().state;
    if (!state.available)
        throw WorkerError(protocol::error::unavailable, "cuSPARSE: " + state.reason, state.fix);
    cusparseHandle_t handle = nullptr;
    STAGECRAFT_CHECK(cusparse().create(&handle));
    CusparseHandle owned(handle);
    STAGECRAFT_CHECK(cusparse().setStream(handle, gpu.stream()));
    return owned;
}

// Of neighbor's inputs, in their order: a, edge weights, row offsets, indices.
SparseMatrix describeGraph(const operations::Dims &dims, const DeviceArrays &arrays)
{
    cusparseConstSpMatDescr_t matrix = nullptr;
    STAGECRAFT_CHECK(cusparse().createConstCsr(
        &matrix, dims.at(0), dims.at(0), dims.at(2), arrays.inputs.at(2).pointer(), arrays.inputs.at(3).pointer(),
        arrays.inputs.at(1).pointer(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    return SparseMatrix(matrix);
}

ConstDenseMatrix describeFeatures(const operations::Dims &dims, const DeviceArrays &arrays)
{
    cusparseConstDnMatDescr_t matrix = nullptr;
    STAGECRAFT_CHECK(cusparse().createConstDnMat(&matrix, dims.at(0), dims.at(1), dims.at(1),
                                                 arrays.inputs.at(0).pointer(), CUDA_R_32F, CUSPARSE_ORDER_ROW));
    return ConstDenseMatrix(matrix);
}

DenseMatrix describeOutput(const operations::Dims &dims, const DeviceArrays &arrays)
{
    cusparseDnMatDescr_t matrix = nullptr;
    STAGECRAFT_CHECK(cusparse().createDnMat(&matrix, dims.at(0), dims.at(1), dims.at(1), arrays.output.pointer(),
                                            CUDA_R_32F, CUSPARSE_ORDER_ROW));
    return DenseMatrix(matrix);
}

// One algorithm on one copy of the arrays with what it keeps: preprocessing leaves its results in the buffer and in the
// sparse matrix's description, so that two of them cannot share these.
class Product
{
public:
    Product(const Algorithm &algorithm, cusparseHandle_t handle, const operations::Dims &dims,
            const DeviceArrays &arrays)
        : m_algorithm(algorithm), m_handle(handle)
    {
        m_graph = describeGraph(dims, arrays);
        m_features = describeFeatures(dims, arrays);
        m_output = describeOutput(dims, arrays);
        std::size_t bytes = 0;
        STAGECRAFT_CHECK(cusparse().spMM_bufferSize(m_handle, plain, plain, &one, m_graph.get(), m_features.get(),
                                                    &zero, m_output.get(), CUDA_R_32F, m_algorithm.id, &bytes));
        m_buffer = DeviceBuffer(bytes);
        STAGECRAFT_CHECK(cusparse().spMM_preprocess(m_handle, plain, plain, &one, m_graph.get(), m_features.get(),
                                                    &zero, m_output.get(), CUDA_R_32F, m_algorithm.id,
                                                    m_buffer.pointer()));
    }

    void enqueue()
    {
        STAGECRAFT_CHECK(cusparse().spMM(m_handle, plain, plain, &one, m_graph.get(), m_features.get(), &zero,
                                         m_output.get(), CUDA_R_32F, m_algorithm.id, m_buffer.pointer()));
    }

    std::size_t bufferBytes() const { return m_buffer.bytes(); }

private:
    static constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

    const Algorithm &m_algorithm;
    cusparseHandle_t m_handle;
    DeviceBuffer m_buffer;
    SparseMatrix m_graph;
    ConstDenseMatrix m_features;
    DenseMatrix m_output;
};

// Every element, over whatever was there: cuSPARSE promises it neither for a matrix without entries nor for all of its
// algorithms.
void requireWritten(Product &product, const Gpu &gpu, const DeviceBuffer &output)
{
    output.poison();
    product.enqueue();
    gpu.wait();
    std::vector<std::uint32_t> words(output.bytes() / sizeof(std::uint32_t));
    output.read(std::as_writable_bytes(std::span(words)));
    if (std::ranges::find(words, poisonBits) != words.end())
        throw WorkerError(protocol::error::unavailable, "it leaves elements of the result unwritten",
                          "choose other dims; a graph needs edges");
}

class CusparseNeighbor final : public Workload
{
public:
    CusparseNeighbor(const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies)
        : Workload(copies), m_handle(createHandle(gpu))
    {
        requireIndexable(dims);
        requireRowsWithinColumns(dims, copies.front());
        std::array<Products, algorithms.size()> tried;
        std::vector<Candidate> candidates;
        for (std::size_t i = 0; i < algorithms.size(); ++i)
            candidates.push_back({std::string("cuSPARSE's ") + algorithms[i].name,
                                  [&, i] { ready(tried[i], algorithms[i], dims, gpu); },
                                  [&, i] {
                                      turn();
                                      tried[i][m_copy].enqueue();
                                  }});
        const SearchOutcome outcome = chooseFastest(candidates, gpu);
        m_products = std::move(tried[outcome.chosen]);
        m_product = &m_products.front();
        m_note = noteOf(outcome, candidates.size());
    }

    void enqueue() override { m_product->enqueue(); }

    std::string arithmetic() const override { return "fp32"; }
    std::string note() const override { return m_note; }

private:
    using Products = std::deque<Product>; // one for each copy

    void use(std::size_t copy) override
    {
        m_copy = copy;
        m_product = m_products.empty() ? nullptr : &m_products[copy]; // none while one is searched for
    }

    void ready(Products &products, const Algorithm &algorithm, const operations::Dims &dims, const Gpu &gpu)
    {
        for (const DeviceArrays &arrays : copies())
            requireWritten(products.emplace_back(algorithm, m_handle.get(), dims, arrays), gpu, arrays.output);
    }

    std::string noteOf(const SearchOutcome &outcome, std::size_t tried) const
    {
        return "cuSPARSE " + cusparse().state.version + ", FP32, SpMM by " + algorithms[outcome.chosen].name +
               ", the fastest of " + std::to_string(outcome.ran) + " that ran of " + std::to_string(tried) +
               " algorithms, timed before the spans; buffer " + std::to_string(m_products.front().bufferBytes()) +
               " bytes, preprocessed before the spans";
    }

    CusparseHandle m_handle;
    Products m_products;
    Product *m_product = nullptr; // the next call's
    std::size_t m_copy = 0;
    std::string m_note;
};

} // namespace

std::unique_ptr<Workload> prepareCusparseNeighbor(const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies)
{
    return std::make_unique<CusparseNeighbor>(dims, gpu, copies);
}

} // namespace stagecraft::worker
