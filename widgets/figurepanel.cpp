// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurepanel.h"

#include "niceticks.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr double kRowHeight = 7 * kSpacing;
constexpr double kBarHeight = kRowHeight / 2; // bars at half the row's height
constexpr double kGap = 2 * kSpacing;
constexpr double kTickGap = kSpacing;       // between the lowest row and the tick labels
constexpr double kLeastScale = 0.4;         // of the panel's room that the longest bar keeps whatever its texts need
constexpr double kFlagRoom = 20 * kSpacing; // that the scale leaves for flags; longer ones are shortened
constexpr int kMostTicks = 5;

bool isDrawable(const std::optional<double> &value)
{
    return value && std::isfinite(*value) && *value >= 0;
}

double headerHeight(const FigurePanel &panel)
{
    const double title = panel.title.isEmpty() ? 0 : lineHeight(TextStyle::Panel);
    const double subtitle = panel.subtitle.isEmpty() ? 0 : lineHeight(TextStyle::Small);
    return title + subtitle > 0 ? title + subtitle + kSpacing : 0;
}

QString flagText(const FigureBar &bar)
{
    QStringList parts = bar.flags;
    // A value with a state (throttled, undecided) keeps its bar; the state stands with the flags.
    if (isDrawable(bar.value) && !bar.stateText.isEmpty() && !parts.contains(bar.stateText))
        parts.prepend(bar.stateText);
    return parts.join(QStringLiteral(", "));
}

// The end of what is drawn of a bar: the bar or its upper whisker.
double reach(const FigureBar &bar)
{
    if (!isDrawable(bar.value))
        return 0;
    return isDrawable(bar.high) ? std::max(*bar.value, *bar.high) : *bar.value;
}

double tailWidth(const FigureBar &bar)
{
    const QString flags = flagText(bar);
    const double flagWidth = flags.isEmpty() ? 0 : kGap + std::min(kFlagRoom, styledWidth(flags, TextStyle::Small));
    return kGap + styledWidth(bar.valueText, TextStyle::Body) + flagWidth;
}

class PanelLayout
{
public:
    PanelLayout(FigureScene &scene, const FigurePanel &panel, const PanelPlace &place);
    double run(); // returns the height taken

private:
    double x(double value) const { return m_zero + value * m_unitLength; }
    double right() const { return m_place.topLeft.x() + m_place.width; }
    double scaleLength() const;
    double addNotes(double top);
    double addNoted(const FigureBar &bar, const QPointF &topLeft, const QString &text, TextStyle style,
                    SceneColor::Kind color);
    void addHeader();
    void addAxis();
    void addGridLine(double at, SceneColor::Kind color);
    bool ticksFit(const Ticks &ticks) const;
    double tickLeft(const Ticks &ticks, qsizetype index) const;
    void addBar(int index);
    void addTail(const FigureBar &bar, double top);
    double addValue(const FigureBar &bar, double left, double top);
    void addState(const FigureBar &bar, double top);
    void addWhisker(const FigureBar &bar, double centre);

    FigureScene &m_scene;
    const FigurePanel &m_panel;
    const PanelPlace &m_place;
    double m_zero = 0, m_barsTop = 0, m_barsBottom = 0;
    double m_maximum = 0, m_unitLength = 0;
    QStringList m_notes;
};

PanelLayout::PanelLayout(FigureScene &scene, const FigurePanel &panel, const PanelPlace &place)
    : m_scene(scene),
      m_panel(panel),
      m_place(place),
      m_zero(std::round(place.topLeft.x() + place.labelWidth + kGap)),
      m_barsTop(place.topLeft.y() + headerHeight(panel)),
      m_barsBottom(m_barsTop + kRowHeight * static_cast<double>(panel.bars.size()))
{
    for (const FigureBar &bar : panel.bars)
        m_maximum = std::max(m_maximum, reach(bar));
    if (m_maximum > 0)
        m_unitLength = scaleLength() / m_maximum;
}

// The longest scale at which every bar's value and flags still stand at the bar's end, within the panel.
double PanelLayout::scaleLength() const
{
    const double room = right() - m_zero;
    double length = room;
    for (const FigureBar &bar : m_panel.bars)
        if (reach(bar) > 0)
            length = std::min(length, (room - tailWidth(bar)) * (m_maximum / reach(bar)));
    return std::max(length, room * kLeastScale);
}

