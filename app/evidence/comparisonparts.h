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

// The GPU as recorded by files or summary; empty where neither does.
QString gpuOf(const Namespace &evidence);

// What makes two rows one operation: operation, dims and cache state.
QString operationKey(const ValueRow &row);

// The id before any '/': stages measured by name (cuda/ID) are this project's kernels, as `cuda` is.
QString familyOf(const QString &implementation);

// Clocks in nvidia-smi's CSV text of one or several states, lowest to highest: "SM 1980 MHz, memory 3201 MHz". Empty
// where the text names none.
QString clocksText(const QStringList &gpuStates);

} // namespace stagecraft::evidence
