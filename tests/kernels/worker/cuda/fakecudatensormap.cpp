// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor maps of the made-up libcuda: what a real driver demands is demanded, and what was asked for is noted.
#include "fakecuda.h"

#include <cuda.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace {

// As the driver API's page on tensor maps has it, for maps of four-byte elements without interleaving.
bool isAllowed(unsigned rank, const void *address, const cuuint64_t *extents, const cuuint64_t *strides,
               const cuuint32_t *box, const cuuint32_t *elementStrides, CUtensorMapSwizzle swizzle)
{
    constexpr std::uint64_t spans[] = {1u << 30, 32, 64, 128};
    if (rank < 1 || rank > 5 || reinterpret_cast<std::uintptr_t>(address) % 16 != 0)
        return false;
    if (box[0] * 4 % 16 != 0 || box[0] * 4 > spans[swizzle])
        return false;
    std::uint64_t bytes = 4;
    for (unsigned dim = 0; dim < rank; ++dim) {
        if (box[dim] < 1 || box[dim] > 256 || elementStrides[dim] != 1 || extents[dim] < 1)
            return false;
        bytes = dim == 0 ? 4 * extents[0] : strides[dim - 1] * extents[dim];
        if (dim > 0 && (strides[dim - 1] % 16 != 0 || strides[dim - 1] < 4 * extents[0]))
            return false;
    }
    return fakeCudaHolds(address, bytes);
}

template <typename Number>
std::string listText(const Number *numbers, unsigned count)
{
    std::string text;
    for (unsigned i = 0; i < count; ++i)
        text += (i ? "," : "") + std::to_string(numbers[i]);
    return text;
}

} // namespace

extern "C" CUresult CUDAAPI cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                                   void *address, const cuuint64_t *extents, const cuuint64_t *strides,
                                                   const cuuint32_t *box, const cuuint32_t *elementStrides,
                                                   CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                                   CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    const bool asStagesHaveThem =
        type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32 && interleave == CU_TENSOR_MAP_INTERLEAVE_NONE &&
        promotion == CU_TENSOR_MAP_L2_PROMOTION_L2_128B && fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    if (!asStagesHaveThem || reinterpret_cast<std::uintptr_t>(map) % 64 != 0 ||
        !isAllowed(rank, address, extents, strides, box, elementStrides, swizzle))
        return CUDA_ERROR_INVALID_VALUE;
    fakeCudaNote(("tensor map " + listText(extents, rank) + " strides " + listText(strides, rank - 1) + " box " +
                  listText(box, rank) + " swizzle " + std::to_string(swizzle))
                     .c_str());
    std::memcpy(map, &address, sizeof address);
    return CUDA_SUCCESS;
}
