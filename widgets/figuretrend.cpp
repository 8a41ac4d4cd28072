// SPDX-License-Identifier: GPL-3.0-or-later
#include "figuretrend.h"

#include "niceticks.h"
#include "scatterparts.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr double kGap = 2 * kSpacing;
constexpr double kNarrow = 480; // below it the lines' names stand below the places
constexpr double kRadius = 3;
constexpr double kHeight = 32 * kSpacing;
constexpr double kMostLabel = 0.4;      // of the width
constexpr double kInset = 4 * kSpacing; // of the first and the last place from the ends of the scale
constexpr int kMostTicks = 5;

const SceneColor kInk{SceneColor::Ink, {}}, kMuted{SceneColor::Muted, {}};

bool isDrawn(const FigureTrendPoint &point)
{
    return point.value && std::isfinite(*point.value) && *point.value >= 0;
}

QPolygonF disc(const QPointF &centre)
{
    QPainterPath path;
    path.addEllipse(centre, kRadius, kRadius);
    return path.toFillPolygon();
}

class TrendLayout
{
public:
    TrendLayout(FigureScene &scene, const FigureTrend &trend, const BlockPlace &place);
    double run();

private:
    bool isWide() const { return m_place.width >= kNarrow; }
    double left() const { return m_place.topLeft.x(); }
    double right() const { return left() + m_place.width; }
    double x(qsizetype index) const;
    double y(double value) const { return m_bottom - value / m_maximum * (m_bottom - m_top); }
    void readScale();
    QString tickText(qsizetype index) const;
    void addGrid();
    void addBreaks();
    void addLine(int index);
    void addPoint(int line, qsizetype place, const FigureTrendPoint &point);
    void addEndLabels();
    double addName(const FigureTrendLine &line, double start, double top);
    double placeLeft(qsizetype index, double width) const;
    bool placesFit() const;
    double addPlaces();
    double addKey(double top);

    FigureScene &m_scene;
    const FigureTrend &m_trend;
    const BlockPlace &m_place;
    Ticks m_ticks;
    double m_maximum = 0;
    double m_labelWidth = 0, m_nameHeight = 0; // of names and values behind the lines' ends
    double m_scaleLeft = 0, m_scaleRight = 0, m_top = 0, m_bottom = 0;
};

TrendLayout::TrendLayout(FigureScene &scene, const FigureTrend &trend, const BlockPlace &place)
    : m_scene(scene), m_trend(trend), m_place(place)
{
    readScale();
    double ticks = 0;
    for (qsizetype i = 0; i < m_ticks.values.size(); ++i)
        ticks = std::max(ticks, std::ceil(styledWidth(tickText(i), TextStyle::Small)) + 1);
    m_scaleLeft = std::round(left() + ticks + kGap);
    m_scaleRight = right() - 1;
    if (!isWide())
        return;
    for (const FigureTrendLine &line : trend.lines) {
        const double texts = styledWidth(line.label, TextStyle::Body) + styledWidth(line.valueText, TextStyle::Small);
        m_labelWidth = std::max(m_labelWidth, std::ceil(2 * kRadius + 2 * kGap + texts) + 2);
    }
    const double most = std::floor(m_place.width * kMostLabel);
    m_nameHeight = lineHeight(TextStyle::Body) + (m_labelWidth > most ? lineHeight(TextStyle::Small) : 0);
    m_labelWidth = std::min(m_labelWidth, most);
    m_scaleRight = right() - m_labelWidth - kGap;
}

void TrendLayout::readScale()
{
    for (const FigureTrendLine &line : m_trend.lines)
        for (const FigureTrendPoint &point : line.points)
            if (isDrawn(point))
                m_maximum = std::max(m_maximum, *point.value);
    m_ticks = niceTicks(m_maximum, kMostTicks);
    m_maximum = std::max(m_maximum, niceCeiling(m_maximum, kMostTicks));
    if (m_maximum > m_ticks.values.last() * (1 + 1e-9)) // the scale closes with a tick
        m_ticks.values.append(m_maximum);
}