double PanelLayout::run()
{
    addHeader();
    addAxis();
    for (int i = 0; i < m_panel.bars.size(); ++i)
        addBar(i);
    const double axisBottom = m_barsBottom + kTickGap + lineHeight(TextStyle::Small);
    return axisBottom + addNotes(axisBottom) - m_place.topLeft.y();
}

double PanelLayout::addNotes(double top)
{
    double height = m_notes.isEmpty() ? 0 : kSpacing;
    for (const QString &note : m_notes)
        height += m_scene.addParagraph({m_place.topLeft.x(), top + height}, m_place.width, note, TextStyle::Small,
                                       {SceneColor::Muted, {}});
    return height;
}

// A text in a bar's row; what had to be shortened becomes a note. Returns the width taken.
double PanelLayout::addNoted(const FigureBar &bar, const QPointF &topLeft, const QString &text, TextStyle style,
                             SceneColor::Kind color)
{
    if (text.isEmpty())
        return 0;
    const double room = right() - topLeft.x();
    if (styledWidth(text, style) > room)
        m_notes << QStringLiteral("%1: %2").arg(bar.label, text);
    return m_scene.addText(topLeft, room, text, style, {color, {}});
}

void PanelLayout::addHeader()
{
    QPointF at = m_place.topLeft;
    if (!m_panel.title.isEmpty()) {
        m_scene.addText(at, m_place.width, m_panel.title, TextStyle::Panel, {SceneColor::Ink, {}});
        at.ry() += lineHeight(TextStyle::Panel);
    }
    m_scene.addText(at, m_place.width, m_panel.subtitle, TextStyle::Small, {SceneColor::Muted, {}});
}

// Tick labels are centred at their tick, the last one kept inside the panel.
double PanelLayout::tickLeft(const Ticks &ticks, qsizetype index) const
{
    const double width = styledWidth(ticks.text(index), TextStyle::Small);
    return std::min(x(ticks.values[index]) - width / 2, right() - width);
}

bool PanelLayout::ticksFit(const Ticks &ticks) const
{
    for (qsizetype i = 1; i < ticks.values.size(); ++i) {
        const double end = tickLeft(ticks, i - 1) + styledWidth(ticks.text(i - 1), TextStyle::Small);
        if (end + kGap > tickLeft(ticks, i))
            return false;
    }
    return true;
}

// Lines fill one pixel at scale 1 instead of half of two; the zero line stands against the bars' left edge.
void PanelLayout::addGridLine(double at, SceneColor::Kind color)
{
    const double line = std::round(at) - 0.5;
    m_scene.grid.append({.line = {line, m_barsTop, line, m_barsBottom}, .color = {color, {}}});
}

void PanelLayout::addAxis()
{
    addGridLine(m_zero, SceneColor::Axis);
    if (!(m_maximum > 0))
        return;
    const double leastStep = m_panel.unit.isEmpty() ? 1 : 0; // without a unit things are counted: no half launches
    Ticks ticks = niceTicks(m_maximum, kMostTicks, leastStep);
    for (int count = kMostTicks - 1; count >= 2 && !ticksFit(ticks); --count)
        ticks = niceTicks(m_maximum, count, leastStep);
    if (!ticksFit(ticks))
        ticks.values = {0.0};
    const double top = m_barsBottom + kTickGap;
    for (qsizetype i = 0; i < ticks.values.size(); ++i) {
        if (i > 0)
            addGridLine(x(ticks.values[i]), SceneColor::Rule);
        const double left = tickLeft(ticks, i);
        m_scene.addText({left, top}, right() - left + 1, ticks.text(i), TextStyle::Small, {SceneColor::Muted, {}});
    }
    const double unitWidth = tickLeft(ticks, 0) - kSpacing - m_place.topLeft.x();
    m_scene.addText({m_place.topLeft.x(), top}, unitWidth, m_panel.unit, TextStyle::Small, {SceneColor::Muted, {}});
}

