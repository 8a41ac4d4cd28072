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
    QList<double> ratios;               // this ÷ other of each round that both have
    std::optional<double> medianRatio;  // their median; absent without rounds
    int roundsInFavour = 0, rounds = 0; // rounds in which this one was faster, of those that both have
    int roundsAgainst = 0;              // in which the other was
    bool rangesOverlap = true;          // of the round medians
    std::optional<double> resolution; // the larger of the two own spreads: largest |round median ÷ median of them − 1|
    QString why;                      // with Undecided: "fewer than 5 rounds"
    QString text;                     // one sentence for a table or a tooltip
    QString nextStep;                 // with Undecided: what would decide it
};

QString verdictName(Verdict::Kind kind); // "faster", "slower", "undecided"

// What "different" takes, as a sentence for a caption.
QString verdictRule();

// "Different" needs at least five rounds, ranges that do not overlap and a median ratio beyond the resolution,
// whichever of the two it is taken of. Rounds are paired by their index, or by position where they have none: both must
// come from the same run.
Verdict compareRounds(const Estimate &estimate, const Estimate &other);

// The same of a value of two rows, both of which have an estimate. Where the GPU lowered its clocks for either, the
// verdict is Undecided, however clear the ratios are.
Verdict compareRows(const ValueRow &row, const ValueRow &other, Value ValueRow::*metric);

// Why this value (&ValueRow::kernel, &ValueRow::span) of two rows is never one series: another operation, dims, cache
// state, arithmetic or timing source. Empty where they may be compared. What a file does not say is not held against
// it.
QString incomparableReason(const ValueRow &row, const ValueRow &other, Value ValueRow::*metric);

} // namespace stagecraft::evidence
