// SPDX-License-Identifier: GPL-3.0-or-later
// A libcusparse whose SpMM multiplies on the CPU, and only with what was preprocessed for that algorithm and buffer.
// STAGECRAFT_FAKE_CUSPARSE says of the three algorithms for CSR, in order and comma-separated, how many µs each takes,
// or "fails". STAGECRAFT_FAKE_CUSPARSE_EMPTY says what becomes of a matrix without entries: "refused" when it is
// described, "unwritten" when it is multiplied. STAGECRAFT_FAKE_CUSPARSE_RESULT is "nan" where every result is to be
// one.
#include "fakelibrary.h"

#include <array>
#include <bit>
#include <cusparse.h>
#include <vector>

namespace {

struct Handle
{
    cudaStream_t stream = nullptr;
};

struct Sparse
{
    std::int64_t rows = 0, columns = 0, entries = 0;
    const std::int32_t *offsets = nullptr, *indices = nullptr;
    const float *values = nullptr;
    // Of the preprocessing, which the real one keeps here too.
    mutable int algorithm = -1;
    mutable const void *buffer = nullptr;

    bool sound() const
    {
        if (!fakelibrary::holds(offsets, (rows + 1) * 4) || !fakelibrary::holds(indices, entries * 4) ||
            !fakelibrary::holds(values, entries * 4) || offsets[0] != 0 || offsets[rows] != entries)
            return false;
        for (std::int64_t i = 0; i < entries; ++i) {
            if (indices[i] < 0 || indices[i] >= columns)
                return false;
        }
        return true;
    }
};

using Dense = fakelibrary::Matrix<float>;

const Sparse &of(cusparseConstSpMatDescr_t matrix)
{
    return *reinterpret_cast<const Sparse *>(matrix);
}

const Dense &of(cusparseConstDnMatDescr_t matrix)
{
    return *reinterpret_cast<const Dense *>(matrix);
}

bool environmentIs(const char *name, const std::string &value)
{
    const char *text = std::getenv(name);
    return text && text == value;
}

constexpr std::array csrAlgorithms{CUSPARSE_SPMM_CSR_ALG2, CUSPARSE_SPMM_CSR_ALG1, CUSPARSE_SPMM_CSR_ALG3};

// What the environment says of an algorithm; empty where it is none for CSR.
std::string wordFor(cusparseSpMMAlg_t algorithm)
{
    const char *text = std::getenv("STAGECRAFT_FAKE_CUSPARSE");
    std::istringstream stream(text ? text : "12.5,20,30");
    for (const cusparseSpMMAlg_t one : csrAlgorithms) {
        std::string word;
        std::getline(stream, word, ',');
        if (one == algorithm)
            return word;
    }
    return {};
}

std::size_t bufferBytes(cusparseSpMMAlg_t algorithm)
{
    return 100 * static_cast<std::size_t>(algorithm);
}

cusparseStatus_t makeDense(cusparseDnMatDescr_t *matrix, std::int64_t rows, std::int64_t columns, std::int64_t ld,
                           float *values, cudaDataType type, cusparseOrder_t order)
{
    if (type != CUDA_R_32F)
        return CUSPARSE_STATUS_INVALID_VALUE;
    auto *dense = fakelibrary::made<Dense>();
    *dense = {values, rows, columns, ld, order == CUSPARSE_ORDER_ROW};
    *matrix = reinterpret_cast<cusparseDnMatDescr_t>(dense);
    return dense->sound() ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

// What SpMM and its companions are all given.
struct Request
{
    cusparseOperation_t opA, opB;
    const void *alpha;
    cusparseConstSpMatDescr_t a;
    cusparseConstDnMatDescr_t b;
    const void *beta;
    cusparseDnMatDescr_t c;
    cudaDataType type;
    cusparseSpMMAlg_t algorithm;

    bool sound() const
    {
        return opA == CUSPARSE_OPERATION_NON_TRANSPOSE && opB == CUSPARSE_OPERATION_NON_TRANSPOSE &&
               *static_cast<const float *>(alpha) == 1 && *static_cast<const float *>(beta) == 0 &&
               type == CUDA_R_32F && of(a).sound() && of(b).sound() && of(c).sound() && of(a).columns == of(b).rows &&
               of(a).rows == of(c).rows && of(b).columns == of(c).columns && !wordFor(algorithm).empty();
    }

    void note(const char *function) const { fakelibrary::note(function, "CSR", static_cast<int>(algorithm)); }
};

void multiply(const Sparse &a, const Dense &b, const Dense &c)
{
    for (std::int64_t row = 0; row < a.rows; ++row) {
        for (std::int64_t column = 0; column < c.columns; ++column) {
            double sum = 0;
            for (std::int32_t i = a.offsets[row]; i < a.offsets[row + 1]; ++i)
                sum += double(a.values[i]) * double(b.at(a.indices[i], column));
            c.at(row, column) = static_cast<float>(sum);
        }
    }
}

// The one NaN that a GPU's FP32 arithmetic gives.
void fillWithNan(const Dense &c)
{
    for (std::int64_t row = 0; row < c.rows; ++row) {
        for (std::int64_t column = 0; column < c.columns; ++column)
            c.at(row, column) = std::bit_cast<float>(0x7fffffffu);
    }
}

} // namespace

extern "C" {

const char *CUSPARSEAPI cusparseGetErrorName(cusparseStatus_t status)
{
    return status == CUSPARSE_STATUS_NOT_SUPPORTED ? "CUSPARSE_STATUS_NOT_SUPPORTED" : "CUSPARSE_STATUS_MADE_UP";
}

const char *CUSPARSEAPI cusparseGetErrorString(cusparseStatus_t)
{
    return "made up";
}

cusparseStatus_t CUSPARSEAPI cusparseGetProperty(libraryPropertyType type, int *value)
{
    *value = type == MAJOR_VERSION ? 12 : type == MINOR_VERSION ? 6 : 3;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t CUSPARSEAPI cusparseCreate(cusparseHandle_t *handle)
{
    *handle = reinterpret_cast<cusparseHandle_t>(fakelibrary::made<Handle>());
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t CUSPARSEAPI cusparseDestroy(cusparseHandle_t handle)
{
    fakelibrary::destroyed(reinterpret_cast<Handle *>(handle));
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t CUSPARSEAPI cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream)
{
    reinterpret_cast<Handle *>(handle)->stream = stream;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t CUSPARSEAPI cusparseCreateConstCsr(cusparseConstSpMatDescr_t *matrix, std::int64_t rows,
                                                    std::int64_t columns, std::int64_t entries, const void *offsets,
                                                    const void *indices, const void *values,
                                                    cusparseIndexType_t offsetsType, cusparseIndexType_t indicesType,
                                                    cusparseIndexBase_t base, cudaDataType type)
{
    if (offsetsType != CUSPARSE_INDEX_32I || indicesType != CUSPARSE_INDEX_32I || base != CUSPARSE_INDEX_BASE_ZERO ||
        type != CUDA_R_32F || (entries == 0 && environmentIs("STAGECRAFT_FAKE_CUSPARSE_EMPTY", "refused")))
        return CUSPARSE_STATUS_INVALID_VALUE;
    auto *sparse = fakelibrary::made<Sparse>();
    sparse->rows = rows;
    sparse->columns = columns;
    sparse->entries = entries;
    sparse->offsets = static_cast<const std::int32_t *>(offsets);
    sparse->indices = static_cast<const std::int32_t *>(indices);
    sparse->values = static_cast<const float *>(values);
    *matrix = reinterpret_cast<cusparseConstSpMatDescr_t>(sparse);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t CUSPARSEAPI cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix)
{
    fakelibrary::destroyed(&of(matrix));
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t CUSPARSEAPI cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *matrix, std::int64_t rows,
                                                      std::int64_t columns, std::int64_t ld, const void *values,
                                                      cudaDataType type, cusparseOrder_t order)
{
    cusparseDnMatDescr_t made = nullptr;
    const auto status =
        makeDense(&made, rows, columns, ld, static_cast<float *>(const_cast<void *>(values)), type, order);
    *matrix = made;
    return status;
}

cusparseStatus_t CUSPARSEAPI cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, std::int64_t rows, std::int64_t columns,
                                                 std::int64_t ld, void *values, cudaDataType type,
                                                 cusparseOrder_t order)
{
    return makeDense(matrix, rows, columns, ld, static_cast<float *>(values), type, order);
}

cusparseStatus_t CUSPARSEAPI cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix)
{
    fakelibrary::destroyed(&of(matrix));
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t CUSPARSEAPI cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t opA, cusparseOperation_t opB,
                                                     const void *alpha, cusparseConstSpMatDescr_t a,
                                                     cusparseConstDnMatDescr_t b, const void *beta,
                                                     cusparseDnMatDescr_t c, cudaDataType type,
                                                     cusparseSpMMAlg_t algorithm, std::size_t *bytes)
{
    *bytes = bufferBytes(algorithm);
    return Request{opA, opB, alpha, a, b, beta, c, type, algorithm}.sound() ? CUSPARSE_STATUS_SUCCESS
                                                                            : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t CUSPARSEAPI cusparseSpMM_preprocess(cusparseHandle_t, cusparseOperation_t opA, cusparseOperation_t opB,
                                                     const void *alpha, cusparseConstSpMatDescr_t a,
                                                     cusparseConstDnMatDescr_t b, const void *beta,
                                                     cusparseDnMatDescr_t c, cudaDataType type,
                                                     cusparseSpMMAlg_t algorithm, void *buffer)
{
    const Request request{opA, opB, alpha, a, b, beta, c, type, algorithm};
    request.note("cusparseSpMM_preprocess");
    if (!request.sound() || !fakelibrary::holds(buffer, static_cast<std::int64_t>(bufferBytes(algorithm))))
        return CUSPARSE_STATUS_INVALID_VALUE;
    of(a).algorithm = algorithm;
    of(a).buffer = buffer;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t CUSPARSEAPI cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                          const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void *beta, cusparseDnMatDescr_t c, cudaDataType type,
                                          cusparseSpMMAlg_t algorithm, void *buffer)
{
    const Request request{opA, opB, alpha, a, b, beta, c, type, algorithm};
    request.note("cusparseSpMM");
    if (!request.sound() || !reinterpret_cast<Handle *>(handle)->stream || of(a).algorithm != algorithm ||
        of(a).buffer != buffer)
        return CUSPARSE_STATUS_INVALID_VALUE;
    const std::string word = wordFor(algorithm);
    if (word == "fails")
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    fakelibrary::arrays(of(a).values, of(b).values, of(c).values);
    fakelibrary::launch("fake_spmm", std::atof(word.c_str()) / 1000);
    if (environmentIs("STAGECRAFT_FAKE_CUSPARSE_RESULT", "nan"))
        fillWithNan(of(c));
    else if (of(a).entries > 0 || !environmentIs("STAGECRAFT_FAKE_CUSPARSE_EMPTY", "unwritten"))
        multiply(of(a), of(b), of(c));
    return CUSPARSE_STATUS_SUCCESS;
}
}
