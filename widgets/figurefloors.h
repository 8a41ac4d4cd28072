// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figureaxis.h"

// Floors on a scale of bars: each has its text above the bars, a faint line down from it that pauses behind whatever
// stands in its way, and a firm line across those bars that it is the floor of. A panel and a ladder draw them alike.
namespace stagecraft::widgets {

bool hasFloor(const FigureBar &bar, const QList<FigureLimit> &floors);

// The end of what is drawn of the bar and of its floor's line, as a value: texts stand behind both.
double reachWithFloor(const FigureBar &bar, const QList<FigureLimit> &floors);

// The axis' scale reaches every floor: a tail for each.
QList<AxisTail> floorTails(const QList<FigureLimit> &floors);

// Of the texts of the floors, a line each.
double floorTextsHeight(const QList<FigureLimit> &floors);

// What their lines had no room for at that width: paragraphs to stand below.
QStringList floorNotes(const QList<FigureLimit> &floors, double width);

// The texts, the last line ending at `bottom`, and their lines down to `end`. A text stands beside its line, right of
// it where there is room between `left` and the axis' right end.
void addFloorTexts(FigureScene &scene, const QList<FigureLimit> &floors, const FigureAxis &axis, double left,
                   double bottom, double end);

// The same as a key, where lines cannot lead from the texts to the bars: below each other from `topLeft`. Returns the
// height.
double addFloorKey(FigureScene &scene, const QList<FigureLimit> &floors, const QPointF &topLeft, double width);

// The firm line across the bar's row; none where the bar is not drawn.
void addFloorMark(FigureScene &scene, const FigureBar &bar, const QList<FigureLimit> &floors, const FigureAxis &axis,
                  const AxisSegment &row);

} // namespace stagecraft::widgets
