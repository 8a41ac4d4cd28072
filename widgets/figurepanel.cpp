// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurepanel.h"

#include "figureaxis.h"
#include "figurebar.h"
#include "figurefloors.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr double kRowHeight = 7 * kSpacing;
constexpr double kBarHeight = kRowHeight / 2; // bars at half the row's height
constexpr double kGap = 2 * kSpacing;
constexpr double kRounding = 1e-6;                  // what sums of lengths may lack of each other
constexpr double kNarrow = 120 * kSpacing;          // below it details take the panel's whole width
constexpr double kMostDetailWidth = 130 * kSpacing; // longer lines are hard to follow

class PanelLayout
{
public:
    PanelLayout(FigureScene &scene, const FigurePanel &panel, const PanelPlace &place);
    double run(); // returns the height taken

private:
    double right() const { return m_axis.right; }
    bool isNarrow() const { return m_place.width < kNarrow; }
    bool hasDetails() const;
    QRectF detailColumn() const;
    void fitScale();
    double addNotes(double top);
    double addNoted(const FigureBar &bar, const QPointF &topLeft, const QString &text, TextStyle style,
                    SceneColor::Kind color);
    void addHeader();
    void addLimitText();
    void addLimitLine(const AxisSegment &segment);
    double addBar(int index, double top);
    double addDetails(const FigureBar &bar, double top);
    void addTail(const FigureBar &bar, double top);
    double tailLeft(const FigureBar &bar) const;
    double insideEnd(const FigureBar &bar) const; // where a value inside the bar ends
    bool valueIsInside(const FigureBar &bar) const;
    double addValue(const FigureBar &bar, double left, double top);
    void addState(const FigureBar &bar, double top);
    void addWhisker(const FigureBar &bar, double centre);

    FigureScene &m_scene;
    const FigurePanel &m_panel;
    const PanelPlace &m_place;
    FigureAxis m_axis;
    double m_y; // below what is laid out so far
    QStringList m_notes;
};

PanelLayout::PanelLayout(FigureScene &scene, const FigurePanel &panel, const PanelPlace &place)
    : m_scene(scene), m_panel(panel), m_place(place), m_y(place.topLeft.y())
{
    m_axis.zero = std::round(place.topLeft.x() + place.labelWidth + kGap);
    m_axis.right = place.topLeft.x() + place.width;
    fitScale();
}

// With a limit the scale reaches it, with room behind its line for every value.
void PanelLayout::fitScale()
{
    QList<AxisTail> tails;
    for (const FigureBar &bar : m_panel.bars)
        tails.append({isDrawable(bar.value) ? reachWithFloor(bar, m_panel.floors) : 0,
                      isDrawable(bar.value) ? barTailWidth(bar) : 0});
    if (m_panel.limit && isDrawable(m_panel.limit->value))
        for (AxisTail &tail : tails)
            tail.reach = std::max(tail.reach, m_panel.limit->value);
    fitAxis(m_axis, tails + floorTails(m_panel.floors));
}

double PanelLayout::run()
{
    addHeader();
    addLimitText();
    m_y += m_place.floorHeight;
    QList<AxisSegment> segments;
    const double barsTop = m_y;
    for (int i = 0; i < m_panel.bars.size(); ++i) {
        segments.append({m_y, m_y + kRowHeight});
        m_y += addBar(i, m_y);
    }
    // Lines lead through the details beside them, and pause where those take the whole width.
    if (!hasDetails() || !isNarrow())
        segments = {{barsTop, m_y}};
    for (const AxisSegment &segment : segments)
        addLimitLine(segment);
    addFloorTexts(m_scene, m_panel.floors, m_axis, m_place.topLeft.x(), barsTop, m_y);
    m_y += addAxis(m_scene, m_axis, segments, m_y, m_place.topLeft.x(), m_panel.unit);
    if (!m_panel.conclusion.isEmpty())
        m_y += kSpacing + m_scene.addParagraph({m_place.topLeft.x(), m_y + kSpacing}, m_place.width, m_panel.conclusion,
                                               TextStyle::Body, {SceneColor::Ink, {}});
    return m_y + addNotes(m_y) - m_place.topLeft.y();
}

