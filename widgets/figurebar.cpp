// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurebar.h"

#include "figurescene.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr double kGap = 2 * kSpacing;
constexpr double kFlagRoom = 20 * kSpacing; // that the scale leaves for flags

} // namespace

bool isDrawable(const std::optional<double> &value)
{
    return value && std::isfinite(*value) && *value >= 0;
}

double barReach(const FigureBar &bar)
{
    if (!isDrawable(bar.value))
        return 0;
    return isDrawable(bar.high) ? std::max(*bar.value, *bar.high) : *bar.value;
}

QString barFlags(const FigureBar &bar)
{
    QStringList parts = bar.flags;
    if (isDrawable(bar.value) && !bar.stateText.isEmpty() && !parts.contains(bar.stateText))
        parts.prepend(bar.stateText);
    return parts.join(QStringLiteral(", "));
}

double barTailWidth(const FigureBar &bar)
{
    const QString flags = barFlags(bar);
    const double flagWidth = flags.isEmpty() ? 0 : kGap + std::min(kFlagRoom, styledWidth(flags, TextStyle::Small));
    return kGap + styledWidth(bar.valueText, TextStyle::Body) + flagWidth;
}

} // namespace stagecraft::widgets
