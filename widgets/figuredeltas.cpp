// SPDX-License-Identifier: GPL-3.0-or-later
#include "figuredeltas.h"

#include "figureaxis.h"
#include "niceticks.h"
#include "valuetable.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr double kGap = 2 * kSpacing;
constexpr double kColumnGap = 4 * kSpacing;
constexpr double kNarrow = 480; // below it a row's parts stand below each other
constexpr double kBarHeight = 4 * kSpacing;
constexpr double kRowGap = 2 * kSpacing;
constexpr double kMostLabel = 0.34, kMostValue = 0.36; // of the width; the scale keeps the rest
constexpr int kMostTicks = 5;

const SceneColor kInk{SceneColor::Ink, {}}, kMuted{SceneColor::Muted, {}};

bool isFinite(const std::optional<double> &value)
{
    return value && std::isfinite(*value);
}

// "beyond drift (2.1 %), few samples" in full: a picture has no tool tips.
QString flagsText(const FigureDelta &row)
{
    return row.flags.join(QStringLiteral(", "));
}

double widest(const QList<FigureDelta> &rows, const QString FigureDelta::*text, TextStyle style)
{
    double width = 0;
    for (const FigureDelta &row : rows)
        width = std::max(width, std::ceil(styledWidth(row.*text, style)) + 1);
    return width;
}

QString signedText(double value, int decimals)
{
    if (value == 0)
        return QStringLiteral("0");
    return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + fixedNumber(std::abs(value), decimals);
}

class DeltasLayout
{
public:
    DeltasLayout(FigureScene &scene, const FigureDeltas &deltas, const BlockPlace &place);
    double run();

private:
    bool isWide() const { return m_place.width >= kNarrow; }
    double left() const { return m_place.topLeft.x(); }
    double right() const { return m_place.topLeft.x() + m_place.width; }
    double x(double percent) const { return m_scaleLeft + (percent - m_low) * m_unitLength; }
    void readColumns();
    void readScale();
    double addRow(int index, double top);
    double addLabels(const FigureDelta &row, double top);
    QRectF addBar(const FigureDelta &row, double top);
    void addBand(double band, double top);
    double addValues(const FigureDelta &row, double top);
    double addValuesBelow(const FigureDelta &row, double top);
    double addState(const FigureDelta &row, double top);
    double addTicks(double top, double bottom);

    FigureScene &m_scene;
    const FigureDeltas &m_deltas;
    const BlockPlace &m_place;
    double m_labelWidth = 0, m_valueWidth = 0;
    double m_scaleLeft = 0, m_scaleRight = 0;
    double m_low = 0, m_high = 0, m_unitLength = 0;
    QList<AxisSegment> m_bars; // around which a narrow figure draws its grid
};

DeltasLayout::DeltasLayout(FigureScene &scene, const FigureDeltas &deltas, const BlockPlace &place)
    : m_scene(scene), m_deltas(deltas), m_place(place)
{
    readColumns();
    readScale();
}

void DeltasLayout::readColumns()
{
    m_scaleLeft = std::round(left() + 1);
    m_scaleRight = right() - 1;
    if (!isWide())
        return;
    const double label = std::max(widest(m_deltas.rows, &FigureDelta::label, TextStyle::Body),
                                  widest(m_deltas.rows, &FigureDelta::sublabel, TextStyle::Small));
    double value = widest(m_deltas.rows, &FigureDelta::detail, TextStyle::Small);
    for (const FigureDelta &row : m_deltas.rows)
        value = std::max(value, std::ceil(styledWidth(row.valueText, TextStyle::Body) + kGap +
                                          styledWidth(row.verdict, TextStyle::Small)) +
                                    1);
    m_labelWidth = std::min(label, std::floor(m_place.width * kMostLabel));
    m_valueWidth = std::min(value, std::floor(m_place.width * kMostValue));
    m_scaleLeft = std::round(left() + m_labelWidth + kColumnGap);
    m_scaleRight = right() - m_valueWidth - kColumnGap;
}

// Zero is on it, and every bar and band.
void DeltasLayout::readScale()
{
    for (const FigureDelta &row : m_deltas.rows) {
        if (!isFinite(row.value))
            continue;
        const double band = isFinite(row.band) ? std::abs(*row.band) : 0;
        m_low = std::min({m_low, *row.value, -band});
        m_high = std::max({m_high, *row.value, band});
    }
    if (m_high > m_low)
        m_unitLength = (m_scaleRight - m_scaleLeft) / (m_high - m_low);
}

double DeltasLayout::run()
{
    double y = m_place.topLeft.y() + layoutBlockHeading(m_scene, m_deltas.title, m_deltas.subtitle, m_place);
    const double top = y;
    for (int i = 0; i < m_deltas.rows.size(); ++i)
        y += addRow(i, y);
    if (m_unitLength > 0)
        y += addTicks(top, y);
    for (const QString &note : m_deltas.notes)
        y += m_scene.addParagraph({left(), y}, m_place.width, note, TextStyle::Small, kMuted);
    return y - m_place.topLeft.y();
}

double DeltasLayout::addRow(int index, double top)
{
    const FigureDelta &row = m_deltas.rows[index];
    const bool hasBar = isFinite(row.value);
    double y = top;
    const double labels = addLabels(row, top);
    QRectF bar;
    if (isWide()) {
        if (hasBar)
            bar = addBar(row, top + lineHeight(TextStyle::Body) - kBarHeight / 2.0 + 2);
        y += std::max(labels, hasBar ? addValues(row, top) : addState(row, top));
    } else {
        y += labels;
        if (hasBar) {
            bar = addBar(row, y + 2);
            y += kBarHeight + 4;
        }
        y += hasBar ? addValuesBelow(row, y) : addState(row, y);
    }
    m_scene.hits.append({.area = {left(), top, m_place.width, y - top},
                         .bar = bar,
                         .rowIndex = m_place.rowIndex,
                         .panelIndex = m_place.panelIndex,
                         .barIndex = index,
                         .toolTip = row.toolTip.isEmpty() ? row.label : row.toolTip});
    return y + kRowGap - top;
}