void PanelLayout::addBar(int index)
{
    const FigureBar &bar = m_panel.bars[index];
    const double top = m_barsTop + index * kRowHeight;
    const double textTop = top + (kRowHeight - lineHeight(TextStyle::Body)) / 2;
    m_scene.addText({m_place.topLeft.x(), textTop}, m_place.labelWidth, bar.label, TextStyle::Body,
                    {SceneColor::Ink, {}});
    FigureHit hit{.area = {m_place.topLeft.x(), top, m_place.width, kRowHeight},
                  .bar = {},
                  .rowIndex = m_place.rowIndex,
                  .panelIndex = m_place.panelIndex,
                  .barIndex = index,
                  .toolTip = bar.toolTip};
    if (isDrawable(bar.value)) {
        hit.bar = QRectF(m_zero, top + (kRowHeight - kBarHeight) / 2, *bar.value * m_unitLength, kBarHeight);
        m_scene.addBar(hit.bar, bar.color);
        addWhisker(bar, hit.bar.center().y());
        addTail(bar, textTop);
    } else {
        addState(bar, textTop);
    }
    if (hit.toolTip.isEmpty())
        hit.toolTip = QStringLiteral("%1: %2").arg(bar.label, isDrawable(bar.value) ? bar.valueText : bar.stateText);
    else if (!hit.toolTip.contains(bar.label))
        hit.toolTip.prepend(bar.label + u'\n');
    m_scene.hits.append(hit);
}

void PanelLayout::addTail(const FigureBar &bar, double top)
{
    const double end = addValue(bar, x(reach(bar)) + kGap, top);
    const double smallTop = top + (lineHeight(TextStyle::Body) - lineHeight(TextStyle::Small)) / 2;
    addNoted(bar, {end, smallTop}, flagText(bar), TextStyle::Small, SceneColor::Attention);
}

// The value stands after the bar, or inside its end where the panel has no room; returns where flags may begin.
double PanelLayout::addValue(const FigureBar &bar, double left, double top)
{
    const double width = styledWidth(bar.valueText, TextStyle::Body);
    const double insideEnd = x(isDrawable(bar.low) ? std::min(*bar.low, *bar.value) : *bar.value) - kGap;
    const bool inside = width > right() - left && insideEnd - width - kSpacing >= m_zero;
    if (inside) {
        m_scene.addText({insideEnd - width, top}, width + 1, bar.valueText, TextStyle::Body, {SceneColor::Ground, {}});
        return left;
    }
    const double taken =
        m_scene.addText({left, top}, right() - left, bar.valueText, TextStyle::Body, {SceneColor::Ink, {}});
    return left + taken + kGap;
}

void PanelLayout::addState(const FigureBar &bar, double top)
{
    const QString state = bar.stateText.isEmpty() ? bar.valueText : bar.stateText;
    const double left = m_zero + kGap;
    const double flagLeft = left + addNoted(bar, {left, top}, state, TextStyle::Body, SceneColor::Muted) + kGap;
    const double smallTop = top + (lineHeight(TextStyle::Body) - lineHeight(TextStyle::Small)) / 2;
    addNoted(bar, {flagLeft, smallTop}, flagText(bar), TextStyle::Small, SceneColor::Attention);
}

void PanelLayout::addWhisker(const FigureBar &bar, double centre)
{
    if (!isDrawable(bar.low) || !isDrawable(bar.high) || *bar.high < *bar.low)
        return;
    const double low = x(*bar.low), high = x(*bar.high);
    const double cap = kBarHeight / 4;
    for (const QLineF &line : {QLineF(low, centre, high, centre), QLineF(low, centre - cap, low, centre + cap),
                               QLineF(high, centre - cap, high, centre + cap)})
        m_scene.marks.append({.line = line, .color = {SceneColor::Ink, {}}, .width = 1.5, .halo = true});
}

} // namespace

double panelLabelWidth(const Figure &figure, double panelWidth)
{
    double width = 0;
    for (const FigureRow &row : figure.rows)
        for (const FigurePanel &panel : row.panels)
            for (const FigureBar &bar : panel.bars)
                width = std::max(width, styledWidth(bar.label, TextStyle::Body));
    return std::min(std::ceil(width), std::floor(panelWidth * 0.4));
}

double layoutPanel(FigureScene &scene, const FigurePanel &panel, const PanelPlace &place)
{
    return PanelLayout(scene, panel, place).run();
}

} // namespace stagecraft::widgets
