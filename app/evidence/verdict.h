// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "statistics.h"

namespace stagecraft::evidence {

// Whether one implementation is faster than another of the same operation, metric and run (section 6 of the design).
struct Verdict
{
    enum Kind
    {
        Faster, // than the other
        Slower,
        Undecided
    };
    Kind kind = Undecided;
    std::optional<double> medianRatio; // median over the rounds of this ÷ other, paired by round; absent without rounds
    int roundsInFavour = 0, rounds = 0; // rounds in which this one was faster, of those that both have
    bool rangesOverlap = true;          // of the round medians
    std::optional<double> resolution; // the larger of the two own spreads: largest |round median ÷ median of them − 1|
    QString text;                     // one sentence for a table or a tooltip
    QString nextStep;                 // with Undecided: what would decide it
};

// "Different" needs at least five rounds, ranges that do not overlap and a median ratio beyond the resolution. Rounds
// are paired by their index, or by position where they have none: both must come from the same run.
Verdict compareRounds(const Estimate &estimate, const Estimate &other);

} // namespace stagecraft::evidence
