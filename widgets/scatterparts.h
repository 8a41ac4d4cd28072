// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figure.h"

// The logarithmic scales of a scatter figure. Internal to the widgets.
namespace stagecraft::widgets {

struct DecadeScale
{
    double low = 0, high = 0; // 0 < low < high
    QList<double> ticks;      // powers of ten, and where there are few, twice and five times those

    double part(double value) const; // of the scale's length, 0 to 1
};

// Both scales hold all markers and the levels; a quarter of a decade is free around them.
struct ScatterRange
{
    DecadeScale x, y;
    double highestLevel = 0; // at which slopes end; the top of the scale where there is no level
    double steepest = 0;     // of the slopes; 0: there are none
    bool isEmpty() const { return !(x.high > x.low) || !(y.high > y.low); }
};
ScatterRange scatterRange(const FigureScatter &scatter);

bool isPositive(const std::optional<double> &value); // and finite: has a place on a logarithmic scale
bool isDrawn(const FigureScatterItem &item);         // has a height and a marker

QString decadeText(double value); // "0.01", "1000", "1e+06"

// Where texts that want to stand there stand: in the order of their places, none over another, as near as that allows.
QList<double> spreadTexts(QList<double> wanted, double top, double bottom, double height);

} // namespace stagecraft::widgets
