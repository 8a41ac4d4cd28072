// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"

namespace stagecraft::stagefile {

// A tensor map's array and box as cuTensorMapEncodeTiled takes them: innermost dim first, elements of four bytes.
struct TensorMapShape
{
    std::vector<std::uint64_t> extents; // elements
    std::vector<std::uint64_t> strides; // bytes, of every dim but the innermost
    std::vector<std::uint32_t> box;     // elements
};

// Of stage.tensorMaps[index]: the buffer as its row-major array of these dims, which must be valid for the operation.
// Throws StageError that names the stage, the map, its box and what the hardware demands: a buffer of floats and a box
// of its rank; every stride a multiple of 16 bytes; a box row of whole 16 bytes that is no longer than the swizzle's
// span (source: the CUDA driver API's page on tensor maps).
TensorMapShape tensorMapShape(const Stage &stage, std::size_t index, const operations::Dims &dims);

// "matmul/tma: tensor map 0 (a, box [32, 64], swizzle 128B)".
std::string tensorMapName(const Stage &stage, std::size_t index);

// The first map that these dims do not allow, as a sentence; nullopt where all can be made.
std::optional<std::string> tensorMapMisfit(const Stage &stage, const operations::Dims &dims);

} // namespace stagecraft::stagefile
