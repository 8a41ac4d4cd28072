// SPDX-License-Identifier: GPL-3.0-or-later
// A libcublasLt whose heuristic names the algorithms that a test makes up and which multiplies on the CPU.
// STAGECRAFT_FAKE_CUBLASLT lists them, comma-separated: a number is what one takes in µs, "fails" one that does not
// run, "refused" one that the heuristic itself calls unusable, "greedy" one that wants more workspace than there is;
// "none": no algorithm.
#include "fakelibrary.h"

#include <cublasLt.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace {

constexpr std::uint64_t workspaceOfOne = 1024; // times the algorithm's number

struct Handle
{
};

struct Matmul
{
    cublasComputeType_t compute{};
    cudaDataType_t scale{};
};

struct Layout
{
    cudaDataType type{};
    std::int64_t rows = 0, columns = 0, ld = 0;
};

struct Preference
{
    std::uint64_t workspace = 0;
};

std::vector<std::string> algorithms()
{
    const char *text = std::getenv("STAGECRAFT_FAKE_CUBLASLT");
    std::vector<std::string> all;
    std::istringstream stream(text ? text : "12.5");
    for (std::string one; std::getline(stream, one, ',');)
        all.push_back(one);
    return all;
}

const Layout &layout(cublasLtMatrixLayout_t opaque)
{
    return *reinterpret_cast<const Layout *>(opaque);
}

template <typename Float>
fakelibrary::Matrix<Float> matrix(Float *values, cublasLtMatrixLayout_t opaque)
{
    return {values, layout(opaque).rows, layout(opaque).columns, layout(opaque).ld};
}

bool isFp32(cublasLtMatmulDesc_t opaque)
{
    const auto *matmul = reinterpret_cast<const Matmul *>(opaque);
    return matmul->compute == CUBLAS_COMPUTE_32F && matmul->scale == CUDA_R_32F;
}

bool fits(const Layout &a, const Layout &b, const Layout &c)
{
    return a.columns == b.rows && a.rows == c.rows && b.columns == c.columns && a.type == CUDA_R_32F &&
           b.type == CUDA_R_32F && c.type == CUDA_R_32F;
}

} // namespace

extern "C" {

const char *CUBLASWINAPI cublasLtGetStatusName(cublasStatus_t status)
{
    return status == CUBLAS_STATUS_NOT_SUPPORTED ? "CUBLAS_STATUS_NOT_SUPPORTED" : "CUBLASLT_STATUS_MADE_UP";
}

cublasStatus_t CUBLASWINAPI cublasLtGetProperty(libraryPropertyType type, int *value)
{
    *value = 8 + static_cast<int>(type);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasLtCreate(cublasLtHandle_t *handle)
{
    *handle = reinterpret_cast<cublasLtHandle_t>(fakelibrary::made<Handle>());
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasLtDestroy(cublasLtHandle_t handle)
{
    fakelibrary::destroyed(reinterpret_cast<Handle *>(handle));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *description, cublasComputeType_t compute,
                                                     cudaDataType_t scale)
{
    auto *matmul = fakelibrary::made<Matmul>();
    *matmul = {compute, scale};
    *description = reinterpret_cast<cublasLtMatmulDesc_t>(matmul);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description)
{
    fakelibrary::destroyed(reinterpret_cast<Matmul *>(description));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *description, cudaDataType type,
                                                       std::uint64_t rows, std::uint64_t columns, std::int64_t ld)
{
    auto *made = fakelibrary::made<Layout>();
    *made = {type, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns), ld};
    *description = reinterpret_cast<cublasLtMatrixLayout_t>(made);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t description)
{
    fakelibrary::destroyed(reinterpret_cast<Layout *>(description));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
    *preference = reinterpret_cast<cublasLtMatmulPreference_t>(fakelibrary::made<Preference>());
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    fakelibrary::destroyed(reinterpret_cast<Preference *>(preference));
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                                 cublasLtMatmulPreferenceAttributes_t attribute,
                                                                 const void *value, std::size_t bytes)
{
    std::uint64_t &workspace = reinterpret_cast<Preference *>(preference)->workspace;
    if (attribute != CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES || bytes != sizeof workspace)
        return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(&workspace, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t matmul,
                                                           cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                           cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                                           cublasLtMatmulPreference_t preference, int most,
                                                           cublasLtMatmulHeuristicResult_t results[], int *count)
{
    const std::uint64_t workspace = reinterpret_cast<Preference *>(preference)->workspace;
    fakelibrary::note("cublasLtMatmulAlgoGetHeuristic", layout(a).rows, layout(a).columns, layout(b).rows,
                      layout(b).columns, workspace, most);
    if (!isFp32(matmul) || !fits(layout(a), layout(b), layout(d)) || c != d)
        return CUBLAS_STATUS_INVALID_VALUE;
    const std::vector<std::string> all = algorithms();
    if (all.front() == "none")
        return CUBLAS_STATUS_NOT_SUPPORTED;
    *count = std::min(most, static_cast<int>(all.size()));
    for (int i = 0; i < *count; ++i) {
        results[i] = {};
        results[i].algo.data[0] = static_cast<std::uint64_t>(i) + 1;
        const std::string &one = all[static_cast<std::size_t>(i)];
        results[i].workspaceSize = one == "greedy" ? workspace + 1 : workspaceOfOne * results[i].algo.data[0];
        results[i].state = one == "refused" ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_SUCCESS;
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t CUBLASWINAPI cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t matmul, const void *alpha,
                                           const void *a, cublasLtMatrixLayout_t layoutA, const void *b,
                                           cublasLtMatrixLayout_t layoutB, const void *beta, const void *c,
                                           cublasLtMatrixLayout_t layoutC, void *d, cublasLtMatrixLayout_t layoutD,
                                           const cublasLtMatmulAlgo_t *algorithm, void *workspace, std::size_t bytes,
                                           cudaStream_t stream)
{
    const std::uint64_t number = algorithm->data[0];
    const std::string taken = algorithms().at(number - 1);
    const auto left = matrix(static_cast<const float *>(a), layoutA);
    const auto right = matrix(static_cast<const float *>(b), layoutB);
    const auto out = matrix(static_cast<float *>(d), layoutD);
    if (!isFp32(matmul) || !fits(layout(layoutA), layout(layoutB), layout(layoutD)) || !left.sound() ||
        !right.sound() || !out.sound() || c != d || layoutC != layoutD || !stream ||
        *static_cast<const float *>(alpha) != 1 || *static_cast<const float *>(beta) != 0 ||
        bytes < workspaceOfOne * number || !fakelibrary::holds(workspace, static_cast<std::int64_t>(bytes)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (taken == "fails")
        return CUBLAS_STATUS_NOT_SUPPORTED;
    fakelibrary::arrays(a, b, d);
    fakelibrary::launch(("fake_lt_" + std::to_string(number)).c_str(), std::atof(taken.c_str()) / 1000);
    fakelibrary::multiply(left, right, out, layout(layoutA).columns);
    return CUBLAS_STATUS_SUCCESS;
}
}
