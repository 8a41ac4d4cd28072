// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurescene.h"

// Which samples of a plot are drawn, how that changes, and what stands at a place. Pure.
namespace stagecraft::widgets {

qsizetype plotSize(const FigurePlot &plot); // samples of its longest series

// The plot's range as far as it has samples; without one, all of them.
PlotRange shownRange(const FigurePlot &plot);

// The range that is `factor` times as wide (below 1: fewer samples) with the sample at index `at` in its place; at
// least ten samples. Absent where that is everything.
std::optional<PlotRange> zoomedRange(const FigurePlot &plot, double factor, double at);
// Moved by so many samples, as far as there are any.
std::optional<PlotRange> pannedRange(const FigurePlot &plot, double samples);
// With the other kind of value scale.
std::optional<PlotRange> refittedRange(const FigurePlot &plot);

// "samples 101 to 200 of 500, round 2"; empty where all are drawn.
QString rangeWords(const FigurePlot &plot);

struct SamplePick
{
    int series = 0;
    qsizetype index = 0;
    bool operator==(const SamplePick &) const = default;
};
// Of the samples drawn in the column of pixels at the position, the one that is nearest to it.
std::optional<SamplePick> nearestSample(const FigurePlot &plot, const ScenePlot &place, const QPointF &position);

// The sample's exact value, its number and its round.
QString sampleReadOut(const FigurePlot &plot, const SamplePick &pick);

QString groupedCount(qint64 count); // "10,000,000"

} // namespace stagecraft::widgets
