// SPDX-License-Identifier: MIT
#include "tensormapshape.h"

#include <algorithm>

namespace stagecraft::stagefile {

namespace {

constexpr std::uint64_t elementBytes = 4;
constexpr std::uint64_t grain = 16;                                  // bytes of strides and of box rows
constexpr std::uint64_t largestExtent = std::uint64_t{1} << 32;      // elements
constexpr std::uint64_t strideLimit = std::uint64_t{1} << 40;        // bytes, exclusive
constexpr std::array knownSwizzles{"none", "32B", "64B", "128B"};    // as the front matter spells them
constexpr std::array<std::uint64_t, 4> swizzleSpans{0, 32, 64, 128}; // bytes of a box row that it can hold

// The dims of each buffer of floats, outermost first; empty for a name that is none.
operations::Dims arrayDims(const std::string &operation, const std::string &buffer, const operations::Dims &dims)
{
    const bool a = buffer == "a", b = buffer == "b", c = buffer == "c", out = buffer == "out";
    if (operation == "matmul") // m, n, k
        return a     ? operations::Dims{dims[0], dims[2]}
               : b   ? operations::Dims{dims[2], dims[1]}
               : out ? operations::Dims{dims[0], dims[1]}
                     : operations::Dims{};
    if (operation == "triangle") // n, channels
        return a || b || out ? operations::Dims{dims[0], dims[0], dims[1]} : operations::Dims{};
    if (a || out) // rows, width · nodes, width, edges
        return {dims[0], dims[1]};
    if (b)
        return {operation == "neighbor" ? dims[2] : dims[1]};
    return c && operation == "layernorm" ? operations::Dims{dims[1]} : operations::Dims{};
}

std::string listText(const std::vector<std::int64_t> &values)
{
    std::string text;
    for (const std::int64_t value : values)
        text += (text.empty() ? "" : ", ") + std::to_string(value);
    return "[" + text + "]";
}

[[noreturn]] void refuse(const Stage &stage, std::size_t index, const std::string &why)
{
    throw StageError(tensorMapName(stage, index) + ": " + why + ".");
}

void requireArray(const Stage &stage, std::size_t index, const TensorMapShape &shape)
{
    for (const std::uint64_t extent : shape.extents) {
        if (extent < 1 || extent > largestExtent)
            refuse(stage, index,
                   "the array is " + std::to_string(extent) +
                       " elements wide in one dim, 1 to 2^32 are "
                       "possible");
    }
    for (const std::uint64_t stride : shape.strides) {
        if (stride % grain != 0 || stride >= strideLimit)
            refuse(stage, index,
                   "the array's rows are " + std::to_string(stride) +
                       " bytes apart, a multiple of 16 "
                       "below 2^40 is needed: the innermost dim must be a multiple of 4");
    }
}

} // namespace

std::string tensorMapName(const Stage &stage, std::size_t index)
{
    const TensorMapSpec &map = stage.tensorMaps.at(index);
    return stage.name() + ": tensor map " + std::to_string(index) + " (" + map.buffer + ", box " + listText(map.box) +
           ", swizzle " + map.swizzle + ")";
}

std::size_t arrayRank(const operations::Operation &operation, const std::string &buffer)
{
    return arrayDims(operation.id, buffer, operation.minimumDims).size();
}

std::optional<std::string> boxProblem(const TensorMapSpec &map, std::size_t rank)
{
    if (map.box.size() != rank)
        return "has " + std::to_string(map.box.size()) + " entries, but " + map.buffer + " has " +
               std::to_string(rank) + " dims, and one is expected of each, outermost first";
    const std::uint64_t rowBytes = static_cast<std::uint64_t>(map.box.back()) * elementBytes;
    const std::string row = "has a row of " + std::to_string(rowBytes) + " bytes, ";
    if (rowBytes % grain != 0)
        return row + "a multiple of 16 is needed";
    const auto *const known = std::ranges::find(knownSwizzles, map.swizzle);
    const std::uint64_t span = swizzleSpans[static_cast<std::size_t>(known - knownSwizzles.begin())];
    if (span > 0 && rowBytes > span)
        return row + "the swizzle " + map.swizzle + " holds at most " + std::to_string(span) + " (" +
               std::to_string(span / elementBytes) + " floats)";
    return std::nullopt;
}

TensorMapShape tensorMapShape(const Stage &stage, std::size_t index, const operations::Dims &dims)
{
    const TensorMapSpec &map = stage.tensorMaps.at(index);
    const operations::Dims array = arrayDims(stage.operation, map.buffer, dims);
    TensorMapShape shape;
    shape.extents.assign(array.rbegin(), array.rend());
    std::transform(map.box.rbegin(), map.box.rend(), std::back_inserter(shape.box),
                   [](std::int64_t extent) { return static_cast<std::uint32_t>(extent); });
    std::uint64_t bytes = elementBytes;
    for (std::size_t dim = 0; dim + 1 < shape.extents.size(); ++dim)
        shape.strides.push_back(bytes *= shape.extents[dim]);
    requireArray(stage, index, shape);
    return shape;
}

std::optional<std::string> tensorMapMisfit(const Stage &stage, const operations::Dims &dims)
{
    try {
        for (std::size_t index = 0; index < stage.tensorMaps.size(); ++index)
            tensorMapShape(stage, index, dims);
    } catch (const StageError &error) {
        return error.what();
    }
    return std::nullopt;
}

} // namespace stagecraft::stagefile
