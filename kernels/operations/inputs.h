// SPDX-License-Identifier: MIT
#pragma once

#include "catalogue.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>

// The bytes that every worker reads for one (operation, dims, seed), and the directory that holds them.
namespace stagecraft::operations {

inline constexpr std::uint64_t defaultSeed = 20260910;
inline constexpr double inputSigma = 0.25;

// What is wrong with an input directory: the file and the cause.
struct InputError : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

struct InputSet
{
    std::string operation;
    Dims dims;
    std::uint64_t seed = defaultSeed;
    std::vector<float> a, b, c;                 // c is empty but for layernorm
    std::vector<std::uint32_t> rowptr, indices; // empty but for neighbor; nodes + 1 and edges entries

    // The raw bytes of the named buffer.
    std::span<const std::byte> bytes(std::string_view bufferName) const;
};

// Counter-based and bit-portable: the same bytes on every machine and compiler (golden hashes are tests).
// Values are near normal with standard deviation inputSigma. The dims must be valid.
InputSet generateInputs(const Operation &operation, const Dims &dims, std::uint64_t seed);

// SHA-256 of each buffer in lower-case hexadecimal, keyed by file name.
std::map<std::string, std::string> hashes(const InputSet &inputs);

// input.json: what the bytes of a directory are of, and how often a program that is told nothing else calls.
struct InputManifest
{
    std::string operation;
    Dims dims;
    std::optional<int> warmup, iterations; // absent where the file says nothing of them
};

// Throws InputError where it is missing, damaged or of dims that the operation cannot have. Keys that are not known are
// passed over.
InputManifest readInputManifest(const std::filesystem::path &directory);

// Replaces input.json alone. Throws InputError.
void writeInputManifest(const std::filesystem::path &directory, const InputManifest &manifest);

// Writes input.json, the buffers, inputs.sha256.json and reference.f64.bin; a directory that already holds them with
// equal hashes is left alone. Throws InputError (no space, no permission), leaving no half-written file behind.
void writeInputDirectory(const std::filesystem::path &directory, const InputSet &inputs, int warmup, int iterations);

// Reads and verifies: file lengths against dims, hashes against inputs.sha256.json where present, CSR consistency for
// neighbor (rowptr ascending from 0 to edges, indices below nodes). Throws InputError.
InputSet readInputDirectory(const std::filesystem::path &directory);

// Whether the directory brings its FP64 result; one that another program made may lack it.
bool hasReference(const std::filesystem::path &directory);

// The FP64 result of the directory; throws InputError where its length is not outputElements.
std::vector<double> readReference(const std::filesystem::path &directory, std::int64_t elements);

} // namespace stagecraft::operations
