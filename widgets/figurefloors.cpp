// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurefloors.h"

#include "figurebar.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr double kBeside = kSpacing; // between a line and its text
constexpr double kLineWidth = 1.5;

QString fullText(const FigureLimit &floor)
{
    return floor.what.isEmpty() ? floor.text : QStringLiteral("%1: %2").arg(floor.text, floor.what);
}

bool fits(const QString &text, double width)
{
    return styledWidth(text, TextStyle::Small) <= width;
}

// Right of the line, left of it, or as far right as the room allows.
double textLeft(double line, double width, double left, double right)
{
    if (line + kBeside + width <= right)
        return line + kBeside;
    if (line - kBeside - width >= left)
        return line - kBeside - width;
    return std::max(left, right - width);
}

// From the smallest on, so that a line passes left of the texts below its own.
QList<FigureLimit> sorted(QList<FigureLimit> floors)
{
    floors.removeIf([](const FigureLimit &floor) { return !isDrawable(floor.value); });
    std::stable_sort(floors.begin(), floors.end(),
                     [](const FigureLimit &a, const FigureLimit &b) { return a.value < b.value; });
    return floors;
}

SceneLine firmLine(double x, double top, double bottom)
{
    return {.line = {x, top, x, bottom}, .color = {SceneColor::Ink, {}}, .width = kLineWidth, .halo = true};
}

} // namespace

bool hasFloor(const FigureBar &bar, const QList<FigureLimit> &floors)
{
    return bar.floor >= 0 && bar.floor < floors.size() && isDrawable(floors[bar.floor].value);
}

double reachWithFloor(const FigureBar &bar, const QList<FigureLimit> &floors)
{
    return hasFloor(bar, floors) ? std::max(barReach(bar), floors[bar.floor].value) : barReach(bar);
}

QList<AxisTail> floorTails(const QList<FigureLimit> &floors)
{
    QList<AxisTail> tails;
    for (const FigureLimit &floor : floors)
        if (isDrawable(floor.value))
            tails.append({floor.value, kBeside});
    return tails;
}

double floorTextsHeight(const QList<FigureLimit> &floors)
{
    return static_cast<double>(sorted(floors).size()) * lineHeight(TextStyle::Small);
}

QStringList floorNotes(const QList<FigureLimit> &floors, double width)
{
    QStringList notes;
    for (const FigureLimit &floor : sorted(floors))
        if (!fits(fullText(floor), width))
            notes.append(fullText(floor));
    return notes;
}

void addFloorTexts(FigureScene &scene, const QList<FigureLimit> &floors, const FigureAxis &axis, double left,
                   double bottom, double end)
{
    if (!(axis.maximum > 0))
        return;
    const double width = axis.right - left;
    double top = bottom - floorTextsHeight(floors);
    for (const FigureLimit &floor : sorted(floors)) {
        const QString text = fits(fullText(floor), width) ? fullText(floor) : floor.text;
        const double x = axis.x(floor.value);
        addGridLine(scene, x, top, end, SceneColor::Muted);
        const double start = textLeft(x, styledWidth(text, TextStyle::Small), left, axis.right);
        scene.addText({start, top}, axis.right - start + 1, text, TextStyle::Small, {SceneColor::Ink, {}});
        top += lineHeight(TextStyle::Small);
    }
}

double addFloorKey(FigureScene &scene, const QList<FigureLimit> &floors, const QPointF &topLeft, double width)
{
    constexpr double indent = 2 * kSpacing, inset = 2;
    double top = topLeft.y();
    for (const FigureLimit &floor : sorted(floors)) {
        scene.marks.append(firmLine(topLeft.x() + kLineWidth, top + inset, top + lineHeight(TextStyle::Small) - inset));
        top += scene.addParagraph({topLeft.x() + indent, top}, width - indent, fullText(floor), TextStyle::Small,
                                  {SceneColor::Ink, {}});
    }
    return top - topLeft.y();
}

void addFloorMark(FigureScene &scene, const FigureBar &bar, const QList<FigureLimit> &floors, const FigureAxis &axis,
                  const AxisSegment &row)
{
    if (!hasFloor(bar, floors) || !isDrawable(bar.value) || !(axis.maximum > 0))
        return;
    const double x = std::round(axis.x(floors[bar.floor].value)) - 0.5; // in the middle of its faint line
    scene.marks.append(firmLine(x, row.top, row.bottom));
}

} // namespace stagecraft::widgets
