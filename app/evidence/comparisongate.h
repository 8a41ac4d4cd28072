// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparison.h"

namespace stagecraft::evidence {

// What a build server needs to know of a comparison: may the new namespace take the base's place?
struct GateResult
{
    bool passed = false;
    QStringList failures; // a sentence each: what became slower, or was lost
    // What was judged by less than kernel time and drift, what was slower and within drift or undecided, rounds that
    // failed, and what nobody recorded.
    QStringList remarks;
    QString summary; // one sentence
};

// Fails where a row became slower by more than that and beyond drift (without a known bound by the percentage alone),
// where the new namespace lost what the base has a kernel time or span of (gone, failed, no longer of one series),
// where the two GPUs differ, and where nothing could be judged.
GateResult judgeGate(const Comparison &comparison, double percent);

} // namespace stagecraft::evidence
