// SPDX-License-Identifier: GPL-3.0-or-later
#include "figuredots.h"

#include "niceticks.h"

#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr double kRowHeight = 7 * kSpacing;
constexpr double kGap = 2 * kSpacing;
constexpr double kRadius = 3.5;
constexpr double kMarkHeight = 4 * kSpacing;
constexpr std::array kLanes{0.0, -2 * kRadius - 1, 2 * kRadius + 1};
constexpr double kLeastScale = 0.4; // of what labels leave; the rest is for values
constexpr int kMostTicks = 5;
constexpr double kMostValue = 1e300; // the tick above it must be a number too
constexpr double kLeastRatio = 1e-300;

QPolygonF disc(const QPointF &centre, double radius)
{
    QPainterPath path;
    path.addEllipse(centre, radius, radius);
    return path.toFillPolygon();
}

class DotsLayout
{
public:
    DotsLayout(FigureScene &scene, const FigureDots &dots, const BlockPlace &place, double labelWidth, double right);
    double run();

private:
    bool isDot(double value) const { return value >= (m_dots.areRatios ? kLeastRatio : 0) && value < kMostValue; }
    double place(double value) const { return m_dots.areRatios ? std::log(value) : value; } // on an even scale
    double x(double value) const;
    void readScale();
    double addLimitText(double top);
    double addRow(int index, double top);
    double addState(const FigureDotRow &row, double top);
    double addValue(const FigureDotRow &row, double top);
    void addDots(const FigureDotRow &row, double centre);
    void addLimitLine(double top, double bottom);
    void addTicks(double top, double bottom);

    FigureScene &m_scene;
    const FigureDots &m_dots;
    const BlockPlace &m_place;
    const double m_labelWidth, m_right;
    const double m_left; // of the scale
    double m_end = 0;
    Ticks m_ticks;
};

DotsLayout::DotsLayout(FigureScene &scene, const FigureDots &dots, const BlockPlace &place, double labelWidth,
                       double right)
    : m_scene(scene),
      m_dots(dots),
      m_place(place),
      m_labelWidth(labelWidth),
      m_right(right),
      m_left(std::round(place.topLeft.x() + labelWidth + kRadius + 1))
{
    const double width = right - m_left, mostTail = width * (1 - kLeastScale) - 2 * kGap;
    double tail = 0;
    for (const FigureDotRow &row : dots.rows) {
        const double value = row.stateText.isEmpty() ? styledWidth(row.valueText, TextStyle::Body) : 0;
        const double whole = value + kGap + styledWidth(row.rangeText, TextStyle::Small);
        tail = std::max(tail, value > 0 && whole <= mostTail ? whole : value); // what is too wide goes below
    }
    m_end = std::max(m_left + width * kLeastScale, right - tail - 2 * kGap);
    readScale();
}

double DotsLayout::x(double value) const
{
    const double first = place(m_ticks.values.first()), last = place(m_ticks.values.last());
    return m_left + (place(value) - first) / (last - first) * (m_end - m_left);
}

void DotsLayout::readScale()
{
    QList<double> values;
    for (const FigureDotRow &row : m_dots.rows)
        std::copy_if(row.values.begin(), row.values.end(), std::back_inserter(values),
                     [this](double value) { return isDot(value); });
    if (values.isEmpty())
        return;
    if (m_dots.limit && isDot(m_dots.limit->value))
        values.append(m_dots.limit->value);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    m_ticks = m_dots.areRatios ? niceRatioTicks(*low, *high, kMostTicks) : niceTicksAround(*low, *high, kMostTicks);
}

double DotsLayout::run()
{
    double y = m_place.topLeft.y() + layoutBlockHeading(m_scene, m_dots.title, m_dots.subtitle, m_place);
    y += m_scene.addParagraph({m_place.topLeft.x(), y}, m_place.width, m_dots.note, TextStyle::Body,
                              {SceneColor::Muted, {}});
    y += addLimitText(y);
    const double top = y;
    for (int i = 0; i < m_dots.rows.size(); ++i)
        y += addRow(i, y);
    if (m_ticks.values.isEmpty())
        return y - m_place.topLeft.y();
    addTicks(top, y);
    addLimitLine(top, y);
    return y + kSpacing + lineHeight(TextStyle::Small) - m_place.topLeft.y();
}

// Above its line, and beside it only where it would leave the figure.
double DotsLayout::addLimitText(double top)
{
    if (!m_dots.limit || m_ticks.values.isEmpty())
        return 0;
    const double width = styledWidth(m_dots.limit->text, TextStyle::Small), left = m_place.topLeft.x();
    const double start = std::clamp(x(m_dots.limit->value) - width / 2, left, std::max(left, m_right - width));
    m_scene.addText({start, top}, m_right - start, m_dots.limit->text, TextStyle::Small, {SceneColor::Ink, {}});
    return lineHeight(TextStyle::Small);
}

void DotsLayout::addLimitLine(double top, double bottom)
{
    if (!m_dots.limit)
        return;
    const double at = std::round(x(m_dots.limit->value)) - 0.5;
    m_scene.grid.append({.line = {at, top, at, bottom}, .color = {SceneColor::Muted, {}}, .width = 1.5});
}