// The unit stands once, at the top.
QString TrendLayout::tickText(qsizetype index) const
{
    const QString text = m_ticks.text(index);
    return index + 1 == m_ticks.values.size() && index > 0 ? text + u' ' + m_trend.unit : text;
}

double TrendLayout::x(qsizetype index) const
{
    const double first = m_scaleLeft + kInset, last = m_scaleRight - kInset;
    const auto steps = static_cast<double>(m_trend.places.size() - 1);
    return steps > 0 ? first + (last - first) * static_cast<double>(index) / steps : (first + last) / 2;
}

double TrendLayout::run()
{
    double y = m_place.topLeft.y() + layoutBlockHeading(m_scene, m_trend.title, m_trend.subtitle, m_place);
    if (m_maximum > 0 && !m_trend.places.isEmpty()) {
        const double labels = isWide() ? static_cast<double>(m_trend.lines.size()) * m_nameHeight : 0;
        m_top = std::round(y + lineHeight(TextStyle::Small) / 2.0 + kSpacing);
        m_bottom = m_top + std::max(kHeight, labels);
        addGrid();
        addBreaks();
        for (int i = 0; i < m_trend.lines.size(); ++i)
            addLine(i);
        if (isWide())
            addEndLabels();
        y = m_bottom + addPlaces();
        y += isWide() ? 0 : addKey(y);
    }
    for (const QString &note : m_trend.notes)
        y += m_scene.addParagraph({left(), y}, m_place.width, note, TextStyle::Small, kMuted);
    return y - m_place.topLeft.y();
}

void TrendLayout::addGrid()
{
    for (qsizetype i = 0; i < m_ticks.values.size(); ++i) {
        const double line = std::round(y(m_ticks.values[i])) - 0.5;
        m_scene.grid.append({.line = {m_scaleLeft, line, m_scaleRight, line},
                             .color = {i == 0 ? SceneColor::Axis : SceneColor::Rule, {}}});
        m_scene.addText({left(), line - lineHeight(TextStyle::Small) / 2.0}, m_scaleLeft - kGap - left(), tickText(i),
                        TextStyle::Small, kMuted, Qt::AlignRight);
    }
}

// Between the two places, where one series ends and another begins.
void TrendLayout::addBreaks()
{
    for (const int place : m_trend.breaks) {
        if (place < 1 || place >= m_trend.places.size())
            continue;
        const double at = std::round((x(place - 1) + x(place)) / 2) - 0.5;
        m_scene.grid.append({.line = {at, m_top, at, m_bottom}, .color = kMuted, .width = 1.5});
    }
}

void TrendLayout::addLine(int index)
{
    const FigureTrendLine &line = m_trend.lines[index];
    const SceneColor color{SceneColor::Role, line.color};
    const qsizetype count = std::min(line.points.size(), m_trend.places.size());
    QPolygonF stretch;
    const auto close = [&] {
        if (stretch.size() > 1)
            m_scene.curves.append({.points = stretch, .color = color});
        stretch.clear();
    };
    for (qsizetype i = 0; i < count; ++i) {
        if (m_trend.breaks.contains(static_cast<int>(i)) || line.points[i].startsAnother || !isDrawn(line.points[i]))
            close();
        if (!isDrawn(line.points[i]))
            continue;
        stretch.append(QPointF(x(i), y(*line.points[i].value)));
        addPoint(index, i, line.points[i]);
    }
    close();
}

void TrendLayout::addPoint(int line, qsizetype place, const FigureTrendPoint &point)
{
    const QPointF centre(x(place), y(*point.value));
    m_scene.areas.append({.outline = disc(centre), .color = {SceneColor::Role, m_trend.lines[line].color}});
    const QRectF area(centre.x() - 2 * kSpacing, centre.y() - 2 * kSpacing, 4 * kSpacing, 4 * kSpacing);
    m_scene.hits.append({.area = area,
                         .bar = QRectF(centre.x() - kRadius, centre.y() - kRadius, 2 * kRadius, 2 * kRadius),
                         .rowIndex = m_place.rowIndex,
                         .panelIndex = line,
                         .barIndex = static_cast<int>(place),
                         .toolTip = point.toolTip});
}

