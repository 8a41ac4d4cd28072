// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figure.h"

#include <QRectF>

class QPainter;

namespace stagecraft::widgets {

// A place of the drawn figure that answers to the pointer and to tests: which bar, where.
struct FigureHit
{
    QRectF area; // of the bar's row
    QRectF bar;  // the drawn bar itself; empty where a state stands in its place
    int rowIndex = 0, panelIndex = 0, barIndex = 0;
    QString toolTip; // of the bar, with the label in full where it was shortened
};

// A text of the drawn figure: no two areas overlap, none leaves the figure.
struct FigureText
{
    QString text; // as drawn
    QString full; // before it was shortened to its place
    QRectF area;
};

struct FigureGeometry
{
    QSizeF size;
    QList<FigureHit> hits;
    QList<FigureText> texts;
};

// The size and the places that paintFigure will use, in figure units (CSS pixels at scale 1).
FigureGeometry layoutFigure(const Figure &figure, Layout layout);

// Draws into the painter from (0, 0) in figure units; the caller scales. The family is textFamily() of theme.h.
// Any thread once a QGuiApplication exists.
void paintFigure(QPainter &painter, const Figure &figure, Layout layout, Theme theme);

} // namespace stagecraft::widgets
