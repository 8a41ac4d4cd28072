// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurescatter.h"

#include "scatterparts.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stagecraft::widgets {

namespace {

constexpr double kGap = 2 * kSpacing;
constexpr double kNarrow = 480;           // below it names stand below the plot
constexpr double kRadius = 4;             // of a marker
constexpr double kHeight = 75 * kSpacing; // of the plot, more where labels need it
constexpr double kLeader = 5 * kSpacing;  // between the plot and the labels at its right
constexpr double kMostLabel = 0.36;       // of the width
constexpr double kCeilingWidth = 1.5;

const SceneColor kInk{SceneColor::Ink, {}}, kMuted{SceneColor::Muted, {}};

// The shapes of the kinds, to be told apart without colour.
QPolygonF marker(int kind, const QPointF &centre)
{
    const double x = centre.x(), y = centre.y();
    if (kind == 1)
        return QPolygonF(
            QList<QPointF>{{x, y - kRadius - 1}, {x + kRadius + 1, y}, {x, y + kRadius + 1}, {x - kRadius - 1, y}});
    if (kind > 1)
        return QPolygonF(QRectF(x - kRadius, y - kRadius, 2 * kRadius, 2 * kRadius));
    QPainterPath path;
    path.addEllipse(centre, kRadius, kRadius);
    return path.toFillPolygon();
}

class ScatterLayout
{
public:
    ScatterLayout(FigureScene &scene, const FigureScatter &scatter, const BlockPlace &place)
        : m_scene(scene), m_scatter(scatter), m_place(place), m_range(scatterRange(scatter))
    {
    }

    double run();

private:
    bool isWide() const { return m_place.width >= kNarrow; }
    double left() const { return m_place.topLeft.x(); }
    double right() const { return left() + m_place.width; }
    double x(double value) const { return m_plot.left() + m_range.x.part(value) * m_plot.width(); }
    double y(double value) const { return m_plot.bottom() - m_range.y.part(value) * m_plot.height(); }
    QString itemLabel(qsizetype index) const;
    double labelWidth() const;
    double addKinds(double top);
    void placePlot(double top);
    void addGrid();
    void addCeilings();
    void addSlope(const FigureScatterCeiling &ceiling);
    void addLevel(const FigureScatterCeiling &ceiling);
    bool isFree(const QRectF &area) const;
    void addItems();
    void addItem(int index, double labelTop);
    void addMarker(int item, int kind);
    double addNames(double top);

