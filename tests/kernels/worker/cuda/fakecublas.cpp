// SPDX-License-Identifier: GPL-3.0-or-later
// A libcublas that computes on the CPU, as column-major as the real one, and refuses to without the handle's stream and
// workspace, with leading dimensions that are too small, and outside the made-up libcuda's device memory. Of the calls
// of geam those that STAGECRAFT_FAKE_CUBLAS_SKIPPED_GEAMS numbers (",4,5,") do nothing.
#include "fakelibrary.h"

#include <cublas_v2.h>

namespace {

using Input = fakelibrary::Matrix<const float>;
using Output = fakelibrary::Matrix<float>;

constexpr double kernelMilliseconds = 0.0125;

struct Handle
{
    bool hasStream = false, hasWorkspace = false;
    bool ready() const { return hasStream && hasWorkspace; }
};

Handle *of(cublasHandle_t handle)
{
    return reinterpret_cast<Handle *>(handle);
}

char letter(cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N ? 'N' : operation == CUBLAS_OP_T ? 'T' : '?';
}

// The matrix that an operation makes `rows` × `columns`.
Input operand(const float *values, cublasOperation_t operation, std::int64_t rows, std::int64_t columns, int ld)
{
    const bool transposed = operation != CUBLAS_OP_N;
    return {values, transposed ? columns : rows, transposed ? rows : columns, ld, false, transposed};
}

bool isSkippedGeam()
{
    static int calls = 0;
    const char *skipped = std::getenv("STAGECRAFT_FAKE_CUBLAS_SKIPPED_GEAMS");
    const std::string number = "," + std::to_string(++calls) + ",";
    return skipped && std::string(skipped).find(number) != std::string::npos;
}

cublasStatus_t product(const Input &a, const Input &b, const Output &c, std::int64_t depth)
{
    if (!a.sound() || !b.sound() || !c.sound())
        return CUBLAS_STATUS_INVALID_VALUE;
    fakelibrary::multiply(a, b, c, depth);
    return CUBLAS_STATUS_SUCCESS;
}

} // namespace

extern "C" {

const char *CUBLASWINAPI cublasGetStatusName(cublasStatus_t)
{
    return "CUBLAS_STATUS_MADE_UP";
}

cublasStatus_t CUBLASWINAPI cublasGetProperty(libraryPropertyType type, int *value)
{
    *value = 7 + static_cast<int>(type);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasCreate_v2(cublasHandle_t *handle)
{
    *handle = reinterpret_cast<cublasHandle_t>(fakelibrary::made<Handle>());
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasDestroy_v2(cublasHandle_t handle)
{
    fakelibrary::destroyed(of(handle));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    of(handle)->hasStream = stream != nullptr;
    of(handle)->hasWorkspace = false; // as the real one: back to a workspace of its own
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, std::size_t bytes)
{
    fakelibrary::note("cublasSetWorkspace", bytes);
    of(handle)->hasWorkspace = bytes > 0 && fakelibrary::holds(workspace, static_cast<std::int64_t>(bytes));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasSetMathMode(cublasHandle_t, cublasMath_t mode)
{
    return mode == CUBLAS_DEFAULT_MATH ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t CUBLASWINAPI cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m,
                                           int n, int k, const float *alpha, const float *a, int lda, const float *b,
                                           int ldb, const float *beta, float *c, int ldc)
{
    fakelibrary::note("cublasSgemm", letter(ta), letter(tb), m, n, k, lda, ldb, ldc);
    if (!of(handle)->ready() || *alpha != 1 || *beta != 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    fakelibrary::arrays(a, b, c);
    fakelibrary::launch("fake_sgemm", kernelMilliseconds);
    return product(operand(a, ta, m, k, lda), operand(b, tb, k, n, ldb), {c, m, n, ldc}, k);
}

cublasStatus_t CUBLASWINAPI cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb,
                                                      int m, int n, int k, const float *alpha, const float *a, int lda,
                                                      long long strideA, const float *b, int ldb, long long strideB,
                                                      const float *beta, float *c, int ldc, long long strideC,
                                                      int batches)
{
    fakelibrary::note("cublasSgemmStridedBatched", letter(ta), letter(tb), m, n, k, lda, strideA, ldb, strideB, ldc,
                      strideC, batches);
    if (!of(handle)->ready() || *alpha != 1 || *beta != 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    fakelibrary::arrays(a, b, c);
    fakelibrary::launch("fake_sgemm_batched", kernelMilliseconds);
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    for (int i = 0; i < batches && status == CUBLAS_STATUS_SUCCESS; ++i)
        status = product(operand(a + i * strideA, ta, m, k, lda), operand(b + i * strideB, tb, k, n, ldb),
                         {c + i * strideC, m, n, ldc}, k);
    return status;
}

// With beta 0 the second matrix is not read, but where it is the result's it must be laid out like it.
cublasStatus_t CUBLASWINAPI cublasSgeam(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                                        const float *alpha, const float *a, int lda, const float *beta, const float *b,
                                        int ldb, float *c, int ldc)
{
    fakelibrary::note("cublasSgeam", letter(ta), letter(tb), m, n, lda, ldb, ldc);
    const Input from = operand(a, ta, m, n, lda);
    const Output to{c, m, n, ldc};
    const bool inPlace = b == c;
    if (!of(handle)->ready() || *alpha != 1 || *beta != 0 || !from.sound() || !to.sound() || ldb < m ||
        (inPlace && (tb != CUBLAS_OP_N || ldb != ldc)))
        return CUBLAS_STATUS_INVALID_VALUE;
    fakelibrary::launch("fake_sgeam", kernelMilliseconds);
    if (isSkippedGeam())
        return CUBLAS_STATUS_SUCCESS;
    for (int column = 0; column < n; ++column) {
        for (int row = 0; row < m; ++row)
            to.at(row, column) = from.at(row, column);
    }
    return CUBLAS_STATUS_SUCCESS;
}
}
