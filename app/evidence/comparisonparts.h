// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparison.h"

#include <QSet>

// What compare() is put together from. Internal to this library.
namespace stagecraft::evidence {

// The value that may be compared; nullptr where a state stands in its place. What was throttled was measured.
const Estimate *measuredEstimate(const Value &value);

// Fills in of each row whether it is unchanged and why, its bound and drift, and the drift of each implementation.
void judgeDrift(Comparison &comparison, const Namespace &base, const Namespace &now, const ComparisonOptions &options);

// The row's kernels with their grid, block, registers and shared memory, each once; empty where nothing was captured or
// a record does not say what its kernel takes.
QSet<QString> kernelSignatures(const Namespace &evidence, const ValueRow &row);

// Clocks in nvidia-smi's CSV text of one or several states, lowest to highest: "SM 1980 MHz, memory 3201 MHz". Empty
// where the text names none.
QString clocksText(const QStringList &gpuStates);

} // namespace stagecraft::evidence
