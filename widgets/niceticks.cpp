// SPDX-License-Identifier: GPL-3.0-or-later
#include "niceticks.h"

#include "valuetable.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr double kTolerance = 1e-9; // relative: a maximum of 0.6 has its tick at 3 × 0.2

double niceStep(double maximum, int count)
{
    const double power = std::pow(10.0, std::floor(std::log10(maximum / (count - 1))));
    for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0})
        if (std::floor(maximum / (factor * power) + kTolerance) + 1 <= count)
            return factor * power;
    return 50.0 * power;
}

} // namespace

QString Ticks::text(qsizetype index) const
{
    const double value = values[index];
    if (value == 0)
        return QStringLiteral("0");
    // Beyond these lengths digits alone would fill the axis.
    if (value >= 1e7 || decimals > 5 || decimals < 0)
        return QString::number(value, 'g', 3);
    return displayNumber(value, decimals);
}

Ticks niceTicks(double maximum, int count, double leastStep)
{
    Ticks ticks{.step = 0, .values = {0.0}, .decimals = 0};
    if (!(maximum > 0) || !std::isfinite(maximum))
        return ticks;
    ticks.step = std::max(leastStep, niceStep(maximum, std::max(2, count)));
    const int last = static_cast<int>(std::floor(maximum / ticks.step + kTolerance));
    for (int i = 1; i <= last; ++i)
        ticks.values.append(i * ticks.step);
    ticks.decimals = std::max(0, -static_cast<int>(std::floor(std::log10(ticks.step) + kTolerance)));
    return ticks;
}

Ticks niceTicksAround(double low, double high, int count)
{
    // Equal values have no range; a step of about a hundredth of them still gives an axis. Steps that are too small for
    // the digits of a double would not lead from one end to the other.
    constexpr double leastShare = 1e-9;
    const double range = high > low ? std::max(high - low, high * leastShare) : high > 0 ? high / 100 : 1;
    const double power = std::pow(10.0, std::floor(std::log10(range / (count - 1))));
    Ticks ticks;
    for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0}) {
        ticks.step = factor * power;
        const double first = std::floor(low / ticks.step + kTolerance);
        const double last = std::max(first + 1, std::ceil(high / ticks.step - kTolerance));
        if (last - first + 1 > count)
            continue;
        for (int i = 0; first + i <= last; ++i)
            ticks.values.append((first + i) * ticks.step);
        break;
    }
    ticks.decimals = std::max(0, -static_cast<int>(std::floor(std::log10(ticks.step) + kTolerance)));
    return ticks;
}

Ticks niceRatioTicks(double low, double high, int count)
{
    if (high <= 2 * low)
        return niceTicksAround(low, high, count);
    const double lowest = std::log2(low), highest = std::log2(high);
    for (int stride = 1;; ++stride) {
        const double first = std::floor(lowest / stride + kTolerance), last = std::ceil(highest / stride - kTolerance);
        if (last - first + 1 > count)
            continue;
        Ticks ticks{.step = std::exp2(stride), .values = {}, .decimals = -1};
        for (double power = first; power <= last; ++power)
            ticks.values.append(std::exp2(power * stride));
        return ticks;
    }
}

double niceCeiling(double maximum, int count)
{
    const Ticks ticks = niceTicks(maximum, count);
    return ticks.step > 0 ? std::ceil(maximum / ticks.step - kTolerance) * ticks.step : 1.0;
}

} // namespace stagecraft::widgets
