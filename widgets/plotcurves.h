// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurescene.h"

// What is drawn of one series of a plot.
namespace stagecraft::widgets {

// The samples as a line: each of them, or the smallest and the largest of each column of pixels, so that no extreme is
// lost and the cost depends on the width alone. Outliers have a mark, what is above the scale an arrow at its edge,
// and what has no value a cross on the axis.
void addCurve(FigureScene &scene, const FigureSeries &series, const ScenePlot &place);

// How often which values occur, as bars to the right on the curve's value scale; those above it are in the last step,
// unless the scale is fitted to what is drawn.
void addDistribution(FigureScene &scene, const FigureSeries &series, const ScenePlot &place, const QRectF &lane);

} // namespace stagecraft::widgets
