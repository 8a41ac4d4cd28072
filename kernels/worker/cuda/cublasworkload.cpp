// SPDX-License-Identifier: MIT
#include "cublasworkload.h"

#include <algorithm>
#include <limits>

namespace stagecraft::worker {

namespace {

// What cuBLAS itself would take on Hopper, and more than on any GPU before.
constexpr std::size_t workspaceBytes = 32u << 20;

CublasHandle createHandle()
{
    const LibraryState &state = cublas().state;
    if (!state.available)
        throw WorkerError(protocol::error::unavailable, "cuBLAS: " + state.reason, state.fix);
    cublasHandle_t handle = nullptr;
    STAGECRAFT_CHECK(cublas().create(&handle));
    return CublasHandle(handle);
}

int narrow(std::int64_t dim)
{
    if (dim > std::numeric_limits<int>::max())
        throw WorkerError(protocol::error::invalid,
                          "cuBLAS takes dims up to 2147483647 here, one is " + std::to_string(dim),
                          "choose smaller dims");
    return static_cast<int>(dim);
}

class CublasMatmul final : public Workload
{
public:
    CublasMatmul(const operations::Dims &dims, const Gpu &gpu, const DeviceArrays &arrays)
        : m_m(narrow(dims.at(0))),
          m_n(narrow(dims.at(1))),
          m_k(narrow(dims.at(2))),
          m_a(pointer(arrays.inputs.at(0))),
          m_b(pointer(arrays.inputs.at(1))),
          m_out(pointer(arrays.output)),
          m_workspace(workspaceBytes),
          m_handle(createHandle())
    {
        STAGECRAFT_CHECK(
            cublas().setMathMode(m_handle.get(), CUBLAS_DEFAULT_MATH)); // TF32 is opt-in, and not asked for
        STAGECRAFT_CHECK(cublas().setStream(m_handle.get(), gpu.stream()));
        // After the stream: setting one returns the handle to cuBLAS's own workspace.
        STAGECRAFT_CHECK(cublas().setWorkspace(m_handle.get(), pointer(m_workspace), workspaceBytes));
    }

    void enqueue() override
    {
        // Row-major out = a·b is column-major outᵀ = bᵀ·aᵀ, and a row-major matrix is its transpose in column-major.
        STAGECRAFT_CHECK(cublas().sgemm(m_handle.get(), CUBLAS_OP_N, CUBLAS_OP_N, m_n, m_m, m_k, &m_one, m_b, m_n, m_a,
                                        m_k, &m_zero, m_out, m_n));
    }

    std::string arithmetic() const override { return "fp32"; }
    std::string note() const override
    {
        return "cuBLAS " + cublas().state.version + ", FP32 without TF32, workspace " +
               std::to_string(workspaceBytes >> 20) + " MiB";
    }

private:
    static float *pointer(const DeviceBuffer &buffer) { return reinterpret_cast<float *>(buffer.address()); }

    int m_m, m_n, m_k;
    const float *m_a, *m_b;
    float *m_out;
    const float m_one = 1, m_zero = 0;
    DeviceBuffer m_workspace;
    CublasHandle m_handle; // after the workspace, so that it goes first
};

} // namespace

std::unique_ptr<Workload> prepareCublasMatmul(const operations::Dims &dims, const Gpu &gpu, const DeviceArrays &arrays)
{
    return std::make_unique<CublasMatmul>(dims, gpu, arrays);
}

} // namespace stagecraft::worker