double PanelLayout::addNotes(double top)
{
    const QStringList notes = floorNotes(m_panel.floors, m_place.width) + m_notes + m_panel.notes;
    double height = notes.isEmpty() ? 0 : kGap;
    for (const QString &note : notes)
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
    if (!m_panel.title.isEmpty()) {
        m_scene.addText({m_place.topLeft.x(), m_y}, m_place.width, m_panel.title, TextStyle::Panel,
                        {SceneColor::Ink, {}});
        m_y += lineHeight(TextStyle::Panel);
    }
    if (!m_panel.subtitle.isEmpty()) {
        m_scene.addText({m_place.topLeft.x(), m_y}, m_place.width, m_panel.subtitle, TextStyle::Small,
                        {SceneColor::Muted, {}});
        m_y += lineHeight(TextStyle::Small);
    }
    m_y += m_y > m_place.topLeft.y() ? kSpacing : 0;
}

// Above its line, ending there: what is behind belongs to the values.
void PanelLayout::addLimitText()
{
    if (!m_panel.limit || !(m_axis.maximum > 0))
        return;
    m_scene.addText({m_place.topLeft.x(), m_y}, m_axis.x(m_panel.limit->value) - m_place.topLeft.x(),
                    m_panel.limit->text, TextStyle::Small, {SceneColor::Ink, {}}, Qt::AlignRight);
    m_y += lineHeight(TextStyle::Small);
}

void PanelLayout::addLimitLine(const AxisSegment &segment)
{
    if (!m_panel.limit || !(m_axis.maximum > 0))
        return;
    const double x = std::round(m_axis.x(m_panel.limit->value)) - 0.5;
    m_scene.marks.append({.line = {x, segment.top, x, segment.bottom}, .color = {SceneColor::Ink, {}}, .width = 1});
}

bool PanelLayout::hasDetails() const
{
    return std::any_of(m_panel.bars.begin(), m_panel.bars.end(),
                       [](const FigureBar &bar) { return !bar.details.isEmpty(); });
}

// Beside the labels and within the limit where there is room, else the panel's whole width.
QRectF PanelLayout::detailColumn() const
{
    if (isNarrow())
        return {m_place.topLeft.x(), 0, m_place.width, 0};
    const bool limited = m_panel.limit && m_axis.maximum > 0;
    const double left = m_axis.zero + kGap, end = limited ? m_axis.x(m_panel.limit->value) - kGap : right();
    return {left, 0, std::min(end - left, kMostDetailWidth), 0};
}

// Returns the height of the bar's row.
double PanelLayout::addBar(int index, double top)
{
    const FigureBar &bar = m_panel.bars[index];
    const double textTop = top + (kRowHeight - lineHeight(TextStyle::Body)) / 2;
    m_scene.addText({m_place.topLeft.x(), textTop}, m_place.labelWidth, bar.label, TextStyle::Body,
                    {SceneColor::Ink, {}});
    const double height = kRowHeight + addDetails(bar, top + kRowHeight);
    FigureHit hit{.area = {m_place.topLeft.x(), top, m_place.width, height},
                  .bar = {},
                  .rowIndex = m_place.rowIndex,
                  .panelIndex = m_place.panelIndex,
                  .barIndex = index,
                  .toolTip = bar.toolTip};
    if (isDrawable(bar.value)) {
        hit.bar = QRectF(m_axis.zero, top + (kRowHeight - kBarHeight) / 2, *bar.value * m_axis.unitLength, kBarHeight);
        m_scene.addBar(hit.bar, bar.color);
        addWhisker(bar, hit.bar.center().y());
        addTail(bar, textTop);
        if (!valueIsInside(bar))
            addFloorMark(m_scene, bar, m_panel.floors, m_axis, {top, top + kRowHeight});
    } else {
        addState(bar, textTop);
    }
    if (hit.toolTip.isEmpty())
        hit.toolTip = QStringLiteral("%1: %2").arg(bar.label, isDrawable(bar.value) ? bar.valueText : bar.stateText);
    else if (!hit.toolTip.contains(bar.label))
        hit.toolTip.prepend(bar.label + u'\n');
    m_scene.hits.append(hit);
    return height;
}

