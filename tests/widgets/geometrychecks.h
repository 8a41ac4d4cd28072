// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurepainter.h"

// What holds for every figure, and ways to find a text in one.
namespace checks {

using namespace stagecraft::widgets;

// The first fault: texts that overlap or leave the figure, bars outside their row; empty where all is well.
inline QString misplaced(const FigureGeometry &geometry)
{
    const QRectF whole(QPointF(), geometry.size);
    for (qsizetype i = 0; i < geometry.texts.size(); ++i) {
        const FigureText &text = geometry.texts[i];
        if (!whole.contains(text.area))
            return QStringLiteral("outside: ") + text.text;
        for (qsizetype j = i + 1; j < geometry.texts.size(); ++j)
            if (text.area.adjusted(0.5, 0.5, -0.5, -0.5).intersects(geometry.texts[j].area))
                return QStringLiteral("overlap: %1 | %2").arg(text.text, geometry.texts[j].text);
    }
    for (const FigureHit &hit : geometry.hits)
        if (!whole.contains(hit.area) || !(hit.bar.isEmpty() || hit.area.contains(hit.bar)))
            return QStringLiteral("row: ") + hit.toolTip;
    return {};
}

inline QStringList drawnTexts(const FigureGeometry &geometry)
{
    QStringList list;
    for (const FigureText &text : geometry.texts)
        list << text.text;
    return list;
}

// Where the text is drawn the given time (0: the first); a null rectangle where it is not.
inline QRectF areaOf(const FigureGeometry &geometry, const QString &text, int time = 0)
{
    for (const FigureText &candidate : geometry.texts)
        if (candidate.text == text && time-- == 0)
            return candidate.area;
    return {};
}

} // namespace checks
