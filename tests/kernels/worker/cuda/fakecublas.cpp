// SPDX-License-Identifier: GPL-3.0-or-later
// A libcublas that multiplies on the CPU, as column-major as the real one, and refuses to without the handle's stream
// and workspace. For use with the made-up libcuda, whose device memory is host memory.
#include <cublas_v2.h>

#include <cstdlib>

namespace {

struct Handle
{
    bool hasStream = false, hasWorkspace = false;
};

Handle *of(cublasHandle_t handle)
{
    return reinterpret_cast<Handle *>(handle);
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
    *handle = reinterpret_cast<cublasHandle_t>(new Handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasDestroy_v2(cublasHandle_t handle)
{
    delete of(handle);
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
    of(handle)->hasWorkspace = workspace && bytes > 0;
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
    if (!of(handle)->hasStream || !of(handle)->hasWorkspace || ta != CUBLAS_OP_N || tb != CUBLAS_OP_N || *beta != 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    for (int column = 0; column < n; ++column) {
        for (int row = 0; row < m; ++row) {
            double sum = 0;
            for (int i = 0; i < k; ++i)
                sum += double(a[row + std::ptrdiff_t(i) * lda]) * double(b[i + std::ptrdiff_t(column) * ldb]);
            c[row + std::ptrdiff_t(column) * ldc] = *alpha * static_cast<float>(sum);
        }
    }
    return CUBLAS_STATUS_SUCCESS;
}
}
