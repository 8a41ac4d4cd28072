// SPDX-License-Identifier: MIT
#include "cublasltworkload.h"

#include "algorithmsearch.h"

namespace stagecraft::worker {

namespace {

constexpr std::size_t workspaceBytes = 32u << 20; // as for cuBLAS
constexpr int mostAlgorithms = 32;
constexpr float one = 1, zero = 0;

CublasLtHandle createHandle()
{
    const LibraryState &state = cublasLt().state;
    if (!state.available)
        throw WorkerError(protocol::error::unavailable, "cuBLASLt: " + state.reason, state.fix);
    cublasLtHandle_t handle = nullptr;
    STAGECRAFT_CHECK(cublasLt().create(&handle));
    return CublasLtHandle(handle);
}

MatmulDesc describeMatmul()
{
    cublasLtMatmulDesc_t description = nullptr;
    STAGECRAFT_CHECK(cublasLt().matmulDescCreate(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    return MatmulDesc(description);
}

// Column-major without gaps.
MatrixLayout describeMatrix(std::int64_t rows, std::int64_t columns)
{
    cublasLtMatrixLayout_t layout = nullptr;
    STAGECRAFT_CHECK(cublasLt().matrixLayoutCreate(&layout, CUDA_R_32F, static_cast<std::uint64_t>(rows),
                                                   static_cast<std::uint64_t>(columns), rows));
    return MatrixLayout(layout);
}

MatmulPreference workspaceLimit()
{
    cublasLtMatmulPreference_t preference = nullptr;
    STAGECRAFT_CHECK(cublasLt().matmulPreferenceCreate(&preference));
    MatmulPreference owned(preference);
    STAGECRAFT_CHECK(cublasLt().matmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                             &workspaceBytes, sizeof workspaceBytes));
    return owned;
}

class CublasLtMatmul final : public Workload
{
public:
    CublasLtMatmul(const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies)
        : Workload(copies),
          m_stream(gpu.stream()),
          m_workspace(workspaceBytes),
          m_handle(createHandle()),
          m_matmul(describeMatmul()),
          m_left(describeMatrix(dims.at(1), dims.at(2))),
          m_right(describeMatrix(dims.at(2), dims.at(0))),
          m_result(describeMatrix(dims.at(1), dims.at(0)))
    {
        const std::vector<cublasLtMatmulHeuristicResult_t> found = heuristic();
        std::vector<Candidate> candidates;
        for (const cublasLtMatmulHeuristicResult_t &result : found)
            candidates.push_back({"cuBLASLt's algorithm " + std::to_string(candidates.size() + 1),
                                  [&result] { requireUsable(result); },
                                  [this, &result] {
                                      turn();
                                      multiply(result.algo);
                                  }});
        const SearchOutcome outcome = chooseFastest(candidates, gpu);
        m_algorithm = found[outcome.chosen].algo;
        m_note = "cuBLASLt " + cublasLt().state.version + ", FP32 without TF32; its heuristic named " +
                 std::to_string(found.size()) + " algorithms (at most " + std::to_string(mostAlgorithms) +
                 " were asked for), " + std::to_string(outcome.ran) +
                 " ran and were timed before the spans, fastest was number " + std::to_string(outcome.chosen + 1) +
                 " with a workspace of " + std::to_string(found[outcome.chosen].workspaceSize) + " bytes (at most " +
                 std::to_string(workspaceBytes >> 20) + " MiB)";
    }

    void enqueue() override { multiply(m_algorithm); }

    std::string arithmetic() const override { return "fp32"; }
    std::string note() const override { return m_note; }

private:
    void use(std::size_t copy) override
    {
        const DeviceArrays &arrays = copies()[copy];
        m_a = arrays.inputs[0].pointer();
        m_b = arrays.inputs[1].pointer();
        m_out = arrays.output.pointer();
    }

    // Row-major out = a·b is column-major outᵀ = bᵀ·aᵀ, and a row-major matrix is its transpose in column-major.
    void multiply(const cublasLtMatmulAlgo_t &algorithm)
    {
        STAGECRAFT_CHECK(cublasLt().matmul(m_handle.get(), m_matmul.get(), &one, m_b, m_left.get(), m_a, m_right.get(),
                                           &zero, m_out, m_result.get(), m_out, m_result.get(), &algorithm,
                                           m_workspace.pointer(), workspaceBytes, m_stream));
    }

    static void requireUsable(const cublasLtMatmulHeuristicResult_t &found)
    {
        checkResult(found.state, "cublasLt().matmulAlgoGetHeuristic()");
        if (found.workspaceSize > workspaceBytes)
            throw WorkerError(protocol::error::unavailable,
                              "it wants a workspace of " + std::to_string(found.workspaceSize) + " bytes",
                              "choose other dims");
    }

    std::vector<cublasLtMatmulHeuristicResult_t> heuristic() const
    {
        const MatmulPreference preference = workspaceLimit();
        std::vector<cublasLtMatmulHeuristicResult_t> found(mostAlgorithms);
        int count = 0;
        const cublasStatus_t status = cublasLt().matmulAlgoGetHeuristic(
            m_handle.get(), m_matmul.get(), m_left.get(), m_right.get(), m_result.get(), m_result.get(),
            preference.get(), mostAlgorithms, found.data(), &count);
        if (status == CUBLAS_STATUS_NOT_SUPPORTED || (status == CUBLAS_STATUS_SUCCESS && count < 1))
            throw WorkerError(protocol::error::unavailable, "cuBLASLt's heuristic names no algorithm for these dims",
                              "choose other dims");
        checkResult(status, "cublasLt().matmulAlgoGetHeuristic()");
        found.resize(static_cast<std::size_t>(count));
        return found;
    }

    CUstream m_stream;
    const float *m_a = nullptr, *m_b = nullptr;
    float *m_out = nullptr;
    DeviceBuffer m_workspace;
    CublasLtHandle m_handle; // after the workspace, so that it goes first
    MatmulDesc m_matmul;
    MatrixLayout m_left, m_right, m_result; // bᵀ, aᵀ, outᵀ in column-major
    cublasLtMatmulAlgo_t m_algorithm{};
    std::string m_note;
};

} // namespace

std::unique_ptr<Workload> prepareCublasLtMatmul(const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies)
{
    return std::make_unique<CublasLtMatmul>(dims, gpu, copies);
}

} // namespace stagecraft::worker
