// SPDX-License-Identifier: MIT
#include "cublasworkload.h"

#include "cublassession.h"

#include <limits>

namespace stagecraft::worker {

namespace {

constexpr float one = 1, zero = 0;

int narrow(std::int64_t extent)
{
    if (extent > std::numeric_limits<int>::max())
        throw WorkerError(protocol::error::invalid,
                          "cuBLAS takes extents up to 2147483647 here, one is " + std::to_string(extent),
                          "choose smaller dims");
    return static_cast<int>(extent);
}

struct Operands
{
    const float *a = nullptr, *b = nullptr;
    float *out = nullptr;
};

Operands operandsOf(const DeviceArrays &arrays)
{
    return {arrays.inputs.at(0).pointer(), arrays.inputs.at(1).pointer(), arrays.output.pointer()};
}

class CublasMatmul final : public Workload
{
public:
    CublasMatmul(const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies)
        : Workload(copies), m_m(narrow(dims.at(0))), m_n(narrow(dims.at(1))), m_k(narrow(dims.at(2))), m_session(gpu)
    {
    }

    void enqueue() override
    {
        // Row-major out = a·b is column-major outᵀ = bᵀ·aᵀ, and a row-major matrix is its transpose in column-major.
        STAGECRAFT_CHECK(cublas().sgemm(m_session.get(), CUBLAS_OP_N, CUBLAS_OP_N, m_n, m_m, m_k, &one, m_call.b, m_n,
                                        m_call.a, m_k, &zero, m_call.out, m_n));
    }

    std::string arithmetic() const override { return "fp32"; }
    std::string note() const override { return m_session.note(); }

private:
    void use(std::size_t copy) override { m_call = operandsOf(copies()[copy]); }

    int m_m, m_n, m_k;
    Operands m_call;
    CublasSession m_session;
};

class CublasTriangle final : public Workload
{
public:
    CublasTriangle(const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies)
        : Workload(copies),
          m_n(narrow(dims.at(0))),
          m_channels(narrow(dims.at(1))),
          m_plane(narrow(dims.at(0) * dims.at(0))),
          m_session(gpu)
    {
        if (m_channels == 1)
            return; // the two layouts are one
        m_scratch = DeviceBuffer(3 * copies.front().output.bytes());
        const std::ptrdiff_t elements = std::ptrdiff_t{m_plane} * m_channels;
        m_aByChannel = m_scratch.pointer();
        m_bByChannel = m_aByChannel + elements;
        m_outByChannel = m_bByChannel + elements;
    }

    void enqueue() override
    {
        if (m_channels == 1) {
            multiply(m_call.a, m_call.b, m_call.out);
            return;
        }
        // A row-major (plane, channels) array is a column-major matrix of `channels` rows and `plane` columns.
        transpose(m_plane, m_channels, m_call.a, m_aByChannel);
        transpose(m_plane, m_channels, m_call.b, m_bByChannel);
        multiply(m_aByChannel, m_bByChannel, m_outByChannel);
        transpose(m_channels, m_plane, m_outByChannel, m_call.out);
    }

    void poisonScratch() override { m_scratch.poison(); }

    std::string arithmetic() const override { return "fp32"; }

    std::string note() const override
    {
        if (m_channels == 1)
            return m_session.note() + "; 1 call: cublasSgemmStridedBatched (one channel needs no layout change)";
        return m_session.note() +
               "; 4 calls: cublasSgeam of a and of b to channel-major, cublasSgemmStridedBatched over the channels, "
               "cublasSgeam back; scratch " +
               std::to_string(m_scratch.bytes()) + " bytes";
    }

private:
    void use(std::size_t copy) override { m_call = operandsOf(copies()[copy]); }

    // Column-major `to` (rows × columns) = `from`ᵀ. With beta 0 the second matrix is not read; naming the result there
    // is the in-place form, which cuBLAS documents.
    void transpose(int rows, int columns, const float *from, float *to)
    {
        STAGECRAFT_CHECK(cublas().sgeam(m_session.get(), CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, from, columns,
                                        &zero, to, rows, to, rows));
    }

    // For each channel row-major out = a·bᵀ, which is column-major outᵀ = b·aᵀ, with b as cuBLAS sees it transposed.
    void multiply(const float *a, const float *b, float *out)
    {
        const long long stride = m_plane;
        STAGECRAFT_CHECK(cublas().sgemmStridedBatched(m_session.get(), CUBLAS_OP_T, CUBLAS_OP_N, m_n, m_n, m_n, &one, b,
                                                      m_n, stride, a, m_n, stride, &zero, out, m_n, stride,
                                                      m_channels));
    }

    int m_n, m_channels, m_plane; // m_plane: elements of one channel
    Operands m_call;
    CublasSession m_session;
    DeviceBuffer m_scratch;
    float *m_aByChannel = nullptr, *m_bByChannel = nullptr, *m_outByChannel = nullptr; // into m_scratch
};

} // namespace

std::unique_ptr<Workload> prepareCublasMatmul(const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies)
{
    return std::make_unique<CublasMatmul>(dims, gpu, copies);
}

std::unique_ptr<Workload> prepareCublasTriangle(const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies)
{
    return std::make_unique<CublasTriangle>(dims, gpu, copies);
}

} // namespace stagecraft::worker
