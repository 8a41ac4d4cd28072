// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurescene.h"

#include "tabulartext.h"

#include <QFontMetricsF>

#include <cmath>

namespace stagecraft::widgets {

double lineHeight(TextStyle style)
{
    switch (style) {
    case TextStyle::Title:
        return 7 * kSpacing;
    case TextStyle::Heading:
        return 6 * kSpacing;
    case TextStyle::Panel:
        return 5 * kSpacing;
    case TextStyle::Body:
        return 5 * kSpacing;
    case TextStyle::Small:
        return 4 * kSpacing;
    }
    return 5 * kSpacing;
}

double styledWidth(const QString &text, TextStyle style)
{
    return tabularWidth(text, textFont(style));
}

double FigureScene::addText(const QPointF &topLeft, double width, const QString &text, TextStyle style,
                            SceneColor color, Qt::Alignment alignment)
{
    const QFont font = textFont(style);
    const QString shown = tabularElided(text, font, width);
    if (shown.isEmpty())
        return 0;
    const double textWidth = tabularWidth(shown, font);
    const double left = topLeft.x() + (alignment & Qt::AlignRight ? width - textWidth : 0);
    const QFontMetricsF metrics(font);
    const double baseline = topLeft.y() + (lineHeight(style) + metrics.ascent() - metrics.descent()) / 2;
    texts.append({.text = shown,
                  .full = text,
                  .baseline = {left, std::round(baseline)},
                  .area = {left, topLeft.y(), textWidth, lineHeight(style)},
                  .style = style,
                  .color = color});
    return textWidth;
}

double FigureScene::addParagraph(const QPointF &topLeft, double width, const QString &text, TextStyle style,
                                 SceneColor color)
{
    double height = 0;
    for (const QString &line : tabularWrapped(text, textFont(style), width)) {
        addText(topLeft + QPointF(0, height), width, line, style, color);
        height += lineHeight(style);
    }
    return height;
}

void FigureScene::addBar(const QRectF &area, const ColorRole &role)
{
    areas.append(
        {.outline = QPolygonF(QList<QPointF>{area.topLeft(), area.topRight(), area.bottomRight(), area.bottomLeft()}),
         .color = {SceneColor::Role, role}});
}

} // namespace stagecraft::widgets
