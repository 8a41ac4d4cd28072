// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

// What an entry of comparison-counters.json may hold: more is refused where it is read, and by a run where a worker
// sends it.
namespace stagecraft::evidence {

// Far beyond what a run asks for; and of one call what the instruments here count (kernels/capture/counterprofiler.h).
inline constexpr qsizetype mostMetrics = 1'000, mostCountedKernels = 512;

// A rate and its peak are counted at slightly different times, so a little more than all of a peak can be told.
inline constexpr double mostPeakPercent = 200;

// Counters have 64 bits, rates and ratios less; sums of values up to here stay finite.
inline constexpr double mostCounterValue = 1e30;

// "smsp__inst_executed.sum": 1 to 200 printable characters of ASCII without a space.
bool isMetricName(const QString &name);

} // namespace stagecraft::evidence
