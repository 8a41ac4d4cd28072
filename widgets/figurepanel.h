// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurescene.h"

// One panel of horizontal bars: title, bars on a shared zero-based scale, ticks below.
namespace stagecraft::widgets {

struct PanelPlace
{
    QPointF topLeft;
    double width = 0;
    double labelWidth = 0; // the column of bar labels, the same in all panels of a figure
    int rowIndex = 0, panelIndex = 0;
    double floorHeight = 0; // of the floors' texts, the same in panels beside each other: their bars stand level
};

// The label column that all panels share: as wide as the longest label, at most two fifths of the panel.
double panelLabelWidth(const Figure &figure, double panelWidth);

// Returns the height taken. A state or flag too long for its bar's row is repeated in full below the ticks: a picture
// has no tool tips.
double layoutPanel(FigureScene &scene, const FigurePanel &panel, const PanelPlace &place);

} // namespace stagecraft::widgets
