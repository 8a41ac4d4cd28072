// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurepainter.h"
#include "theme.h"

#include <QLineF>
#include <QPolygonF>

// A figure laid out: what stands where, with meanings for colours. The theme and the painter come later, so that one
// layout serves screen, PNG, SVG, hovering and tests. Layers are painted in the order of the lists.
namespace stagecraft::widgets {

struct SceneColor
{
    enum Kind
    {
        Ground,
        Ink,
        Muted,
        Rule,
        Axis,
        Attention,
        Role
    } kind = Ink;
    ColorRole role; // for Role
};

struct SceneLine
{
    QLineF line;
    SceneColor color;
    double width = 1;
    bool halo = false; // edged with the ground, to be seen across a bar
};

struct SceneArea
{
    QPolygonF outline;
    SceneColor color;
};

struct SceneCurve
{
    QPolygonF points;
    SceneColor color;
};

struct SceneText
{
    QString text, full; // as drawn, and before it was shortened
    QPointF baseline;
    QRectF area;
    TextStyle style = TextStyle::Body;
    SceneColor color;
};

// Where the samples of a plot are drawn, for the pointer: index first is at the left edge, value low at the bottom.
struct ScenePlot
{
    int plot = 0; // of the figure's plots
    QRectF area;
    qsizetype count = 0; // samples of its longest series
    qsizetype first = 0, last = 0;
    double low = 0, high = 1;

    QPointF place(double index, double value) const
    {
        const double width = double(last - first);
        return {area.left() + (width > 0 ? (index - double(first)) / width : 0.5) * area.width(),
                area.bottom() - qBound(0.0, (value - low) / (high - low), 1.0) * area.height()};
    }
    double indexAt(double x) const { return double(first) + (x - area.left()) / area.width() * double(last - first); }
};

struct FigureScene
{
    QSizeF size;
    QList<SceneLine> grid;
    QList<SceneArea> areas; // bars and distributions
    QList<SceneCurve> curves;
    QList<SceneLine> marks; // whiskers
    QList<SceneText> texts;
    QList<FigureHit> hits;
    QList<ScenePlot> plots;

    // One line in a box of lineHeight(style), aligned left or right in the width and shortened to it; returns the width
    // taken, 0 where nothing fits.
    double addText(const QPointF &topLeft, double width, const QString &text, TextStyle style, SceneColor color,
                   Qt::Alignment alignment = Qt::AlignLeft);
    // As many lines as it takes; returns their height.
    double addParagraph(const QPointF &topLeft, double width, const QString &text, TextStyle style, SceneColor color);
    void addBar(const QRectF &area, const ColorRole &role);
};

// Draws the scene from (0, 0); texts outside the painter's clip are skipped.
void paintScene(QPainter &painter, const FigureScene &scene, Theme theme);

double lineHeight(TextStyle style);
double styledWidth(const QString &text, TextStyle style);

} // namespace stagecraft::widgets
