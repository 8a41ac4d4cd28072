// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurelayout.h"

#include "figuredeltas.h"
#include "figurefloors.h"
#include "figureladder.h"
#include "figurepanel.h"
#include "figureplot.h"
#include "figurescatter.h"
#include "figuretext.h"
#include "figuretrend.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr double kColumnGap = 10 * kSpacing;
constexpr double kLeastPanelWidth = 52 * kSpacing;      // narrower panels go below each other
constexpr double kWidestLabelledPanel = 100 * kSpacing; // wider ones are not asked for to show a label in full
constexpr double kPanelGap = 5 * kSpacing;              // between panels below each other
constexpr double kRowGap = 7 * kSpacing;                // between rows of panels
constexpr double kLeastScatterWidth = 125 * kSpacing;   // narrower ones go below each other
constexpr double kLadderGap = 10 * kSpacing;            // between ladders, which hold gaps of their own

// Labels longer than any panel can show are shortened in one column too.
bool labelsAreCut(const Figure &figure, double panelWidth)
{
    const double shown = panelLabelWidth(figure, panelWidth);
    return shown < panelLabelWidth(figure, kWidestLabelledPanel) && panelWidth < kWidestLabelledPanel;
}

class Composer
{
public:
    Composer(const Figure &figure, Layout layout)
        : m_figure(figure),
          m_margin((layout == Layout::Desktop ? 6 : 4) * kSpacing),
          m_content(figure.width(layout) - 2 * m_margin),
          m_y(m_margin),
          m_columns(layout == Layout::Desktop ? columnsThatFit(figure, m_content) : 1)
    {
        m_scene.size.setWidth(figure.width(layout));
    }

    FigureScene run();

private:
    static int columnsThatFit(const Figure &figure, double content);
    double columnWidth() const { return (m_content + kColumnGap) / m_columns - kColumnGap; }
    void addParagraph(const QString &text, TextStyle style, SceneColor color)
    {
        m_y += m_scene.addParagraph({m_margin, m_y}, m_content, text, style, color);
    }
    void addHeader();
    void addRow(int rowIndex);
    void addRowHeading(const FigureRow &row);
    void addPlots();
    void addLadders();
    void addDeltas();
    void addTrends();
    void addScatters();
    BlockPlace placeOf(qsizetype block) const;
    void addFooter();

    const Figure &m_figure;
    const double m_margin, m_content;
    double m_y;
    const int m_columns;
    FigureScene m_scene;
};

// As many as the figure wants where panels keep their least width and labels need not be shortened; fewer are spread
// evenly, so that no row of panels is nearly empty.
int Composer::columnsThatFit(const Figure &figure, double content)
{
    const auto widthOf = [content](int columns) { return (content + kColumnGap) / columns - kColumnGap; };
    int columns = std::max(1, figure.columns);
    while (columns > 1 && (widthOf(columns) < kLeastPanelWidth || labelsAreCut(figure, widthOf(columns))))
        --columns;
    qsizetype panels = 1;
    for (const FigureRow &row : figure.rows)
        panels = std::max(panels, row.panels.size());
    if (columns == figure.columns || panels <= columns)
        return columns;
    const int rows = static_cast<int>((panels + columns - 1) / columns);
    return static_cast<int>((panels + rows - 1) / rows);
}

FigureScene Composer::run()
{
    addHeader();
    if (m_figure.unavailable.isEmpty()) {
        for (int i = 0; i < m_figure.rows.size(); ++i)
            addRow(i);
        addLadders();
        addDeltas();
        addTrends();
        addScatters();
        addPlots();
    } else {
        m_y += kRowGap;
        addParagraph(QStringLiteral("Unavailable: %1").arg(m_figure.unavailable), TextStyle::Body,
                     {SceneColor::Muted, {}});
    }
    addFooter();
    m_scene.size.setHeight(std::ceil(m_y + m_margin));
    return std::move(m_scene);
}

void Composer::addHeader()
{
    addParagraph(m_figure.title, TextStyle::Title, {SceneColor::Ink, {}});
    addParagraph(m_figure.subtitle, TextStyle::Body, {SceneColor::Muted, {}});
}

// Title and, behind it where the line has room, the metric.
void Composer::addRowHeading(const FigureRow &row)
{
    const double titleWidth = styledWidth(row.title, TextStyle::Heading);
    const double subtitleLeft = titleWidth > 0 ? titleWidth + 3 * kSpacing : 0;
    if (subtitleLeft + styledWidth(row.subtitle, TextStyle::Body) > m_content) {
        addParagraph(row.title, TextStyle::Heading, {SceneColor::Ink, {}});
        addParagraph(row.subtitle, TextStyle::Body, {SceneColor::Muted, {}});
        return;
    }
    m_scene.addText({m_margin, m_y}, m_content, row.title, TextStyle::Heading, {SceneColor::Ink, {}});
    // Half the difference of the line boxes and of the sizes puts both on one baseline.
    m_scene.addText({m_margin + subtitleLeft, m_y + 3}, m_content - subtitleLeft, row.subtitle, TextStyle::Body,
                    {SceneColor::Muted, {}});
    m_y += row.title.isEmpty() && row.subtitle.isEmpty() ? 0 : lineHeight(TextStyle::Heading);
}

