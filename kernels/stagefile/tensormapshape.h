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

// How many dims the operation's array of that name has; 0 where it has no array of floats of that name.
std::size_t arrayRank(const operations::Operation &operation, const std::string &buffer);

// What no dims can mend, as a sentence without its end: a box has as many entries as the array of `rank` dims, and its
// row has whole 16 bytes and is no longer than the swizzle's span (source: the CUDA driver API's page on tensor maps).
std::optional<std::string> boxProblem(const TensorMapSpec &map, std::size_t rank);

// Of stage.tensorMaps[index], as parseStage() accepts it: the buffer as its row-major array of these dims, which must
// be valid for the operation. Throws StageError that names the stage, the map, its box and what the hardware demands of
// the dims: every stride a multiple of 16 bytes, and extents within its limits (same source).
TensorMapShape tensorMapShape(const Stage &stage, std::size_t index, const operations::Dims &dims);

// "matmul/tma: tensor map 0 (a, box [32, 64], swizzle 128B)".
std::string tensorMapName(const Stage &stage, std::size_t index);

// The first map that these dims do not allow, as a sentence; nullopt where all can be made.
std::optional<std::string> tensorMapMisfit(const Stage &stage, const operations::Dims &dims);

} // namespace stagecraft::stagefile
