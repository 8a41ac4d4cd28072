// SPDX-License-Identifier: MIT
#pragma once

#include "inputs.h"

// The result in FP64, and the comparison that gates every timing.
namespace stagecraft::operations {

inline constexpr double defaultRtol = 1e-4;
inline constexpr double defaultAtol = 1e-4;

// All five operations evaluated in double precision from the float inputs; row-major, outputElements entries.
std::vector<double> reference(const InputSet &inputs);

struct Comparison
{
    bool passed = false;
    double maxAbsError = 0;    // over the finite elements
    double relError = 0;       // ‖out − ref‖ / ‖ref‖; NaN where an element is not finite
    double rtol = defaultRtol; // passed: every element finite and |out − ref| ≤ atol + rtol·|ref|
    double atol = defaultAtol;
    std::int64_t checkedElements = 0;
    std::int64_t finiteElements = 0; // of out
    std::int64_t badElements = 0;
    std::optional<std::int64_t> firstBad; // index of the first element that is out of tolerance or not finite
    float firstBadValue = 0;
    double firstBadReference = 0;
};

// Throws std::invalid_argument where the lengths differ.
Comparison compare(std::span<const float> out, std::span<const double> reference, double rtol = defaultRtol,
                   double atol = defaultAtol);

} // namespace stagecraft::operations