double DeltasLayout::addLabels(const FigureDelta &row, double top)
{
    const double width = isWide() ? m_labelWidth : m_place.width;
    const double label = m_scene.addParagraph({left(), top}, width, row.label, TextStyle::Body, kInk);
    return label + m_scene.addParagraph({left(), top + label}, width, row.sublabel, TextStyle::Small, kMuted);
}

// From zero, over the band.
QRectF DeltasLayout::addBar(const FigureDelta &row, double top)
{
    m_bars.append({top - kRowGap, top + kBarHeight + kRowGap});
    if (isFinite(row.band))
        addBand(std::abs(*row.band), top);
    const QRectF bar =
        QRectF(QPointF(x(std::min(0.0, *row.value)), top), QPointF(x(std::max(0.0, *row.value)), top + kBarHeight));
    m_scene.addBar(bar, row.color);
    return bar;
}

// Ground that a change must leave, with its edges across the bar.
void DeltasLayout::addBand(double band, double top)
{
    const double from = x(-band), to = x(band), bottom = top + kBarHeight + kSpacing;
    m_scene.areas.append({.outline = QPolygonF(QRectF(QPointF(from, top - kSpacing), QPointF(to, bottom))),
                          .color = {SceneColor::Rule, {}}});
    for (const double edge : {from, to})
        m_scene.marks.append({.line = {edge, top - kSpacing, edge, bottom}, .color = kMuted});
}

// "−76.7 %  beyond drift (2.1 %)" over "344.0 → 80.0 µs", then what to know of them.
double DeltasLayout::addValues(const FigureDelta &row, double top)
{
    const double start = right() - m_valueWidth;
    const double taken = m_scene.addText({start, top}, m_valueWidth, row.valueText, TextStyle::Body, kInk);
    double y = top + lineHeight(TextStyle::Body);
    const double room = m_valueWidth - taken - kGap;
    if (styledWidth(row.verdict, TextStyle::Small) <= room)
        m_scene.addText({start + taken + kGap, top + 2}, room, row.verdict, TextStyle::Small, kMuted);
    else
        y += m_scene.addParagraph({start, y}, m_valueWidth, row.verdict, TextStyle::Small, kMuted);
    y += m_scene.addParagraph({start, y}, m_valueWidth, row.detail, TextStyle::Small, kMuted);
    y += m_scene.addParagraph({start, y}, m_valueWidth, flagsText(row), TextStyle::Small, {SceneColor::Attention, {}});
    return y - top;
}

double DeltasLayout::addValuesBelow(const FigureDelta &row, double top)
{
    const double taken = m_scene.addText({left(), top}, m_place.width, row.valueText, TextStyle::Body, kInk);
    double y = top + lineHeight(TextStyle::Body);
    const QString rest = row.detail.isEmpty() || row.verdict.isEmpty()
                             ? row.detail + row.verdict
                             : row.detail + QStringLiteral(" · ") + row.verdict;
    const double room = m_place.width - taken - kGap;
    if (styledWidth(rest, TextStyle::Small) <= room)
        m_scene.addText({left() + taken + kGap, top + 2}, room, rest, TextStyle::Small, kMuted);
    else
        y += m_scene.addParagraph({left(), y}, m_place.width, rest, TextStyle::Small, kMuted);
    y +=
        m_scene.addParagraph({left(), y}, m_place.width, flagsText(row), TextStyle::Small, {SceneColor::Attention, {}});
    return y - top;
}

// In place of the bar, over scale and value.
double DeltasLayout::addState(const FigureDelta &row, double top)
{
    const double start = isWide() ? m_scaleLeft : left(), width = right() - start;
    const double state = m_scene.addParagraph({start, top}, width, row.stateText, TextStyle::Body, kMuted);
    return state + m_scene.addParagraph({start, top + state}, width, row.detail, TextStyle::Small, kMuted);
}

double DeltasLayout::addTicks(double top, double bottom)
{
    const Ticks ticks = niceTicks(m_high - m_low, kMostTicks);
    const QList<AxisSegment> segments = isWide() ? QList<AxisSegment>{{top, bottom}} : m_bars;
    const auto lines = [&](double value, SceneColor::Kind color) {
        for (const AxisSegment &segment : segments)
            addGridLine(m_scene, x(value), segment.top, segment.bottom, color);
    };
    const double textTop = bottom + kSpacing;
    double free = left();
    for (double step = std::ceil(m_low / ticks.step); step * ticks.step <= m_high; ++step) {
        const double value = step * ticks.step;
        lines(value, step == 0 ? SceneColor::Axis : SceneColor::Rule);
        const QString text = signedText(value, ticks.decimals) + (step == 0 ? QString() : QStringLiteral(" %"));
        const double width = styledWidth(text, TextStyle::Small);
        const double start = std::clamp(x(value) - width / 2, left(), std::max(left(), right() - width - 1));
        if (start < free)
            continue;
        m_scene.addText({start, textTop}, width + 1, text, TextStyle::Small, kMuted);
        free = start + width + kGap;
    }
    return kSpacing + lineHeight(TextStyle::Small);
}

} // namespace

double layoutDeltas(FigureScene &scene, const FigureDeltas &deltas, const BlockPlace &place)
{
    return DeltasLayout(scene, deltas, place).run();
}

} // namespace stagecraft::widgets
