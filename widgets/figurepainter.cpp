// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurepainter.h"

#include "figurelayout.h"
#include "tabulartext.h"

#include <QPaintEngine>
#include <QPainter>

#include <algorithm>

namespace stagecraft::widgets {

namespace {

constexpr double kSheetRadius = 2 * kSpacing;

QColor resolve(const SceneColor &color, Theme theme)
{
    const ThemeColors &colors = themeColors(theme);
    switch (color.kind) {
    case SceneColor::Ground:
        return colors.ground;
    case SceneColor::Ink:
        return colors.ink;
    case SceneColor::Muted:
        return colors.muted;
    case SceneColor::Rule:
        return colors.rule;
    case SceneColor::Axis:
        return colors.axis;
    case SceneColor::Attention:
        return colors.attention;
    case SceneColor::Role:
        return roleColor(color.role, theme);
    }
    return colors.ink;
}

// The sheet of the page theme has an edge, since the page around it may be of any colour.
void paintGround(QPainter &painter, const QSizeF &size, Theme theme)
{
    const ThemeColors &colors = themeColors(theme);
    const QRectF sheet(QPointF(), size);
    if (theme != Theme::Page) {
        painter.fillRect(sheet, colors.ground);
        return;
    }
    painter.setPen(QPen(colors.rule, 1));
    painter.setBrush(colors.ground);
    painter.drawRoundedRect(sheet.adjusted(0.5, 0.5, -0.5, -0.5), kSheetRadius, kSheetRadius);
    painter.setBrush(Qt::NoBrush);
}

// What a scrolled view shows of a long figure: the rest need not be painted. A file shows everything.
QRectF visiblePart(const QPainter &painter)
{
    constexpr double farAway = 1e7;
    return painter.hasClipping() ? painter.clipBoundingRect().adjusted(-8, -8, 8, 8)
                                 : QRectF(-farAway, -farAway, 2 * farAway, 2 * farAway);
}

void paintLines(QPainter &painter, const QList<SceneLine> &lines, Theme theme)
{
    for (const SceneLine &line : lines)
        if (line.halo) {
            painter.setPen(QPen(themeColors(theme).ground, line.width + 2, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(line.line);
        }
    for (const SceneLine &line : lines) {
        painter.setPen(QPen(resolve(line.color, theme), line.width, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(line.line);
    }
}

void paintAreas(QPainter &painter, const QList<SceneArea> &areas, Theme theme)
{
    const QRectF visible = visiblePart(painter);
    painter.setPen(Qt::NoPen);
    for (const SceneArea &area : areas) {
        if (!visible.intersects(area.outline.boundingRect()))
            continue;
        painter.setBrush(resolve(area.color, theme));
        painter.drawPolygon(area.outline);
    }
    painter.setBrush(Qt::NoBrush);
}

// On pixels in short pieces: Qt's rasterizer keeps the edges of one path in a list per scan line, which makes the time
// for a long jagged line grow with the square of its length. Where a line is written down, it stays whole.
void paintPolyline(QPainter &painter, const QPolygonF &points)
{
    const bool isPixels = painter.paintEngine()->type() == QPaintEngine::Raster;
    const qsizetype piece = isPixels ? 4 : points.size();
    for (qsizetype start = 0; start + 1 < points.size(); start += piece)
        painter.drawPolyline(points.constData() + start,
                             static_cast<int>(std::min<qsizetype>(piece + 1, points.size() - start)));
    if (points.size() == 1)
        painter.drawPoint(points.first());
}

void paintCurves(QPainter &painter, const QList<SceneCurve> &curves, Theme theme)
{
    const QRectF visible = visiblePart(painter);
    for (const SceneCurve &curve : curves) {
        // A level line has no height; a rectangle without one intersects nothing.
        if (!visible.intersects(curve.points.boundingRect().adjusted(-1, -1, 1, 1)))
            continue;
        // Round ends and joins take three times as long, and nobody sees them at this width.
        painter.setPen(QPen(resolve(curve.color, theme), 1.25, Qt::SolidLine, Qt::SquareCap, Qt::BevelJoin));
        paintPolyline(painter, curve.points);
    }
}

// Grid lines pause behind texts, so that no line crosses a number.
void clearBehindTexts(QPainter &painter, const QList<SceneText> &texts, Theme theme)
{
    const QRectF visible = visiblePart(painter);
    for (const SceneText &text : texts)
        if (visible.intersects(text.area))
            painter.fillRect(text.area.adjusted(-2, 0, 2, 0), themeColors(theme).ground);
}

void paintTexts(QPainter &painter, const QList<SceneText> &texts, Theme theme)
{
    const QRectF visible = visiblePart(painter);
    for (const SceneText &text : texts) {
        if (!visible.intersects(text.area))
            continue;
        painter.setPen(resolve(text.color, theme));
        drawTabular(painter, text.baseline, text.text, textFont(text.style));
    }
}

} // namespace

FigureGeometry layoutFigure(const Figure &figure, Layout layout)
{
    const FigureScene scene = composeFigure(figure, layout);
    FigureGeometry geometry{.size = scene.size, .hits = scene.hits, .texts = {}};
    for (const SceneText &text : scene.texts)
        geometry.texts.append({.text = text.text, .full = text.full, .area = text.area});
    return geometry;
}

void paintScene(QPainter &painter, const FigureScene &scene, Theme theme)
{
    painter.save();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    paintGround(painter, scene.size, theme);
    paintLines(painter, scene.grid, theme);
    clearBehindTexts(painter, scene.texts, theme);
    paintAreas(painter, scene.areas, theme);
    paintCurves(painter, scene.curves, theme);
    paintLines(painter, scene.marks, theme);
    paintTexts(painter, scene.texts, theme);
    painter.restore();
}

void paintFigure(QPainter &painter, const Figure &figure, Layout layout, Theme theme)
{
    paintScene(painter, composeFigure(figure, layout), theme);
}

} // namespace stagecraft::widgets
