// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

// What an entry of comparison-counters.json may hold: more is refused where it is read, and by a run where a worker
// sends it.
namespace stagecraft::evidence {

// Far beyond what a run asks for and what one call launches.
inline constexpr qsizetype mostMetrics = 1'000, mostCountedKernels = 10'000;

// Counters have 64 bits, rates and ratios less; sums of values up to here stay finite.
inline constexpr double mostCounterValue = 1e30;

// "smsp__inst_executed.sum": 1 to 200 printable characters of ASCII without a space.
bool isMetricName(const QString &name);

} // namespace stagecraft::evidence
