// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurescene.h"

// The horizontal scale that bars of a panel or a ladder share, with its grid and ticks.
namespace stagecraft::widgets {

struct FigureAxis
{
    double zero = 0, right = 0; // where values start, and where what stands behind them must end
    double maximum = 0;         // the largest value that is drawn; 0: nothing is
    double unitLength = 0;      // figure units per unit of value
    double x(double value) const { return zero + value * unitLength; }
};

// What stands behind the end of a bar: where that end is as a value, and the width its texts need.
struct AxisTail
{
    double reach = 0, width = 0;
};

// Sets maximum and unitLength: the longest scale at which every tail still stands at its bar's end.
void fitAxis(FigureAxis &axis, const QList<AxisTail> &tails);

// One pixel wide at scale 1, from top to bottom at the value's place.
void addGridLine(FigureScene &scene, double x, double top, double bottom, SceneColor::Kind color);

// From top to bottom, where lines of the grid are drawn.
struct AxisSegment
{
    double top = 0, bottom = 0;
};

// Zero line and grid lines in each segment, and tick labels below `bottom`, at most five; the unit stands from `left`
// up to the zero tick, and without one things are counted: ticks are whole. Returns the height taken below `bottom`.
double addAxis(FigureScene &scene, const FigureAxis &axis, const QList<AxisSegment> &segments, double bottom,
               double left, const QString &unit);

} // namespace stagecraft::widgets
