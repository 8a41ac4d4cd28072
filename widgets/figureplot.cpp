// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureplot.h"

#include "niceticks.h"
#include "plotcurves.h"
#include "plotnavigation.h"
#include "valuetable.h"

#include <QSet>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stagecraft::widgets {

namespace {

constexpr double kGap = 2 * kSpacing;
constexpr double kPlotHeight = 48 * kSpacing;
constexpr double kWideEnough = 130 * kSpacing; // labels stand beside the curves, else above them
constexpr double kMostLabelWidth = 40 * kSpacing;
constexpr double kSwatch = 3 * kSpacing;
constexpr double kHeadroom = 1.05; // of the scale above the largest value
constexpr int kMostTicks = 5;

QString seriesLabel(const FigureSeries &series)
{
    return series.stateText.isEmpty() ? series.label : QStringLiteral("%1: %2").arg(series.label, series.stateText);
}

class PlotLayout
{
public:
    PlotLayout(FigureScene &scene, const FigurePlot &plot, const QPointF &topLeft, double width);
    double run();

private:
    void chooseScale();
    void fitScale();
    void addLine(const QString &text, TextStyle style, SceneColor color);
    QString subtitle() const;
    QString offScaleNote() const;
    QString outlierNote() const;
    QString missingNote() const;
    void addLegend();
    void placeArea();
    void addValueAxis();
    void addIndexAxis();
    QList<qsizetype> indexTicks() const;
    void addBoundaries();
    void addSeries(int index);
    QList<double> labelCentres() const;
    void addSideLabels();
    void addSwatch(const QPointF &left, const ColorRole &role);