void Composer::addRow(int rowIndex)
{
    const FigureRow &row = m_figure.rows[rowIndex];
    m_y += kRowGap;
    addRowHeading(row);
    const double width = columnWidth();
    const double labelWidth = panelLabelWidth(m_figure, width);
    for (int first = 0; first < row.panels.size(); first += m_columns) {
        m_y += first == 0 ? 2 * kSpacing : kPanelGap;
        const int end = std::min<int>(first + m_columns, static_cast<int>(row.panels.size()));
        double height = 0, floorHeight = 0;
        for (int i = first; i < end; ++i)
            floorHeight = std::max(floorHeight, floorTextsHeight(row.panels[i].floors));
        for (int i = first; i < end; ++i) {
            const double left = m_margin + (i - first) * (width + kColumnGap);
            const PanelPlace place{.topLeft = {left, m_y},
                                   .width = width,
                                   .labelWidth = labelWidth,
                                   .rowIndex = rowIndex,
                                   .panelIndex = i,
                                   .floorHeight = floorHeight};
            height = std::max(height, layoutPanel(m_scene, row.panels[i], place));
        }
        m_y += height;
    }
}

void Composer::addLadders()
{
    const double labelWidth = ladderLabelWidth(m_figure.ladders, m_content);
    const ListColumns columns = listColumns(m_figure.ladders, m_content);
    for (int i = 0; i < m_figure.ladders.size(); ++i) {
        m_y += i == 0 ? kRowGap : kLadderGap;
        const LadderPlace place{.topLeft = {m_margin, m_y},
                                .width = m_content,
                                .labelWidth = labelWidth,
                                .columns = columns,
                                .rowIndex = static_cast<int>(m_figure.rows.size()) + i};
        m_y += layoutLadder(m_scene, m_figure.ladders[i], place);
    }
}

// Blocks below the ladders, counted on from them.
BlockPlace Composer::placeOf(qsizetype block) const
{
    return {.topLeft = {m_margin, m_y},
            .width = m_content,
            .rowIndex = static_cast<int>(m_figure.rows.size() + m_figure.ladders.size() + block),
            .panelIndex = 0};
}

void Composer::addDeltas()
{
    for (qsizetype i = 0; i < m_figure.deltas.size(); ++i) {
        m_y += kRowGap;
        m_y += layoutDeltas(m_scene, m_figure.deltas[i], placeOf(i));
    }
}

void Composer::addTrends()
{
    for (qsizetype i = 0; i < m_figure.trends.size(); ++i) {
        m_y += kRowGap;
        m_y += layoutTrend(m_scene, m_figure.trends[i], placeOf(m_figure.deltas.size() + i));
    }
}

// Side by side where each keeps its least width.
void Composer::addScatters()
{
    const int columns = m_content >= 2 * kLeastScatterWidth + kColumnGap ? std::max(1, m_figure.columns) : 1;
    const double width = (m_content + kColumnGap) / columns - kColumnGap;
    for (qsizetype first = 0; first < m_figure.scatters.size(); first += columns) {
        m_y += kRowGap;
        double height = 0;
        for (qsizetype i = first; i < std::min(first + columns, m_figure.scatters.size()); ++i) {
            BlockPlace place = placeOf(m_figure.deltas.size() + m_figure.trends.size() + i);
            place.topLeft.rx() += static_cast<double>(i - first) * (width + kColumnGap);
            place.width = width;
            height = std::max(height, layoutScatter(m_scene, m_figure.scatters[i], place));
        }
        m_y += height;
    }
}

void Composer::addPlots()
{
    const double width = columnWidth();
    for (qsizetype first = 0; first < m_figure.plots.size(); first += m_columns) {
        m_y += kRowGap;
        double height = 0;
        for (qsizetype i = first; i < std::min(first + m_columns, m_figure.plots.size()); ++i) {
            const double left = m_margin + static_cast<double>(i - first) * (width + kColumnGap);
            height = std::max(height, layoutPlot(m_scene, m_figure.plots[i], {left, m_y}, width));
        }
        m_y += height;
    }
}

void Composer::addFooter()
{
    if (m_figure.footer.isEmpty())
        return;
    m_y += kRowGap;
    for (const QString &line : m_figure.footer)
        addParagraph(line, TextStyle::Small, {SceneColor::Muted, {}});
}

} // namespace

FigureScene composeFigure(const Figure &figure, Layout layout)
{
    return Composer(printableFigure(figure), layout).run();
}

} // namespace stagecraft::widgets
