// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurelist.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr double kGap = 2 * kSpacing;
constexpr double kColumnGap = 5 * kSpacing;
constexpr double kWide = 820; // below it an entry's parts stand below each other
constexpr double kEntryGap = kSpacing;
constexpr double kTitleShare = 0.26, kAgainstShare = 0.28; // of the width at most; the rest is for the verdict
constexpr double kMostValueShare = 0.12;

const SceneColor kInk{SceneColor::Ink, {}}, kMuted{SceneColor::Muted, {}};

class ListLayout
{
public:
    ListLayout(FigureScene &scene, const FigureList &list, const BlockPlace &place, const ListColumns &columns)
        : m_scene(scene), m_list(list), m_place(place), m_widths(columns)
    {
    }
    double run();

private:
    double addRow(const FigureEntry &entry, double top);
    double addStacked(const FigureEntry &entry, double top);

    FigureScene &m_scene;
    const FigureList &m_list;
    const BlockPlace &m_place;
    const ListColumns &m_widths;
};

double ListLayout::run()
{
    double y = m_place.topLeft.y() + layoutBlockHeading(m_scene, m_list.title, m_list.subtitle, m_place);
    for (int i = 0; i < m_list.entries.size(); ++i) {
        const FigureEntry &entry = m_list.entries[i];
        const double height = m_place.width >= kWide ? addRow(entry, y) : addStacked(entry, y);
        m_scene.hits.append({.area = {m_place.topLeft.x(), y, m_place.width, height},
                             .bar = {},
                             .rowIndex = m_place.rowIndex,
                             .panelIndex = m_place.panelIndex,
                             .barIndex = i,
                             .toolTip = entry.toolTip.isEmpty() ? entry.title : entry.toolTip});
        y += height + kEntryGap;
    }
    return y - m_place.topLeft.y();
}

double ListLayout::addRow(const FigureEntry &entry, double top)
{
    double x = m_place.topLeft.x(), height = lineHeight(TextStyle::Body);
    const auto cell = [&](double width, const QString &text, SceneColor color) {
        height = std::max(height, m_scene.addParagraph({x, top}, width, text, TextStyle::Body, color));
        x += width > 0 ? width + kColumnGap : 0;
    };
    cell(m_widths.title, entry.title, kInk);
    cell(m_widths.metric, entry.metric, kMuted);
    const bool isState = entry.valueText.isEmpty();
    m_scene.addText({x, top}, m_widths.value, isState ? entry.stateText : entry.valueText, TextStyle::Body,
                    isState ? kMuted : kInk, isState ? Qt::AlignLeft : Qt::AlignRight);
    x += m_widths.value > 0 ? m_widths.value + kColumnGap : 0;
    cell(m_widths.factor, entry.factor, kInk);
    cell(m_widths.against, entry.against, kMuted);
    cell(m_place.topLeft.x() + m_place.width - x, entry.verdict, kMuted);
    return height;
}

// "span 210.51 µs · 1.45× as long" under the title, then what it is compared with and what came of it.
double ListLayout::addStacked(const FigureEntry &entry, double top)
{
    const double left = m_place.topLeft.x();
    double y = top + m_scene.addParagraph({left, top}, m_place.width, entry.title, TextStyle::Body, kInk);
    const bool isState = entry.valueText.isEmpty();
    QStringList parts{entry.metric + u' ' + (isState ? entry.stateText : entry.valueText), entry.factor};
    parts.removeAll(QString());
    y += m_scene.addParagraph({left, y}, m_place.width, parts.join(QStringLiteral(" · ")), TextStyle::Body,
                              isState ? kMuted : kInk);
    for (const QString &text : {entry.against, entry.verdict})
        y += m_scene.addParagraph({left, y}, m_place.width, text, TextStyle::Small, kMuted);
    return y - top + kGap;
}

} // namespace

ListColumns listColumns(const QList<FigureLadder> &ladders, double width)
{
    ListColumns columns;
    for (const FigureLadder &ladder : ladders)
        for (const FigureList &list : ladder.lists)
            for (const FigureEntry &entry : list.entries) {
                const QString value = entry.valueText.isEmpty() ? entry.stateText : entry.valueText;
                const auto widen = [](double &column, const QString &text) {
                    column = std::max(column, std::ceil(styledWidth(text, TextStyle::Body)) + 1);
                };
                widen(columns.title, entry.title);
                widen(columns.metric, entry.metric);
                widen(columns.value, value);
                widen(columns.factor, entry.factor);
                widen(columns.against, entry.against);
            }
    // Words from evidence may be long; columns stay columns.
    columns.title = std::min(columns.title, std::round(width * kTitleShare));
    columns.against = std::min(columns.against, std::round(width * kAgainstShare));
    for (double *column : {&columns.metric, &columns.value, &columns.factor})
        *column = std::min(*column, std::round(width * kMostValueShare));
    return columns;
}

double layoutBlockHeading(FigureScene &scene, const QString &title, const QString &subtitle, const BlockPlace &place)
{
    const double titleWidth = styledWidth(title, TextStyle::Panel);
    const double behind = titleWidth > 0 ? titleWidth + kGap : 0;
    if (behind + styledWidth(subtitle, TextStyle::Small) > place.width) {
        const double height = scene.addParagraph(place.topLeft, place.width, title, TextStyle::Panel, kInk);
        return height + kSpacing +
               scene.addParagraph(place.topLeft + QPointF(0, height), place.width, subtitle, TextStyle::Small, kMuted);
    }
    if (title.isEmpty() && subtitle.isEmpty())
        return 0;
    scene.addText(place.topLeft, place.width, title, TextStyle::Panel, kInk);
    // Both on one baseline, whatever their line boxes.
    scene.addText(place.topLeft + QPointF(behind, 3), place.width - behind, subtitle, TextStyle::Small, kMuted);
    return lineHeight(TextStyle::Panel) + kSpacing;
}

double layoutList(FigureScene &scene, const FigureList &list, const BlockPlace &place, const ListColumns &columns)
{
    return ListLayout(scene, list, place, columns).run();
}

} // namespace stagecraft::widgets
