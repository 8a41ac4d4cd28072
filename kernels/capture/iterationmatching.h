// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// From what an instrument recorded to kernels of iterations; free of CUDA.
namespace stagecraft::capture {

// One kernel as the instrument recorded it. Times are nanoseconds of the GPU's clock; 0 is "missing".
struct RawKernel
{
    std::string name; // as the binary has it: C++ names are mangled
    std::uint64_t start = 0, end = 0;
    std::uint32_t correlationId = 0; // of the call that launched it
    std::array<std::int64_t, 3> grid{}, block{};
    int registersPerThread = 0;
    std::int64_t staticSharedBytes = 0, dynamicSharedBytes = 0, localBytesPerThread = 0;
};

// A call into CUDA that was made during an iteration.
struct IterationCall
{
    std::uint32_t correlationId = 0;
    int iteration = 0;
};

struct CapturedKernel
{
    std::string name; // demangled
    double durationUs = 0;
    int iteration = 0;
    std::array<std::int64_t, 3> grid{}, block{};
    int registersPerThread = 0;
    std::int64_t sharedBytes = 0, localBytesPerThread = 0; // shared: static + dynamic
};

struct Recording
{
    std::vector<CapturedKernel> kernels; // by iteration, within one in the order they ran
    std::int64_t dropped = 0;            // lost by the instrument, or the mark of an iteration was
    std::int64_t invalid = 0;            // zero, negative or missing times: left out
    std::int64_t unmatched = 0;          // launched by no call of an iteration: left out
    std::string firstUnmatched;          // the name of the first such kernel
};

// What becomes of kernels that no call of an iteration launched.
enum class Unmatched
{
    LeftOut, // and counted
    Kept,    // as kernels of iteration −1; all kernels are then in the order they ran, whatever their iterations
};

Recording matchToIterations(std::vector<RawKernel> kernels, const std::vector<IterationCall> &calls,
                            Unmatched unmatched = Unmatched::LeftOut);

} // namespace stagecraft::capture
