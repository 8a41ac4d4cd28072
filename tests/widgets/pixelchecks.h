// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figureexport.h"
#include "figurepainter.h"
#include "theme.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

// What holds for the pixels of every figure with bars, found in the picture itself. Each check gives the first fault as
// a text, empty where all is well.
namespace pixels {

using namespace stagecraft::widgets;

// A page's sheet lies on what is around it: here on more of its own ground, to which its rounded corners belong then.
inline QImage onGround(const QImage &image, Theme theme)
{
    QImage ground(image.size(), QImage::Format_RGB32);
    ground.fill(themeColors(theme).ground);
    QPainter(&ground).drawImage(0, 0, image);
    return ground;
}

struct Picture
{
    Picture(const Figure &drawn, Layout layout, Theme colours, double by)
        : figure(drawn),
          geometry(layoutFigure(drawn, layout)),
          image(onGround(figureImage(drawn, layout, colours, by), colours)),
          theme(colours),
          scale(by)
    {
    }

    QRect area(const QRectF &place) const // in pixels, within the picture
    {
        const QRectF scaled(place.topLeft() * scale, place.size() * scale);
        return scaled.toAlignedRect() & image.rect();
    }
    const FigureBar &barOf(const FigureHit &hit) const
    {
        return figure.rows[hit.rowIndex].panels[hit.panelIndex].bars[hit.barIndex];
    }

    const Figure &figure;
    FigureGeometry geometry;
    QImage image;
    Theme theme;
    double scale;
};

// How much of the pixel is of the colour, the rest being of the ground: 0 to 1.
inline double coverage(const QColor &pixel, const QColor &ground, const QColor &color)
{
    const double r = color.red() - ground.red(), g = color.green() - ground.green(), b = color.blue() - ground.blue();
    const double dot =
        r * (pixel.red() - ground.red()) + g * (pixel.green() - ground.green()) + b * (pixel.blue() - ground.blue());
    return std::clamp(dot / (r * r + g * g + b * b), 0.0, 1.0);
}

// The drawn length of a bar in pixels, its soft ends counted as far as they are covered: in the bar's uppermost full
// line of pixels, which no whisker crosses.
inline double drawnLength(const Picture &picture, const FigureHit &hit)
{
    const QColor ground = themeColors(picture.theme).ground;
    const QColor color = roleColor(picture.barOf(hit).color, picture.theme);
    const int y = int(std::ceil(hit.bar.top() * picture.scale));
    const QRect bar = picture.area(hit.bar.adjusted(0, 0, kSpacing / 2, 0)); // what is too long ends behind its end
    double length = 0;
    for (int x = bar.left(); x <= bar.right(); ++x)
        length += coverage(picture.image.pixelColor(x, y), ground, color);
    return length;
}

// Bars of a panel are as long as their values, within one pixel, and touch no pixel beyond their end.
inline QString lengthFault(const Picture &picture)
{
    const auto valueOf = [&](const FigureHit &hit) { return picture.barOf(hit).value.value_or(0); };
    for (const FigureHit &hit : picture.geometry.hits) {
        FigureHit longest = hit;
        for (const FigureHit &other : picture.geometry.hits)
            if (other.rowIndex == hit.rowIndex && other.panelIndex == hit.panelIndex &&
                valueOf(other) > valueOf(longest))
                longest = other;
        if (hit.bar.isEmpty() || !(valueOf(longest) > 0))
            continue;
        const double expected = drawnLength(picture, longest) * valueOf(hit) / valueOf(longest);
        const double found = drawnLength(picture, hit);
        if (std::abs(found - expected) > 1)
            return QStringLiteral("%1: %2 pixels, %3 expected").arg(hit.toolTip).arg(found).arg(expected);
    }
    return {};
}

// As strong as a letter's thin strokes at least, and stronger than the grid.
inline bool isInk(QRgb pixel, Theme theme)
{
    return std::abs(qGray(pixel) - qGray(themeColors(theme).ground.rgb())) > 60;
}

inline bool isFullInk(QRgb pixel, Theme theme)
{
    const auto isNear = [pixel](const QColor &color) {
        return std::abs(qRed(pixel) - color.red()) + std::abs(qGreen(pixel) - color.green()) +
                   std::abs(qBlue(pixel) - color.blue()) <
               24;
    };
    const ThemeColors &colors = themeColors(theme);
    return isNear(colors.ink) || isNear(colors.muted) || isNear(colors.attention);
}

// Where there is ink within the area; null where there is none.
inline QRect inkIn(const Picture &picture, const QRect &area)
{
    QRect found;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x)
            if (isInk(picture.image.pixel(x, y), picture.theme))
                found |= QRect(x, y, 1, 1);
    return found;
}

// Every text is there from its first letter to its last: a cut one would end before its place does.
inline QString cutText(const Picture &picture)
{
    for (const FigureText &text : picture.geometry.texts) {
        const QRect area = picture.area(text.area), ink = inkIn(picture, area);
        const double slack = 5 * picture.scale; // side bearings, of a tabular 1 above all
        if (ink.isNull() || ink.left() - area.left() > slack || area.right() - ink.right() > slack)
            return QStringLiteral("cut: %1").arg(text.text);
    }
    return {};
}

// No text colour stands outside the texts' places and the rows of bars, whose whiskers have it too: a text that is
// wider than its place would.
inline QString strayInk(const Picture &picture)
{
    QImage covered(picture.image.size(), QImage::Format_Mono);
    covered.fill(0);
    const auto cover = [&](const QRectF &place) {
        const QRect area = picture.area(place).adjusted(-1, -1, 1, 1) & picture.image.rect();
        for (int y = area.top(); y <= area.bottom(); ++y)
            for (int x = area.left(); x <= area.right(); ++x)
                covered.setPixel(x, y, 1);
    };
    for (const FigureText &text : picture.geometry.texts)
        cover(text.area);
    for (const FigureHit &hit : picture.geometry.hits)
        cover(hit.area);
    for (int y = 0; y < picture.image.height(); ++y)
        for (int x = 0; x < picture.image.width(); ++x)
            if (!covered.pixelIndex(x, y) && isFullInk(picture.image.pixel(x, y), picture.theme))
                return QStringLiteral("text at %1, %2 outside every text's place").arg(x).arg(y);
    return {};
}

// In place of what has no value there is no bar, and a text that says so.
inline QString missingMark(const Picture &picture)
{
    for (const FigureHit &hit : picture.geometry.hits) {
        const FigureBar &bar = picture.barOf(hit);
        if (bar.value && std::isfinite(*bar.value))
            continue;
        const QColor color = roleColor(bar.color, picture.theme);
        const QRect area = picture.area(hit.area);
        for (int x = area.left(); x <= area.right(); ++x)
            if (picture.image.pixelColor(x, area.center().y()) == color)
                return QStringLiteral("a bar without a value: %1").arg(bar.label);
        const auto mark = std::ranges::find_if(picture.geometry.texts, [&](const FigureText &text) {
            return hit.area.intersects(text.area) && text.full.startsWith(bar.stateText);
        });
        if (mark == picture.geometry.texts.end() || inkIn(picture, picture.area(mark->area)).isNull())
            return QStringLiteral("no mark: %1").arg(bar.label);
    }
    return {};
}

inline QString fault(const Picture &picture)
{
    for (const auto check : {lengthFault, cutText, strayInk, missingMark})
        if (const QString found = check(picture); !found.isEmpty())
            return found;
    return {};
}

} // namespace pixels
