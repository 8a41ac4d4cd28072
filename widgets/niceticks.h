// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

// Axes with steps of 1, 2 or 5 times a power of ten.
namespace stagecraft::widgets {

struct Ticks
{
    double step = 0;
    QList<double> values; // ascending
    int decimals = 0;     // that tell the values apart; −1: each has as many as it needs

    QString text(qsizetype index) const;
};

// At most `count` ticks (2 or more) in 0…maximum, no closer than leastStep (1 for things that are counted). A maximum
// that is not positive and finite, or below the least step, gives the single tick 0.
Ticks niceTicks(double maximum, int count, double leastStep = 0);

// For an axis that need not start at zero: from the last tick at or below `low` to the first at or above `high`, at
// least two and at most `count` (3 or more) of them. Both finite, low ≤ high, not negative.
Ticks niceTicksAround(double low, double high, int count);

// For a logarithmic axis of ratios, around `low` to `high` (finite, 0 < low ≤ high): as above where the one is at most
// twice the other, else powers of two, or of one of its powers.
Ticks niceRatioTicks(double low, double high, int count);

// The smallest nice number at or above the maximum: the end of an axis that closes with a tick.
double niceCeiling(double maximum, int count);

} // namespace stagecraft::widgets
