// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureaxis.h"

#include "niceticks.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr double kGap = 2 * kSpacing;
constexpr double kTickGap = kSpacing; // between the lowest row and the tick labels
constexpr double kLeastScale = 0.4;   // of the room that the longest bar keeps whatever its texts need
constexpr int kMostTicks = 5;

// Tick labels are centred at their tick, the last one kept inside the room.
double tickLeft(const FigureAxis &axis, const Ticks &ticks, qsizetype index)
{
    const double width = styledWidth(ticks.text(index), TextStyle::Small);
    return std::min(axis.x(ticks.values[index]) - width / 2, axis.right - width);
}

bool ticksFit(const FigureAxis &axis, const Ticks &ticks)
{
    for (qsizetype i = 1; i < ticks.values.size(); ++i) {
        const double end = tickLeft(axis, ticks, i - 1) + styledWidth(ticks.text(i - 1), TextStyle::Small);
        if (end + kGap > tickLeft(axis, ticks, i))
            return false;
    }
    return true;
}

Ticks fittingTicks(const FigureAxis &axis, double leastStep)
{
    Ticks ticks = niceTicks(axis.maximum, kMostTicks, leastStep);
    for (int count = kMostTicks - 1; count >= 2 && !ticksFit(axis, ticks); --count)
        ticks = niceTicks(axis.maximum, count, leastStep);
    if (!ticksFit(axis, ticks))
        ticks.values = {0.0};
    return ticks;
}

} // namespace

void fitAxis(FigureAxis &axis, const QList<AxisTail> &tails)
{
    axis.maximum = 0;
    for (const AxisTail &tail : tails)
        axis.maximum = std::max(axis.maximum, tail.reach);
    if (!(axis.maximum > 0))
        return;
    const double room = axis.right - axis.zero;
    double length = room;
    for (const AxisTail &tail : tails)
        if (tail.reach > 0)
            length = std::min(length, (room - tail.width) * (axis.maximum / tail.reach));
    axis.unitLength = std::max(length, room * kLeastScale) / axis.maximum;
}

// Lines fill one pixel instead of half of two; the zero line stands against the bars' left edge.
void addGridLine(FigureScene &scene, double x, double top, double bottom, SceneColor::Kind color)
{
    const double line = std::round(x) - 0.5;
    scene.grid.append({.line = {line, top, line, bottom}, .color = {color, {}}});
}

double addAxis(FigureScene &scene, const FigureAxis &axis, const QList<AxisSegment> &segments, double bottom,
               double left, const QString &unit)
{
    const double height = kTickGap + lineHeight(TextStyle::Small);
    const auto addLines = [&](double value, SceneColor::Kind color) {
        for (const AxisSegment &segment : segments)
            addGridLine(scene, axis.x(value), segment.top, segment.bottom, color);
    };
    addLines(0, SceneColor::Axis);
    if (!(axis.maximum > 0))
        return height;
    const Ticks ticks = fittingTicks(axis, unit.isEmpty() ? 1 : 0); // counted things: no half launches
    for (qsizetype i = 0; i < ticks.values.size(); ++i) {
        if (i > 0)
            addLines(ticks.values[i], SceneColor::Rule);
        const double tick = tickLeft(axis, ticks, i);
        scene.addText({tick, bottom + kTickGap}, axis.right - tick + 1, ticks.text(i), TextStyle::Small,
                      {SceneColor::Muted, {}});
    }
    scene.addText({left, bottom + kTickGap}, tickLeft(axis, ticks, 0) - kSpacing - left, unit, TextStyle::Small,
                  {SceneColor::Muted, {}});
    return height;
}

} // namespace stagecraft::widgets