    FigureScene &m_scene;
    const FigurePlot &m_plot;
    const QPointF m_topLeft;
    const double m_width;
    const bool m_wide;
    double m_y;
    const PlotRange m_shown;
    ScenePlot m_place;
    Ticks m_valueTicks;
    QRectF m_distribution;
    double m_labelsLeft = 0;
};

PlotLayout::PlotLayout(FigureScene &scene, const FigurePlot &plot, const QPointF &topLeft, double width)
    : m_scene(scene),
      m_plot(plot),
      m_topLeft(topLeft),
      m_width(width),
      m_wide(width >= kWideEnough),
      m_y(topLeft.y()),
      m_shown(shownRange(plot))
{
    m_place.plot = static_cast<int>(scene.plots.size());
    m_place.count = plotSize(plot);
    m_place.first = m_shown.first;
    m_place.last = m_shown.last;
    if (m_shown.fitsValues)
        fitScale();
    else
        chooseScale();
}

// From zero, and the same whatever part is drawn, so that nothing jumps while a reader moves through the samples.
void PlotLayout::chooseScale()
{
    QList<const SampleSequence *> sequences;
    for (const FigureSeries &series : m_plot.series)
        sequences.append(&series.values);
    const double top = sampleScaleTop(sequences);
    m_place.high = top > 0 ? top * kHeadroom : 1;
    m_valueTicks = niceTicks(top > 0 ? m_place.high : 0, kMostTicks);
}

void PlotLayout::fitScale()
{
    double low = 0, high = 0;
    bool any = false;
    for (const FigureSeries &series : m_plot.series) {
        const SampleExtremes drawn = series.values.extremes(m_shown.first, m_shown.last + 1);
        if (drawn.isEmpty())
            continue;
        low = any ? std::min(low, drawn.low) : drawn.low;
        high = any ? std::max(high, drawn.high) : drawn.high;
        any = true;
    }
    m_valueTicks = niceTicksAround(low, high, kMostTicks);
    m_place.low = m_valueTicks.values.constFirst();
    m_place.high = m_valueTicks.values.constLast();
}

double PlotLayout::run()
{
    addLine(m_plot.title, TextStyle::Panel, {SceneColor::Ink, {}});
    addLine(subtitle(), TextStyle::Small, {SceneColor::Muted, {}});
    addLine(outlierNote(), TextStyle::Small, {SceneColor::Muted, {}});
    addLine(offScaleNote(), TextStyle::Small, {SceneColor::Attention, {}});
    addLine(missingNote(), TextStyle::Small, {SceneColor::Attention, {}});
    if (!m_wide)
        addLegend();
    placeArea();
    addValueAxis();
    addIndexAxis();
    addBoundaries();
    for (int i = 0; i < m_plot.series.size(); ++i)
        addSeries(i);
    if (m_wide)
        addSideLabels();
    m_scene.plots.append(m_place);
    return m_place.area.bottom() + kSpacing + lineHeight(TextStyle::Small) - m_topLeft.y();
}

void PlotLayout::addLine(const QString &text, TextStyle style, SceneColor color)
{
    if (text.isEmpty())
        return;
    m_scene.addText({m_topLeft.x(), m_y}, m_width, text, style, color);
    m_y += lineHeight(style);
}

QString PlotLayout::subtitle() const
{
    QStringList parts{m_plot.subtitle, rangeWords(m_plot)};
    if (m_place.low > 0)
        parts.append(QStringLiteral("scale not from zero"));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString PlotLayout::offScaleNote() const
{
    qint64 count = 0, above = 0;
    double largest = 0;
    for (const FigureSeries &series : m_plot.series) {
        count += series.values.statistics().count;
        above += series.values.distribution(0, m_place.high, 1).above;
        largest = std::max(largest, series.values.statistics().most);
    }
    if (above == 0 || m_shown.fitsValues)
        return {};
    return QStringLiteral("%1 of %2 samples above the scale, the largest %3 %4")
        .arg(groupedCount(above), groupedCount(count), displayNumber(largest, 1), m_plot.unit);
}

QString PlotLayout::outlierNote() const
{
    qint64 count = 0, outliers = 0;
    for (const FigureSeries &series : m_plot.series) {
        count += series.values.statistics().count;
        outliers += series.values.statistics().outliers;
    }
    if (count == 0)
        return {};
    return QStringLiteral("%1 of %2 samples are outliers")
        .arg(outliers > 0 ? groupedCount(outliers) : QStringLiteral("none"), groupedCount(count));
}

QString PlotLayout::missingNote() const
{
    qint64 missing = 0;
    for (const FigureSeries &series : m_plot.series)
        missing += series.values.statistics().missing;
    return missing == 0 ? QString()
                        : QStringLiteral("%1 without a value, each a cross on the axis")
                              .arg(missing == 1 ? QStringLiteral("1 sample")
                                                : groupedCount(missing) + QStringLiteral(" samples"));
}

void PlotLayout::addSwatch(const QPointF &left, const ColorRole &role)
{
    m_scene.addBar(QRectF(left.x(), left.y() - 1.5, kSwatch, 3), role);
}

void PlotLayout::addLegend()
{
    double left = m_topLeft.x();
    m_y += kSpacing;
    for (const FigureSeries &series : m_plot.series) {
        const QString label = seriesLabel(series);
        const double needed = kSwatch + kSpacing + styledWidth(label, TextStyle::Small);
        if (left > m_topLeft.x() && left + needed > m_topLeft.x() + m_width) {
            left = m_topLeft.x();
            m_y += lineHeight(TextStyle::Small);
        }
        addSwatch({left, m_y + lineHeight(TextStyle::Small) / 2}, series.color);
        const double textLeft = left + kSwatch + kSpacing;
        m_scene.addText({textLeft, m_y}, m_topLeft.x() + m_width - textLeft, label, TextStyle::Small,
                        {SceneColor::Ink, {}});
        left += needed + 2 * kGap;
    }
    m_y += lineHeight(TextStyle::Small);
}

// From the left: value ticks, curves, distributions and, in a wide plot, labels.
void PlotLayout::placeArea()
{
    double tickWidth = styledWidth(m_plot.unit, TextStyle::Small);
    for (qsizetype i = 0; i < m_valueTicks.values.size(); ++i)
        tickWidth = std::max(tickWidth, styledWidth(m_valueTicks.text(i), TextStyle::Small));
    double labelWidth = 0;
    for (const FigureSeries &series : m_plot.series)
        labelWidth = std::max(labelWidth, styledWidth(seriesLabel(series), TextStyle::Body));
    labelWidth = m_wide ? std::min(labelWidth, kMostLabelWidth) + kSwatch + kSpacing + kGap : 0;

    const auto lanes = static_cast<double>(m_plot.series.size());
    const double distribution = std::min(m_width * 0.2, std::max(12.0 * kSpacing, lanes * 7 * kSpacing));
    const double height = std::max(kPlotHeight, m_wide ? lanes * lineHeight(TextStyle::Body) : 0);
    const double left = std::round(m_topLeft.x() + tickWidth + kGap);
    const double right = m_topLeft.x() + m_width - labelWidth - distribution - kGap;
    const double top = m_y + kGap + lineHeight(TextStyle::Small); // the unit stands above the ticks
    m_place.area = QRectF(left, top, right - left, height);
    m_distribution = QRectF(right + kGap, top, distribution, height);
    m_labelsLeft = m_distribution.right() + kGap;
}

void PlotLayout::addValueAxis()
{
    const double tickRight = m_place.area.left() - kGap;
    const auto label = [&](const QString &text, double centre) {
        m_scene.addText({m_topLeft.x(), centre - lineHeight(TextStyle::Small) / 2}, tickRight - m_topLeft.x() + 1, text,
                        TextStyle::Small, {SceneColor::Muted, {}}, Qt::AlignRight);
    };
    for (qsizetype i = 0; i < m_valueTicks.values.size(); ++i) {
        const double centre = m_place.place(0, m_valueTicks.values[i]).y();
        const double line = std::round(centre) - 0.5;
        m_scene.grid.append({.line = {m_place.area.left(), line, m_distribution.right(), line},
                             .color = {m_valueTicks.values[i] == 0 ? SceneColor::Axis : SceneColor::Rule, {}}});
        label(m_valueTicks.text(i), centre);
    }
    label(m_plot.unit, m_place.area.top() - lineHeight(TextStyle::Small));
}

// Numbers of samples, the axis' name at its end, and the name of what stands beside it.
void PlotLayout::addIndexAxis()
{
    const double top = m_place.area.bottom() + kGap;
    const SceneColor color{SceneColor::Muted, {}};
    const double titleWidth = std::min(styledWidth(m_plot.xTitle, TextStyle::Small), m_place.area.width() / 2);
    const double titleLeft = m_place.area.right() - titleWidth;
    m_scene.addText({titleLeft, top}, titleWidth + 1, m_plot.xTitle, TextStyle::Small, color);
    double free = m_topLeft.x();
    for (const qsizetype index : indexTicks()) {
        const QString text = groupedCount(index + 1);
        const double width = styledWidth(text, TextStyle::Small);
        const double centre = m_place.place(static_cast<double>(index), m_place.low).x();
        const double left = std::max(centre - width / 2, m_topLeft.x());
        if (left < free || left + width + kGap > titleLeft)
            continue;
        m_scene.addText({left, top}, width + 1, text, TextStyle::Small, color);
        free = left + width + kGap;
    }
    const QString name = m_plot.range ? QStringLiteral("distribution of all") : QStringLiteral("distribution");
    if (styledWidth(name, TextStyle::Small) <= m_topLeft.x() + m_width - m_distribution.left())
        m_scene.addText({m_distribution.left(), top}, m_width, name, TextStyle::Small, color);
}

// The first sample that is drawn, and those at round numbers.
QList<qsizetype> PlotLayout::indexTicks() const
{
    QList<qsizetype> indices{m_shown.first};
    const double step = std::max(1.0, niceTicks(static_cast<double>(m_shown.last - m_shown.first), kMostTicks, 1).step);
    for (double number = std::ceil(static_cast<double>(m_shown.first + 1) / step) * step;
         number <= static_cast<double>(m_shown.last + 1); number += step)
        indices.append(static_cast<qsizetype>(number) - 1);
    return indices;
}

void PlotLayout::addBoundaries()
{
    QSet<qsizetype> indices;
    for (const FigureSeries &series : m_plot.series)
        for (const qsizetype start : series.values.starts())
            if (start > m_shown.first && start <= m_shown.last)
                indices.insert(start);
    for (const qsizetype index : indices) {
        // Between the last sample of a round and the first of the next.
        const double line = std::round(m_place.place(static_cast<double>(index) - 0.5, m_place.low).x()) - 0.5;
        m_scene.grid.append(
            {.line = {line, m_place.area.top(), line, m_place.area.bottom()}, .color = {SceneColor::Axis, {}}});
    }
}

// Each distribution has its lane, so that equal ones do not cover each other.
void PlotLayout::addSeries(int index)
{
    const FigureSeries &series = m_plot.series[index];
    addCurve(m_scene, series, m_place);
    const double lane = m_distribution.width() / static_cast<double>(m_plot.series.size());
    addDistribution(m_scene, series, m_place,
                    {m_distribution.left() + lane * index, m_place.area.top(), std::max(1.0, lane - kSpacing),
                     m_place.area.height()});
}

// At the height of the series' median, pushed apart where they would overlap.
QList<double> PlotLayout::labelCentres() const
{
    const double line = lineHeight(TextStyle::Body);
    QList<double> centres;
    for (const FigureSeries &series : m_plot.series)
        centres.append(series.values.statistics().count == 0 ? m_place.area.bottom()
                                                             : m_place.place(0, series.values.statistics().median).y());
    QList<int> order(centres.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return centres[a] < centres[b]; });
    double least = m_place.area.top() + line / 2;
    for (const int index : order)
        least = (centres[index] = std::max(centres[index], least)) + line;
    double most = m_place.area.bottom() - line / 2;
    for (auto index = order.crbegin(); index != order.crend(); ++index)
        most = (centres[*index] = std::min(centres[*index], most)) - line;
    return centres;
}

void PlotLayout::addSideLabels()
{
    const double line = lineHeight(TextStyle::Body);
    const QList<double> centres = labelCentres();
    for (int i = 0; i < centres.size(); ++i) {
        addSwatch({m_labelsLeft, centres[i]}, m_plot.series[i].color);
        const double left = m_labelsLeft + kSwatch + kSpacing;
        const bool empty = m_plot.series[i].values.statistics().count == 0;
        m_scene.addText({left, centres[i] - line / 2}, m_topLeft.x() + m_width - left + 1,
                        seriesLabel(m_plot.series[i]), TextStyle::Body,
                        {empty ? SceneColor::Muted : SceneColor::Ink, {}});
    }
}

} // namespace

double layoutPlot(FigureScene &scene, const FigurePlot &plot, const QPointF &topLeft, double width)
{
    return PlotLayout(scene, plot, topLeft, width).run();
}

} // namespace stagecraft::widgets
