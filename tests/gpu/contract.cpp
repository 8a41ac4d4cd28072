// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract.h"

#include <cmath>
#include <map>

namespace stagecraft::tests {

namespace {

using operations::Dims;
using operations::InputSet;

InputSet generated(const char *operation, const Dims &dims)
{
    return operations::generateInputs(*operations::findOperation(operation), dims, operations::defaultSeed);
}

// Row r is 0.25 · (r − 2) throughout: values whose sums are exact, so that the variance is 0 in any order of adding.
MadeInputs constantRows(std::int64_t width)
{
    constexpr std::int64_t rows = 9;
    InputSet inputs = generated("layernorm", {rows, width});
    for (std::int64_t i = 0; i < rows * width; ++i)
        inputs.a[static_cast<std::size_t>(i)] = 0.25f * static_cast<float>(i / width - 2);
    return {"constant rows", std::move(inputs)};
}

// A row's first element is what some stages take distances from. Of values from N(0,1) it is the `first` here.
MadeInputs outlierFirst(std::int64_t width, int first)
{
    constexpr std::int64_t rows = 9;
    InputSet inputs = generated("layernorm", {rows, width});
    for (float &value : inputs.a)
        value /= static_cast<float>(operations::inputSigma);
    for (std::int64_t row = 0; row < rows; ++row)
        inputs.a[static_cast<std::size_t>(row * width)] = static_cast<float>(row % 2 == 0 ? first : -first);
    return {std::to_string(first) + " before values of deviation 1", std::move(inputs)};
}

// Every node's row is one value throughout, so each output is its edges' weights times values of whole rows.
MadeInputs constantNeighborRows(std::int64_t width)
{
    constexpr std::int64_t nodes = 50;
    InputSet inputs = generated("neighbor", {nodes, width, 900});
    for (std::int64_t i = 0; i < nodes * width; ++i)
        inputs.a[static_cast<std::size_t>(i)] = 0.25f * static_cast<float>(i / width - 25);
    return {"constant rows", std::move(inputs)};
}

// Where mean of squares less square of mean would cancel to nothing: the variance is 0.0625, the squares are 64.
MadeInputs rowsFarFromZero()
{
    InputSet inputs = generated("layernorm", {7, 768});
    for (float &value : inputs.a)
        value += 8.0f;
    return {"rows far from zero", std::move(inputs)};
}

// Every node has the same neighbour on all of its edges.
MadeInputs duplicateEdges(std::int64_t width)
{
    InputSet inputs = generated("neighbor", {50, width, 900});
    for (std::size_t node = 0; node + 1 < inputs.rowptr.size(); ++node) {
        for (std::uint32_t edge = inputs.rowptr[node]; edge < inputs.rowptr[node + 1]; ++edge)
            inputs.indices[edge] = static_cast<std::uint32_t>(node * 7 % 50);
    }
    return {"duplicate edges", std::move(inputs)};
}

// One node has all the edges, the others none.
MadeInputs oneBusyNode(std::int64_t width)
{
    InputSet inputs = generated("neighbor", {33, width, 500});
    for (std::size_t node = 0; node < inputs.rowptr.size(); ++node)
        inputs.rowptr[node] = node <= 16 ? 0 : 500;
    return {"one node with all edges", std::move(inputs)};
}

// One node has half of all edges, and of the others the i-th has 1/i of what the first of them has.
MadeInputs powerLawDegrees(std::int64_t width)
{
    constexpr std::int64_t nodes = 2000, edges = 40'000, most = 20'000;
    InputSet inputs = generated("neighbor", {nodes, width, edges});
    double weights = 0;
    for (std::int64_t node = 1; node < nodes; ++node)
        weights += 1.0 / static_cast<double>(node);
    double before = 0;
    inputs.rowptr[1] = most;
    for (std::int64_t node = 1; node < nodes; ++node) {
        before += 1.0 / static_cast<double>(node) / weights;
        inputs.rowptr[static_cast<std::size_t>(node + 1)] =
            static_cast<std::uint32_t>(most + std::lround(before * (edges - most)));
    }
    return {"one node with half of the edges, the others' degrees by a power law", std::move(inputs)};
}

} // namespace

const std::vector<Dims> &contractDims(const std::string &operation)
{
    static const std::map<std::string, std::vector<Dims>> all{
        {"matmul",
         {{1, 1, 1},
          {17, 19, 23},
          {1, 33, 65},
          {33, 1, 7},
          {1, 260, 1},
          {260, 1, 1},
          {64, 48, 1},
          {65, 68, 36},
          {129, 127, 130},
          {132, 260, 100}}},
        {"gelu",
         {{1, 1},
          {1, 4},
          {9, 32},
          {5, 64},
          {7, 128},
          {3, 257},
          {1, 1000},
          {1000, 1},
          {255, 3},
          {3, 252},
          {6, 256},
          {5, 2048}}},
        {"layernorm",
         {{1, 1},
          {7, 4},
          {5, 32},
          {9, 64},
          {1, 128},
          {7, 128},
          {3, 257},
          {1, 1000},
          {500, 1},
          {2, 255},
          {3, 252},
          {6, 256},
          {11, 768},
          {5, 2048},
          {5, 4096}}},
        {"triangle", {{1, 1}, {7, 5}, {1, 64}, {33, 1}, {16, 33}, {17, 32}}},
        {"neighbor",
         {{1, 1, 1},
          {7, 9, 0},
          {7, 8, 0},
          {7, 9, 23},
          {7, 8, 23},
          {11, 4, 40},
          {13, 32, 90},
          {1, 64, 100},
          {300, 1, 17},
          {9, 100, 50},
          {50, 64, 1600},
          {20, 128, 300},
          {20, 132, 700},
          {9, 252, 120},
          {10, 256, 150},
          {6, 2048, 40},
          {1000, 3, 5000}}},
    };
    return all.at(operation);
}

std::vector<MadeInputs> madeInputs()
{
    std::vector<MadeInputs> made;
    for (const std::int64_t width : {4, 252, 257, 768, 2048})
        made.push_back(constantRows(width));
    made.push_back(rowsFarFromZero());
    // As far out as any element of such a row can be; and where rows are longer, within the limit that
    // layernorm/two-warps-per-row names.
    for (const std::int64_t width : {4, 252, 256})
        made.push_back(outlierFirst(width, 1000));
    for (const std::int64_t width : {768, 2048})
        made.push_back(outlierFirst(width, 20));
    for (const std::int64_t width : {9, 64}) {
        made.push_back(duplicateEdges(width));
        made.push_back(oneBusyNode(width));
        made.push_back(constantNeighborRows(width));
    }
    for (const std::int64_t width : {4, 32, 128, 252, 256, 2048})
        made.push_back(constantNeighborRows(width));
    for (const std::int64_t width : {32, 64, 256})
        made.push_back(powerLawDegrees(width));
    return made;
}

} // namespace stagecraft::tests