// Close to their bar, and a little apart from the next one.
double PanelLayout::addDetails(const FigureBar &bar, double top)
{
    double height = isNarrow() ? 0 : -kSpacing;
    const QRectF column = detailColumn();
    for (const QString &detail : bar.details)
        height += m_scene.addParagraph({column.left(), top + height}, column.width(), detail, TextStyle::Small,
                                       {SceneColor::Muted, {}});
    return bar.details.isEmpty() ? 0 : height + kGap;
}

void PanelLayout::addTail(const FigureBar &bar, double top)
{
    const double end = addValue(bar, tailLeft(bar), top);
    const double smallTop = top + (lineHeight(TextStyle::Body) - lineHeight(TextStyle::Small)) / 2;
    addNoted(bar, {end, smallTop}, barFlags(bar), TextStyle::Small, SceneColor::Attention);
}

// At the bar's end, or behind the limit's line where it would cross it.
double PanelLayout::tailLeft(const FigureBar &bar) const
{
    const double left = m_axis.x(reachWithFloor(bar, m_panel.floors)) + kGap;
    if (!m_panel.limit)
        return left;
    const double limit = m_axis.x(m_panel.limit->value);
    return left + barTailWidth(bar) <= limit ? left : std::max(left, limit + kGap);
}

double PanelLayout::insideEnd(const FigureBar &bar) const
{
    return m_axis.x(isDrawable(bar.low) ? std::min(*bar.low, *bar.value) : *bar.value) - kGap;
}

bool PanelLayout::valueIsInside(const FigureBar &bar) const
{
    const double width = styledWidth(bar.valueText, TextStyle::Body);
    return width > right() - tailLeft(bar) + kRounding && insideEnd(bar) - width - kSpacing >= m_axis.zero;
}

// The value stands after the bar, or inside its end where the panel has no room; returns where flags may begin.
double PanelLayout::addValue(const FigureBar &bar, double left, double top)
{
    if (valueIsInside(bar)) {
        const double width = styledWidth(bar.valueText, TextStyle::Body);
        m_scene.addText({insideEnd(bar) - width, top}, width + 1, bar.valueText, TextStyle::Body,
                        {SceneColor::Ground, {}});
        return left;
    }
    const double taken =
        m_scene.addText({left, top}, right() - left + kRounding, bar.valueText, TextStyle::Body, {SceneColor::Ink, {}});
    return left + taken + kGap;
}

void PanelLayout::addState(const FigureBar &bar, double top)
{
    const QString state = bar.stateText.isEmpty() ? bar.valueText : bar.stateText;
    const double left = m_axis.zero + kGap;
    const double flagLeft = left + addNoted(bar, {left, top}, state, TextStyle::Body, SceneColor::Muted) + kGap;
    const double smallTop = top + (lineHeight(TextStyle::Body) - lineHeight(TextStyle::Small)) / 2;
    addNoted(bar, {flagLeft, smallTop}, barFlags(bar), TextStyle::Small, SceneColor::Attention);
}

void PanelLayout::addWhisker(const FigureBar &bar, double centre)
{
    if (!isDrawable(bar.low) || !isDrawable(bar.high) || *bar.high < *bar.low)
        return;
    const double low = m_axis.x(*bar.low), high = m_axis.x(*bar.high);
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
    return std::min(std::ceil(width), std::floor(panelWidth * 0.45));
}

double layoutPanel(FigureScene &scene, const FigurePanel &panel, const PanelPlace &place)
{
    return PanelLayout(scene, panel, place).run();
}

} // namespace stagecraft::widgets