double DotsLayout::addRow(int index, double top)
{
    const FigureDotRow &row = m_dots.rows[index];
    const double left = m_place.topLeft.x();
    double y = top;
    if (m_labelWidth > 0)
        m_scene.addText({left, y + kSpacing}, m_labelWidth - kGap, row.label, TextStyle::Body, {SceneColor::Ink, {}});
    else
        y += m_scene.addParagraph({left, y}, m_right - left, row.label, TextStyle::Body, {SceneColor::Ink, {}});
    if (row.stateText.isEmpty() && !m_ticks.values.isEmpty())
        addDots(row, y + kRowHeight / 2);
    y += row.stateText.isEmpty() ? addValue(row, y) : addState(row, y);
    y += m_labelWidth > 0 ? 0 : kSpacing;
    m_scene.hits.append({.area = {left, top, m_right - left, y - top},
                         .bar = {},
                         .rowIndex = m_place.rowIndex,
                         .panelIndex = m_place.panelIndex,
                         .barIndex = index,
                         .toolTip = row.toolTip.isEmpty() ? row.label : row.toolTip});
    return y - top;
}

// The state in full, over the scale's width: a picture has no tool tips. Returns the height.
double DotsLayout::addState(const FigureDotRow &row, double top)
{
    const double left = m_labelWidth > 0 ? m_left : m_place.topLeft.x();
    return std::max(kRowHeight,
                    2 * kSpacing + m_scene.addParagraph({left, top + kSpacing}, m_right - left, row.stateText,
                                                        TextStyle::Body, {SceneColor::Muted, {}}));
}

// Behind the scale, where no grid line crosses it; what has no room beside the value goes below it. Returns the row's
// height.
double DotsLayout::addValue(const FigureDotRow &row, double top)
{
    const double left = m_end + 2 * kGap;
    const double taken =
        m_scene.addText({left, top + kSpacing}, m_right - left, row.valueText, TextStyle::Body, {SceneColor::Ink, {}});
    const double room = m_right - left - taken - kGap;
    if (styledWidth(row.rangeText, TextStyle::Small) <= room) {
        m_scene.addText({left + taken + kGap, top + kSpacing + 2}, room, row.rangeText, TextStyle::Small,
                        {SceneColor::Muted, {}});
        return kRowHeight;
    }
    const double below = top + kSpacing + lineHeight(TextStyle::Body);
    const double height =
        m_scene.addParagraph({left, below}, m_right - left, row.rangeText, TextStyle::Small, {SceneColor::Muted, {}});
    return std::max(kRowHeight, below + height + kSpacing - top);
}

// A dot that would cover another stands above or below it; the line behind them is their range.
void DotsLayout::addDots(const FigureDotRow &row, double centre)
{
    QList<double> values = row.values;
    values.removeIf([this](double value) { return !isDot(value); });
    if (values.isEmpty())
        return;
    std::sort(values.begin(), values.end());
    m_scene.grid.append(
        {.line = {x(values.first()), centre, x(values.last()), centre}, .color = {SceneColor::Axis, {}}, .width = 1.5});
    std::array ends{m_place.topLeft.x(), m_place.topLeft.x(), m_place.topLeft.x()};
    for (const double value : values) {
        const double at = x(value);
        auto *const lane = std::find_if(ends.begin(), ends.end(), [at](double end) { return end <= at - kRadius; });
        const auto index = lane == ends.end() ? 0 : lane - ends.begin();
        ends[index] = at + kRadius + 0.5;
        m_scene.areas.append(
            {.outline = disc({at, centre + kLanes[index]}, kRadius), .color = {SceneColor::Role, row.color}});
    }
    if (isDot(row.mark)) {
        const double at = std::clamp(x(row.mark), m_left, m_end);
        m_scene.marks.append({.line = {at, centre - kMarkHeight / 2, at, centre + kMarkHeight / 2},
                              .color = {SceneColor::Ink, {}},
                              .width = 1.5,
                              .halo = true});
    }
}

void DotsLayout::addTicks(double top, double bottom)
{
    double free = m_place.topLeft.x();
    const double textTop = bottom + kSpacing;
    if (m_labelWidth > 0)
        free += m_scene.addText({free, textTop}, m_labelWidth - kGap, m_dots.unit, TextStyle::Small,
                                {SceneColor::Muted, {}}, Qt::AlignLeft);
    for (qsizetype i = 0; i < m_ticks.values.size(); ++i) {
        const double at = x(m_ticks.values[i]), line = std::round(at) - 0.5;
        m_scene.grid.append({.line = {line, top, line, bottom}, .color = {SceneColor::Rule, {}}});
        const double width = styledWidth(m_ticks.text(i), TextStyle::Small);
        const double left =
            std::clamp(at - width / 2, m_place.topLeft.x(), std::max(m_place.topLeft.x(), m_right - width));
        if (left < free + (i > 0 ? kGap : 0))
            continue;
        m_scene.addText({left, textTop}, width + 1, m_ticks.text(i), TextStyle::Small, {SceneColor::Muted, {}});
        free = left + width;
    }
}

} // namespace

double layoutDots(FigureScene &scene, const FigureDots &dots, const BlockPlace &place, double labelWidth, double right)
{
    return DotsLayout(scene, dots, place, labelWidth, right).run();
}

} // namespace stagecraft::widgets