// At the height of the line's last value; one without any stands at the zero.
void TrendLayout::addEndLabels()
{
    const double half = lineHeight(TextStyle::Body) / 2.0;
    QList<double> wanted;
    for (const FigureTrendLine &line : m_trend.lines) {
        const auto last = std::find_if(line.points.rbegin(), line.points.rend(), isDrawn);
        wanted.append((last == line.points.rend() ? m_bottom : y(*last->value)) - half);
    }
    const QList<double> tops = spreadTexts(wanted, m_top - half, m_bottom + half, m_nameHeight);
    for (qsizetype i = 0; i < tops.size(); ++i)
        addName(m_trend.lines[i], right() - m_labelWidth, tops[i]);
}

// Behind a dot of the line's colour.
double TrendLayout::addName(const FigureTrendLine &line, double start, double top)
{
    m_scene.areas.append({.outline = disc({start + kRadius + 1, top + lineHeight(TextStyle::Body) / 2}),
                          .color = {SceneColor::Role, line.color}});
    const double text = start + 2 * kRadius + kGap;
    const double taken = m_scene.addText({text, top}, right() - text, line.label, TextStyle::Body, kInk);
    const double behind = text + taken + kGap;
    if (styledWidth(line.valueText, TextStyle::Small) <= right() - behind) {
        m_scene.addText({behind, top + 2}, right() - behind, line.valueText, TextStyle::Small, kMuted);
        return lineHeight(TextStyle::Body);
    }
    return lineHeight(TextStyle::Body) + m_scene.addParagraph({text, top + lineHeight(TextStyle::Body)}, right() - text,
                                                              line.valueText, TextStyle::Small, kMuted);
}

// Centred at the place, but within the figure.
double TrendLayout::placeLeft(qsizetype index, double width) const
{
    return std::clamp(x(index) - width / 2, left(), std::max(left(), right() - width - 1));
}

bool TrendLayout::placesFit() const
{
    double free = left();
    for (qsizetype i = 0; i < m_trend.places.size(); ++i) {
        const double width = styledWidth(m_trend.places[i], TextStyle::Small), start = placeLeft(i, width);
        if (start < free || width > m_place.width)
            return false;
        free = start + width + kGap;
    }
    return true;
}

// Names where they have room, else numbers and a line that says what they stand for. Returns the height.
double TrendLayout::addPlaces()
{
    const bool areNames = placesFit();
    const double height = lineHeight(TextStyle::Small), top = m_bottom + height / 2; // below the zero's label
    QStringList key;
    double free = m_scaleLeft;
    for (qsizetype i = 0; i < m_trend.places.size(); ++i) {
        const QString text = areNames ? m_trend.places[i] : QString::number(i + 1);
        key.append(QStringLiteral("%1 %2").arg(i + 1).arg(m_trend.places[i]));
        const double width = styledWidth(text, TextStyle::Small), start = placeLeft(i, width);
        if (!areNames && start < free)
            continue;
        m_scene.addText({start, top}, width + 1, text, TextStyle::Small, kMuted);
        free = start + width + kGap;
    }
    return areNames ? 1.5 * height
                    : 1.5 * height + m_scene.addParagraph({left(), top + height}, m_place.width,
                                                          key.join(QStringLiteral(" · ")), TextStyle::Small, kMuted);
}

// Names and values of the lines below each other. Returns the height.
double TrendLayout::addKey(double top)
{
    double y = top + kSpacing;
    for (const FigureTrendLine &line : m_trend.lines)
        y += addName(line, left(), y);
    return y - top;
}

} // namespace

double layoutTrend(FigureScene &scene, const FigureTrend &trend, const BlockPlace &place)
{
    return TrendLayout(scene, trend, place).run();
}

} // namespace stagecraft::widgets
