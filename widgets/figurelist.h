// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurescene.h"

// Words and values below a ladder's bars: in columns where there is room, else below each other.
namespace stagecraft::widgets {

struct BlockPlace
{
    QPointF topLeft;
    double width = 0;
    int rowIndex = 0, panelIndex = 0; // of the hits
};

// The columns that all lists of a figure share, so that values stand below each other from list to list.
struct ListColumns
{
    double title = 0, metric = 0, value = 0, factor = 0, against = 0;
};
ListColumns listColumns(const QList<FigureLadder> &ladders, double width);

// Returns the height taken.
double layoutList(FigureScene &scene, const FigureList &list, const BlockPlace &place, const ListColumns &columns);

// Title and, behind it where the line has room, what explains it. Returns the height taken.
double layoutBlockHeading(FigureScene &scene, const QString &title, const QString &subtitle, const BlockPlace &place);

} // namespace stagecraft::widgets
