// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurescene.h"

namespace stagecraft::widgets {

// Samples over their index, zero-based, with the distribution of each series beside them. Returns the height taken.
double layoutPlot(FigureScene &scene, const FigurePlot &plot, const QPointF &topLeft, double width);

} // namespace stagecraft::widgets
