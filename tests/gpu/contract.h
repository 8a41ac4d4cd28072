// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inputs.h"

#include <string>
#include <vector>

// What every stage has to be right for.
namespace stagecraft::tests {

// Tile tails, single rows and columns, more than one block with a rest, nothing to add up. In ascending order of work.
const std::vector<operations::Dims> &contractDims(const std::string &operation);

// Inputs that a generator does not come up with.
struct MadeInputs
{
    std::string what; // "constant rows"
    operations::InputSet inputs;
};

// Constant rows, rows far from zero and rows that begin with an outlier for layernorm; constant rows, duplicate edges,
// nodes without edges and degrees by a power law for neighbor.
std::vector<MadeInputs> madeInputs();

} // namespace stagecraft::tests
