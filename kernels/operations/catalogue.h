// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The five operations: what each computes, its dimensions and its buffers. Free of Qt and CUDA.
namespace stagecraft::operations {

using Dims = std::vector<std::int64_t>;

enum class ElementType
{
    Float32,
    Uint32
};

// One input array, as kernels take it and as the input directory stores it (little-endian, row-major).
struct BufferSpec
{
    std::string name; // "a", "b", "c", "rowptr", "indices"
    ElementType type = ElementType::Float32;
    std::int64_t elements = 0;

    std::string fileName() const { return name + ".bin"; }
    std::int64_t bytes() const { return elements * 4; }
};

struct Operation
{
    std::string id;                    // "matmul"
    std::string title;                 // "Matrix multiplication"
    std::string formula;               // one line, for tooltips and help
    std::vector<std::string> dimNames; // {"m", "n", "k"}
    Dims defaultDims;
    Dims minimumDims; // 1 everywhere but neighbor's edges, which may be 0
};

// In the order in which every screen and file lists them: matmul, gelu, layernorm, triangle, neighbor.
const std::vector<Operation> &catalogue();

// nullptr for an unknown id.
const Operation *findOperation(std::string_view id);

// Why these dims cannot be used (wrong count, below the minimum, more than the address range of one buffer or than
// uint32 indices can hold), as a sentence that names the dimension; nullopt if they can.
std::optional<std::string> dimsProblem(const Operation &operation, const Dims &dims);

// In the order of a kernel's parameters. The dims must be valid.
std::vector<BufferSpec> inputBuffers(const Operation &operation, const Dims &dims);
std::int64_t outputElements(const Operation &operation, const Dims &dims);

// "1024x1024x1024" and back; nullopt for anything that is not positive or zero decimal integers joined by 'x'.
std::string dimsText(const Dims &dims);
std::optional<Dims> parseDims(std::string_view text);

} // namespace stagecraft::operations
