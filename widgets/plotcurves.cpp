// SPDX-License-Identifier: GPL-3.0-or-later
#include "plotcurves.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr double kBin = kSpacing;            // height of one step of a distribution
constexpr double kOutlierMark = 2;           // half its diagonal
constexpr double kCross = 2.5;               // half the size of the mark of a missing value
constexpr double kDotSpacing = 2 * kSpacing; // samples further apart are dots on the line
constexpr double kDot = 1.5;

class Curve
{
public:
    Curve(FigureScene &scene, const FigureSeries &series, const ScenePlot &place)
        : m_scene(scene), m_values(series.values), m_color{SceneColor::Role, series.color}, m_place(place)
    {
    }

    void run();

private:
    void addColumn(qsizetype first, qsizetype last);
    void addPoint(double index, double value);
    void endLine();
    void addDiamond(const QPointF &centre, double radius);
    void addArrow(const QPointF &below);
    void addCross(double x);

    FigureScene &m_scene;
    const SampleSequence &m_values;
    const SceneColor m_color;
    const ScenePlot &m_place;
    QPolygonF m_line;
    bool m_hasDots = false;
};

void Curve::run()
{
    const qsizetype count = m_place.last - m_place.first + 1;
    const auto columns = std::max<qsizetype>(1, static_cast<qsizetype>(m_place.area.width()));
    const qsizetype stride = (count + columns - 1) / columns;
    m_hasDots = m_place.area.width() / static_cast<double>(count) >= kDotSpacing;
    // Columns begin at multiples of their width, so that they hold the same samples wherever the range begins.
    for (qsizetype at = m_place.first / stride * stride; at <= m_place.last; at += stride)
        addColumn(std::max(at, m_place.first), std::min({at + stride, m_place.last + 1, m_values.size()}));
    endLine();
}

void Curve::addColumn(qsizetype first, qsizetype last)
{
    if (first >= last)
        return;
    const SampleExtremes column = m_values.extremes(first, last);
    const double centre = static_cast<double>(first + last - 1) / 2;
    if (column.missing > 0)
        addCross(m_place.place(centre, m_place.low).x());
    if (column.isEmpty()) {
        endLine();
        return;
    }
    addPoint(centre, column.lowFirst ? column.low : column.high);
    if (column.low != column.high)
        addPoint(centre, column.lowFirst ? column.high : column.low);
}

void Curve::addPoint(double index, double value)
{
    const QPointF point = m_place.place(index, value);
    m_line.append(point);
    if (value > m_place.high)
        addArrow(point);
    else if (m_values.statistics().isOutlier(value))
        addDiamond(point, kOutlierMark);
    else if (m_hasDots)
        addDiamond(point, kDot);
}

void Curve::endLine()
{
    if (!m_line.isEmpty())
        m_scene.curves.append({.points = m_line, .color = m_color});
    m_line.clear();
}

void Curve::addDiamond(const QPointF &centre, double radius)
{
    const QPointF right(radius, 0), down(0, radius);
    m_scene.areas.append(
        {.outline = QPolygonF(QList<QPointF>{centre - right, centre - down, centre + right, centre + down}),
         .color = m_color});
}

void Curve::addArrow(const QPointF &below)
{
    const QPointF tip(below.x(), m_place.area.top() - kSpacing);
    m_scene.areas.append(
        {.outline = QPolygonF(QList<QPointF>{tip, tip + QPointF(3, kSpacing), tip + QPointF(-3, kSpacing)}),
         .color = m_color});
}

void Curve::addCross(double x)
{
    const QPointF centre(x, m_place.area.bottom());
    for (const QPointF &arm : {QPointF(kCross, kCross), QPointF(kCross, -kCross)})
        m_scene.marks.append(
            {.line = {centre - arm, centre + arm}, .color = {SceneColor::Attention, {}}, .width = 1.5});
}

} // namespace

void addCurve(FigureScene &scene, const FigureSeries &series, const ScenePlot &place)
{
    if (!series.values.isEmpty())
        Curve(scene, series, place).run();
}

void addDistribution(FigureScene &scene, const FigureSeries &series, const ScenePlot &place, const QRectF &lane)
{
    const int steps = std::max(1, static_cast<int>(lane.height() / kBin));
    SampleDistribution distribution = series.values.distribution(place.low, place.high, steps);
    if (place.low == 0)
        distribution.steps.last() += distribution.above;
    const qint64 most = *std::max_element(distribution.steps.begin(), distribution.steps.end());
    const double height = lane.height() / steps;
    for (int i = 0; i < steps; ++i) {
        if (distribution.steps[i] == 0)
            continue;
        // At least a unit, so that a single stall among many samples is seen.
        const double share = static_cast<double>(distribution.steps[i]) / static_cast<double>(most);
        scene.addBar({lane.left(), lane.bottom() - (i + 1) * height, std::max(1.0, lane.width() * share), height},
                     series.color);
    }
}

} // namespace stagecraft::widgets
