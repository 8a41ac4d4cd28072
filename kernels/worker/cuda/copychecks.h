// SPDX-License-Identifier: MIT
#pragma once

#include "reference.h"
#include "workload.h"

namespace stagecraft::worker {

struct CheckedOutput
{
    std::vector<float> output;
    operations::Comparison comparison;
};

// One call on each copy of the arrays, every output poisoned before its call and compared after it. What is returned is
// of the worst copy, so that one that is wrong does not go unseen: a failed one if there is one, else the one with the
// largest error.
CheckedOutput checkCopies(Workload &workload, const Gpu &gpu, std::size_t copies, const std::vector<double> &reference);

} // namespace stagecraft::worker