    FigureScene &m_scene;
    const FigureScatter &m_scatter;
    const BlockPlace &m_place;
    const ScatterRange m_range;
    QRectF m_plot;
    QList<QRectF> m_ceilingTexts;
    QStringList m_homeless;   // texts of levels that found no room, and stand below
    QList<qsizetype> m_drawn; // items with markers, from the highest down
};

double ScatterLayout::run()
{
    double top = m_place.topLeft.y() + layoutBlockHeading(m_scene, m_scatter.title, m_scatter.subtitle, m_place);
    for (qsizetype i = 0; i < m_scatter.items.size(); ++i)
        if (isDrawn(m_scatter.items[i]))
            m_drawn.append(i);
    std::ranges::stable_sort(m_drawn, std::greater(), [this](qsizetype i) { return m_scatter.items[i].y; });
    if (m_range.isEmpty() || m_drawn.isEmpty()) {
        for (const QString &note : m_scatter.notes)
            top += m_scene.addParagraph({left(), top}, m_place.width, note, TextStyle::Small, kMuted);
        return top - m_place.topLeft.y();
    }
    top += addKinds(top);
    placePlot(top);
    addGrid();
    addCeilings();
    addItems();
    double end = m_plot.bottom() + kSpacing + lineHeight(TextStyle::Small);
    m_scene.addText({m_plot.left(), end}, m_plot.width(), m_scatter.xTitle, TextStyle::Small, kMuted);
    end += lineHeight(TextStyle::Small) + kSpacing;
    if (!isWide())
        end += addNames(end);
    for (const QString &note : m_homeless + m_scatter.notes)
        end += m_scene.addParagraph({left(), end}, m_place.width, note, TextStyle::Small, kMuted);
    return end - m_place.topLeft.y();
}

// "● bytes of L2 · L2 6.23 TB/s": a marker, what it stands for, and its slope's text.
double ScatterLayout::addKinds(double top)
{
    double start = left(), y = top;
    for (int kind = 0; kind < m_scatter.kinds.size(); ++kind) {
        QStringList parts{m_scatter.kinds[kind]};
        for (const FigureScatterCeiling &ceiling : m_scatter.ceilings)
            if (ceiling.kind == kind && !ceiling.level)
                parts.append(QStringLiteral("slope: %1").arg(ceiling.text));
        const QString text = parts.join(QStringLiteral(", "));
        const double width = std::ceil(styledWidth(text, TextStyle::Small)) + 2;
        if (start > left() && start + 2 * kGap + width > right()) {
            start = left();
            y += lineHeight(TextStyle::Small);
        }
        const QPointF centre(start + kRadius + 1, y + lineHeight(TextStyle::Small) / 2.0);
        m_scene.areas.append({.outline = marker(kind, centre), .color = kMuted});
        start += 2 * kRadius + kGap;
        start += m_scene.addText({start, y}, right() - start, text, TextStyle::Small, kMuted) + 2 * kGap;
    }
    return y + lineHeight(TextStyle::Small) + kSpacing - top;
}

QString ScatterLayout::itemLabel(qsizetype index) const
{
    return isWide() ? m_scatter.items[index].label : QString::number(index + 1);
}

double ScatterLayout::labelWidth() const
{
    double width = 0;
    for (const qsizetype index : m_drawn) {
        const double value = isWide() ? kGap + styledWidth(m_scatter.items[index].valueText, TextStyle::Small) : 0;
        width = std::max(width, std::ceil(styledWidth(itemLabel(index), TextStyle::Small) + value) + 2);
    }
    return std::min(width, std::floor(m_place.width * kMostLabel));
}

void ScatterLayout::placePlot(double top)
{
    double ticks = styledWidth(m_scatter.yTitle, TextStyle::Small);
    for (const double value : m_range.y.ticks)
        ticks = std::max(ticks, styledWidth(decadeText(value), TextStyle::Small));
    const double labels = static_cast<double>(m_drawn.size()) * lineHeight(TextStyle::Small);
    const double start = std::round(left() + std::ceil(ticks) + kGap);
    const double plotTop = std::round(top + lineHeight(TextStyle::Small) + kSpacing);
    m_plot = QRectF(start, plotTop, right() - labelWidth() - kLeader - start, std::max(kHeight, labels));
    m_scene.addText({left(), top}, m_plot.right() - left(), m_scatter.yTitle, TextStyle::Small, kMuted);
}

void ScatterLayout::addGrid()
{
    double above = m_plot.bottom() + lineHeight(TextStyle::Small);
    for (const double value : m_range.y.ticks) {
        const double line = std::round(y(value)) - 0.5;
        if (above - line < lineHeight(TextStyle::Small))
            continue;
        above = line;
        m_scene.grid.append({.line = {m_plot.left(), line, m_plot.right(), line}, .color = {SceneColor::Rule, {}}});
        m_scene.addText({left(), line - lineHeight(TextStyle::Small) / 2.0}, m_plot.left() - kGap - left(),
                        decadeText(value), TextStyle::Small, kMuted, Qt::AlignRight);
    }
    double free = left();
    for (const double value : m_range.x.ticks) {
        const double line = std::round(x(value)) - 0.5;
        m_scene.grid.append({.line = {line, m_plot.top(), line, m_plot.bottom()}, .color = {SceneColor::Rule, {}}});
        const QString text = decadeText(value);
        const double width = styledWidth(text, TextStyle::Small);
        const double start = std::clamp(line - width / 2, left(), right() - width - 1);
        if (start < free)
            continue;
        m_scene.addText({start, m_plot.bottom() + kSpacing}, width + 1, text, TextStyle::Small, kMuted);
        free = start + width + kGap;
    }
}

void ScatterLayout::addCeilings()
{
    for (const FigureScatterCeiling &ceiling : m_scatter.ceilings) {
        if (isPositive(ceiling.level))
            addLevel(ceiling);
        else if (isPositive(ceiling.slope))
            addSlope(ceiling);
    }
}

// From the plot's edge up to the highest level, its kind's marker where it begins.
void ScatterLayout::addSlope(const FigureScatterCeiling &ceiling)
{
    const double slope = *ceiling.slope, end = m_range.highestLevel;
    const double from = std::max(m_range.x.low, m_range.y.low / slope), to = std::min(m_range.x.high, end / slope);
    if (!(to > from))
        return;
    const QPointF start(x(from), y(from * slope));
    m_scene.grid.append({.line = {start, QPointF(x(to), y(to * slope))},
                         .color = ceiling.kind == 0 ? kInk : kMuted,
                         .width = kCeilingWidth});
    if (ceiling.kind >= 0)
        m_scene.areas.append({.outline = marker(ceiling.kind, start), .color = ceiling.kind == 0 ? kInk : kMuted});
}

// From where the steepest slope meets it, its text above it at the right, or where no marker is in its way.
void ScatterLayout::addLevel(const FigureScatterCeiling &ceiling)
{
    const double level = *ceiling.level, line = std::round(y(level)) - 0.5;
    double from = m_range.x.low;
    if (m_range.steepest > 0)
        from = std::clamp(level / m_range.steepest, m_range.x.low, m_range.x.high);
    m_scene.grid.append({.line = {x(from), line, m_plot.right(), line}, .color = kInk, .width = kCeilingWidth});
    const double width = std::min(std::ceil(styledWidth(ceiling.text, TextStyle::Small)) + 1, m_plot.width());
    const double height = lineHeight(TextStyle::Small), above = line - height - 1, below = line + 1;
    const double end = m_plot.right() - width - 1;
    for (const double top : {above, below, above - height, below + height}) {
        if (top < m_plot.top() || top + height > m_plot.bottom())
            continue;
        for (double start = end; start > m_plot.left(); start -= 2 * kGap)
            if (const QRectF area(start, top, width, height); isFree(area)) {
                m_ceilingTexts.append(area);
                m_scene.addText(area.topLeft(), width, ceiling.text, TextStyle::Small, kInk);
                return;
            }
    }
    m_homeless.append(QStringLiteral("Level: %1.").arg(ceiling.text));
}

// Of other ceilings' texts and of markers; lines pause behind texts.
bool ScatterLayout::isFree(const QRectF &area) const
{
    const QRectF wide = area.adjusted(-kRadius - 1, -kRadius - 1, kRadius + 1, kRadius + 1);
    const auto isIn = [&](const FigureScatterItem &item) {
        return std::ranges::any_of(item.x, [&](const std::optional<double> &value) {
            return isPositive(value) && wide.contains(QPointF(x(*value), y(item.y)));
        });
    };
    return std::ranges::none_of(m_ceilingTexts, [&](const QRectF &other) { return other.intersects(area); }) &&
           std::ranges::none_of(m_drawn, [&](qsizetype index) { return isIn(m_scatter.items[index]); });
}

void ScatterLayout::addItems()
{
    const double half = lineHeight(TextStyle::Small) / 2.0;
    QList<double> wanted;
    for (const qsizetype index : m_drawn)
        wanted.append(y(m_scatter.items[index].y) - half);
    const QList<double> tops =
        spreadTexts(wanted, m_plot.top() - half, m_plot.bottom() + half, lineHeight(TextStyle::Small));
    for (qsizetype i = 0; i < m_drawn.size(); ++i)
        addItem(static_cast<int>(m_drawn[i]), tops[i]);
}

// Its label, a line from there to its rightmost marker and on to its leftmost, and the markers.
void ScatterLayout::addItem(int index, double labelTop)
{
    const FigureScatterItem &item = m_scatter.items[index];
    const SceneColor color{SceneColor::Role, item.color};
    double from = m_plot.right(), to = m_plot.left();
    for (const std::optional<double> &value : item.x)
        if (isPositive(value)) {
            from = std::min(from, x(*value));
            to = std::max(to, x(*value));
        }
    const double height = y(item.y), start = right() - labelWidth();
    const double bend = m_plot.right(), middle = labelTop + lineHeight(TextStyle::Small) / 2.0;
    m_scene.grid.append({.line = {to, height, bend, height}, .color = {SceneColor::Rule, {}}});
    m_scene.grid.append({.line = {bend, height, start - kSpacing, middle}, .color = {SceneColor::Rule, {}}});
    m_scene.grid.append({.line = {from, height, to, height}, .color = color});
    for (int kind = 0; kind < item.x.size(); ++kind)
        if (isPositive(item.x[kind]))
            addMarker(index, kind);
    const double value = isWide() ? std::ceil(styledWidth(item.valueText, TextStyle::Small)) + 1 : 0;
    m_scene.addText({start, labelTop}, labelWidth() - value - (value > 0 ? kGap : 0), itemLabel(index),
                    TextStyle::Small, kInk);
    if (value > 0)
        m_scene.addText({right() - value, labelTop}, value, item.valueText, TextStyle::Small, kMuted, Qt::AlignRight);
}

void ScatterLayout::addMarker(int index, int kind)
{
    const FigureScatterItem &item = m_scatter.items[index];
    const QPointF centre(x(*item.x[kind]), y(item.y));
    m_scene.areas.append({.outline = marker(kind, centre), .color = {SceneColor::Role, item.color}});
    const double reach = 2 * kSpacing;
    m_scene.hits.append({.area = {centre.x() - reach, centre.y() - reach, 2 * reach, 2 * reach},
                         .bar = marker(kind, centre).boundingRect(),
                         .rowIndex = m_place.rowIndex,
                         .panelIndex = kind,
                         .barIndex = index,
                         .toolTip = item.toolTips.value(kind, item.label)});
}

// "1 tiled 6.24", as many beside each other as fit.
double ScatterLayout::addNames(double top)
{
    double start = left(), y = top;
    for (qsizetype i = 0; i < m_scatter.items.size(); ++i) {
        const FigureScatterItem &item = m_scatter.items[i];
        const QString text =
            QStringLiteral("%1 %2 %3")
                .arg(QString::number(i + 1), item.label, item.stateText.isEmpty() ? item.valueText : item.stateText);
        const double width = std::ceil(styledWidth(text, TextStyle::Small)) + 1;
        if (start > left() && start + width > right()) {
            start = left();
            y += lineHeight(TextStyle::Small);
        }
        m_scene.addText({start, y}, right() - start, text, TextStyle::Small, kInk);
        start += width + 2 * kGap;
    }
    return y + lineHeight(TextStyle::Small) + kSpacing - top;
}

} // namespace

double layoutScatter(FigureScene &scene, const FigureScatter &scatter, const BlockPlace &place)
{
    return ScatterLayout(scene, scatter, place).run();
}

} // namespace stagecraft::widgets
