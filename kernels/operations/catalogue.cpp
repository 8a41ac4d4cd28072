// SPDX-License-Identifier: MIT
#include "catalogue.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace stagecraft::operations {

namespace {

// An FP64 reference of as many elements as the largest buffer must still be addressable.
constexpr std::int64_t maximumElements = std::numeric_limits<std::ptrdiff_t>::max() / std::int64_t{sizeof(double)};
constexpr std::int64_t maximumIndex = std::numeric_limits<std::uint32_t>::max();

// The dimensions that each buffer multiplies, by their position: the inputs in order, then the output.
struct BufferShape
{
    const char *name;
    std::vector<std::size_t> extents;
};

std::vector<BufferShape> shapes(const std::string &operation)
{
    if (operation == "matmul")
        return {{"a", {0, 2}}, {"b", {2, 1}}, {"out", {0, 1}}};
    if (operation == "gelu")
        return {{"a", {0, 1}}, {"b", {1}}, {"out", {0, 1}}};
    if (operation == "layernorm")
        return {{"a", {0, 1}}, {"b", {1}}, {"c", {1}}, {"out", {0, 1}}};
    if (operation == "triangle")
        return {{"a", {0, 0, 1}}, {"b", {0, 0, 1}}, {"out", {0, 0, 1}}};
    return {{"a", {0, 1}}, {"b", {2}}, {"rowptr", {0}}, {"indices", {2}}, {"out", {0, 1}}};
}

std::optional<std::int64_t> product(const BufferShape &shape, const Dims &dims)
{
    std::int64_t elements = 1;
    for (const auto extent : shape.extents) {
        if (__builtin_mul_overflow(elements, dims[extent], &elements) || elements > maximumElements)
            return std::nullopt;
    }
    return elements;
}

std::string namesOf(const Operation &operation)
{
    std::string names;
    for (const auto &name : operation.dimNames)
        names += (names.empty() ? "" : ", ") + name;
    return names;
}

std::string extentsText(const Operation &operation, const BufferShape &shape, const Dims &dims)
{
    std::string text;
    for (const auto extent : shape.extents)
        text += (text.empty() ? "" : " × ") + operation.dimNames[extent] + " " + std::to_string(dims[extent]);
    return text;
}

std::optional<std::string> bufferProblem(const Operation &operation, const Dims &dims)
{
    for (const auto &shape : shapes(operation.id)) {
        if (!product(shape, dims))
            return operation.id + ": buffer " + shape.name + " (" + extentsText(operation, shape, dims) +
                   ") is larger than one buffer can be, " + std::to_string(maximumElements) + " elements";
    }
    return std::nullopt;
}

std::optional<std::string> indexProblem(const Operation &operation, const Dims &dims)
{
    if (operation.id != "neighbor")
        return std::nullopt;
    for (const std::size_t i : {0u, 2u}) {
        if (dims[i] > maximumIndex)
            return operation.id + ": " + operation.dimNames[i] + " is " + std::to_string(dims[i]) +
                   ", more than 32-bit indices can number (" + std::to_string(maximumIndex) + ")";
    }
    return std::nullopt;
}

} // namespace

const std::vector<Operation> &catalogue()
{
    static const std::vector<Operation> operations = {
        {"matmul",
         "Matrix multiplication",
         "out[i,j] = Σk a[i,k]·b[k,j]",
         {"m", "n", "k"},
         {1024, 1024, 1024},
         {1, 1, 1}},
        {"gelu",
         "Bias + GELU",
         "x = a[i,j] + b[j]; out[i,j] = ½·x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))",
         {"rows", "width"},
         {4096, 768},
         {1, 1}},
        {"layernorm",
         "LayerNorm",
         "out[i,j] = (a[i,j] − mean_i) / √(variance_i + 1e-5) · b[j] + c[j]",
         {"rows", "width"},
         {4096, 768},
         {1, 1}},
        {"triangle", "Triangle contraction", "out[i,j,c] = Σk a[i,k,c]·b[j,k,c]", {"n", "channels"}, {128, 32}, {1, 1}},
        {"neighbor",
         "Neighbor aggregation",
         "out[i,j] = Σe b[e]·a[indices[e],j], e from rowptr[i] to rowptr[i+1]",
         {"nodes", "width", "edges"},
         {4096, 64, 65536},
         {1, 1, 0}},
    };
    return operations;
}

const Operation *findOperation(std::string_view id)
{
    const auto &operations = catalogue();
    const auto found = std::ranges::find(operations, id, &Operation::id);
    return found == operations.end() ? nullptr : &*found;
}

std::optional<std::string> dimsProblem(const Operation &operation, const Dims &dims)
{
    if (dims.size() != operation.dimNames.size())
        return operation.id + ": takes " + std::to_string(operation.dimNames.size()) + " dimensions (" +
               namesOf(operation) + "), not " + std::to_string(dims.size());
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] < operation.minimumDims[i])
            return operation.id + ": " + operation.dimNames[i] + " is " + std::to_string(dims[i]) +
                   ", the smallest is " + std::to_string(operation.minimumDims[i]);
    }
    if (auto problem = indexProblem(operation, dims))
        return problem;
    return bufferProblem(operation, dims);
}

std::vector<BufferSpec> inputBuffers(const Operation &operation, const Dims &dims)
{
    auto all = shapes(operation.id);
    all.pop_back();
    std::vector<BufferSpec> buffers;
    for (const auto &shape : all) {
        BufferSpec buffer{shape.name, ElementType::Float32, product(shape, dims).value()};
        if (buffer.name == "rowptr")
            buffer.elements += 1;
        if (buffer.name == "rowptr" || buffer.name == "indices")
            buffer.type = ElementType::Uint32;
        buffers.push_back(std::move(buffer));
    }
    return buffers;
}

std::int64_t outputElements(const Operation &operation, const Dims &dims)
{
    return product(shapes(operation.id).back(), dims).value();
}

std::string dimsText(const Dims &dims)
{
    std::string text;
    for (const auto extent : dims)
        text += (text.empty() ? "" : "x") + std::to_string(extent);
    return text;
}

std::optional<Dims> parseDims(std::string_view text)
{
    Dims dims;
    for (;;) {
        const auto part = text.substr(0, text.find('x'));
        std::int64_t extent = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), extent);
        if (error != std::errc() || end != part.data() + part.size() || part.front() == '-')
            return std::nullopt;
        dims.push_back(extent);
        if (part.size() == text.size())
            return dims;
        text.remove_prefix(part.size() + 1);
    }
}

} // namespace stagecraft::operations
