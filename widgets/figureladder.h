// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurelist.h"

// A ladder: a bar a step on one zero-based scale, the factor between neighbours, what changed beside them, and below
// them the lists and repetitions that share no scale with the bars.
namespace stagecraft::widgets {

struct LadderPlace
{
    QPointF topLeft;
    double width = 0;
    double labelWidth = 0; // the column of titles where there is room for one, the same in all ladders of a figure
    ListColumns columns;   // as are those of the lists
    int rowIndex = 0;      // of the hits; steps are panel 0, lists and repetitions follow
};

// Wide ladders have three columns (title, bar, text), narrower ones the text below the bar, and the narrowest
// everything below each other.
enum class LadderForm
{
    ThreeColumns,
    TwoColumns,
    OneColumn
};
LadderForm ladderForm(double width);

// As wide as the longest title or label needs, at most a share of the width; 0 in one column.
double ladderLabelWidth(const QList<FigureLadder> &ladders, double width);

// Returns the height taken.
double layoutLadder(FigureScene &scene, const FigureLadder &ladder, const LadderPlace &place);

} // namespace stagecraft::widgets
