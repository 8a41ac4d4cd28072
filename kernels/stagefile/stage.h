// SPDX-License-Identifier: MIT
#pragma once

#include "catalogue.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

// A stage as plain values: one version of this project's kernel for an operation, read from one file whose first
// comment is `/* stage { JSON } */`. Free of Qt and CUDA.
namespace stagecraft::stagefile {

// What is wrong with a stage file: its name, the line or the JSON pointer, the cause, and what is expected.
struct StageError : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

using Extent3 = std::array<std::int64_t, 3>;

// Blocks along one grid axis: enough to cover the product of these dims, `by` elements a block (at least one block), or
// as many as `perSm` allows for the multiprocessors of the GPU at hand, where that is fewer: those share the elements.
struct Cover
{
    std::vector<std::string> dims;
    std::int64_t by = 1;
    std::optional<std::int64_t> perSm;
};

// A fixed number of blocks for each multiprocessor of the GPU at hand.
struct PerSm
{
    std::int64_t blocks = 1;
};

using GridExtent = std::variant<Cover, PerSm>;

struct LaunchSpec
{
    std::string entry; // the name of the `extern "C" __global__` function
    Extent3 block{1, 1, 1};
    Extent3 cluster{1, 1, 1};
    std::vector<GridExtent> grid; // one to three, x first
    std::int64_t sharedBytes = 0; // dynamic shared memory; above 48 KB the worker opts in
};

// A tensor map that the host encodes for the entry's `mapN` parameter.
struct TensorMapSpec
{
    std::string buffer; // an input's name or "out"
    std::vector<std::int64_t> box;
    std::string swizzle; // "none", "32B", "64B", "128B"
};

struct DimRequirement
{
    std::optional<std::int64_t> multipleOf, min, max, equals;
};

struct Requirements
{
    std::map<std::string, DimRequirement> dims;
    std::string architecture; // "sm_80": this or newer; "sm_90a": exactly 9.0; empty: any
};

enum class Status
{
    Retained,
    Attempt
};

struct Stage
{
    std::string operation, id; // "matmul", "tiled"
    std::string title, change; // what it is; what changed from the stage before it
    std::string after;         // stage id: the one before it, or (attempt) the one it was compared with
    Status status = Status::Retained;
    std::string label; // short, for a bar: "original"
    std::string arithmetic = "fp32";
    std::vector<LaunchSpec> launches; // in order, all on one stream
    std::int64_t scratchBytes = 0;
    std::vector<TensorMapSpec> tensorMaps;
    Requirements requirements;
    std::map<std::string, double> counts; // countable things: {"shared reads per multiply-add": 2}
    std::string source;                   // where the idea comes from
    std::string localMemory;              // why it uses local memory or spills on purpose; empty: it must not
    std::string text;                     // the whole file, as NVRTC compiles it
    std::string sha256;                   // of text, lower-case hexadecimal
    std::string fileName;                 // "matmul/tiled.cu", never an absolute path

    std::string name() const { return operation + "/" + id; }
};

} // namespace stagecraft::stagefile
