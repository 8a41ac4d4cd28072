// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureplot.h"

#include "decimation.h"
#include "niceticks.h"
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
constexpr double kBin = kSpacing;  // height of one step of a distribution
constexpr double kHeadroom = 1.05; // of the scale above the largest value
constexpr int kMostTicks = 5;

QString seriesLabel(const FigureSeries &series)
{
    return series.stateText.isEmpty() ? series.label : QStringLiteral("%1: %2").arg(series.label, series.stateText);
}

QList<double> drawableValues(const FigureSeries &series)
{
    QList<double> values;
    std::copy_if(series.values.begin(), series.values.end(), std::back_inserter(values),
                 [](double value) { return std::isfinite(value) && value >= 0; });
    return values;
}

double medianOf(QList<double> values)
{
    const auto middle = values.begin() + values.size() / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

class PlotLayout
{
public:
    PlotLayout(FigureScene &scene, const FigurePlot &plot, const QPointF &topLeft, double width);
    double run();

private:
    double x(double index) const { return m_area.left() + index / m_lastIndex * m_area.width(); }
    double y(double value) const { return m_area.bottom() - std::min(1.0, value / m_top) * m_area.height(); }
    void readSeries();
    void addLine(const QString &text, TextStyle style, SceneColor color);
    QString offScaleNote() const;
    void addLegend();
    void placeArea();
    void addValueAxis();
    void addIndexAxis();
    void addBoundaries();
    void addCurve(int index);
    void addDistribution(int index);
    void addSideLabels();
    void addSwatch(const QPointF &left, const ColorRole &role);

    FigureScene &m_scene;
    const FigurePlot &m_plot;
    const QPointF m_topLeft;
    const double m_width;
    const bool m_wide;
    double m_y;
    QList<SampleEnvelope> m_envelopes;
    QList<QList<double>> m_values;
    double m_top = 1, m_lastIndex = 1;
    Ticks m_valueTicks;
    QRectF m_area, m_distribution;
    double m_labelsLeft = 0;
};

PlotLayout::PlotLayout(FigureScene &scene, const FigurePlot &plot, const QPointF &topLeft, double width)
    : m_scene(scene), m_plot(plot), m_topLeft(topLeft), m_width(width), m_wide(width >= kWideEnough), m_y(topLeft.y())
{
    readSeries();
}

void PlotLayout::readSeries()
{
    QList<const SampleEnvelope *> envelopes;
    for (const FigureSeries &series : m_plot.series) {
        SampleEnvelope envelope(static_cast<int>(std::max<qsizetype>(2, series.values.size())));
        for (const double value : series.values)
            envelope.append(value >= 0 ? value : std::nan(""));
        m_envelopes.append(std::move(envelope));
        m_values.append(drawableValues(series));
        m_lastIndex = std::max(m_lastIndex, static_cast<double>(series.values.size() - 1));
    }
    for (const SampleEnvelope &envelope : m_envelopes)
        envelopes.append(&envelope);
    const double top = sampleScaleTop(envelopes);
    m_top = top > 0 ? top * kHeadroom : 1;
    m_valueTicks = niceTicks(top > 0 ? m_top : 0, kMostTicks);
}

double PlotLayout::run()
{
    addLine(m_plot.title, TextStyle::Panel, {SceneColor::Ink, {}});
    addLine(m_plot.subtitle, TextStyle::Small, {SceneColor::Muted, {}});
    addLine(offScaleNote(), TextStyle::Small, {SceneColor::Attention, {}});
    if (!m_wide)
        addLegend();
    placeArea();
    addValueAxis();
    addIndexAxis();
    addBoundaries();
    for (int i = 0; i < m_plot.series.size(); ++i) {
        addCurve(i);
        addDistribution(i);
    }
    if (m_wide)
        addSideLabels();
    return m_area.bottom() + kSpacing + lineHeight(TextStyle::Small) - m_topLeft.y();
}

void PlotLayout::addLine(const QString &text, TextStyle style, SceneColor color)
{
    if (text.isEmpty())
        return;
    m_scene.addText({m_topLeft.x(), m_y}, m_width, text, style, color);
    m_y += lineHeight(style);
}

QString PlotLayout::offScaleNote() const
{
    qsizetype count = 0, above = 0;
    double largest = 0;
    for (const QList<double> &values : m_values) {
        count += values.size();
        above += std::count_if(values.begin(), values.end(), [this](double value) { return value > m_top; });
        for (const double value : values)
            largest = std::max(largest, value);
    }
    if (above == 0)
        return {};
    return QStringLiteral("%1 of %2 samples above the scale, the largest %3 %4")
        .arg(above)
        .arg(count)
        .arg(displayNumber(largest, 1), m_plot.unit);
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
    m_area = QRectF(left, top, right - left, height);
    m_distribution = QRectF(right + kGap, top, distribution, height);
    m_labelsLeft = m_distribution.right() + kGap;
}

void PlotLayout::addValueAxis()
{
    const double tickRight = m_area.left() - kGap;
    const auto label = [&](const QString &text, double centre) {
        m_scene.addText({m_topLeft.x(), centre - lineHeight(TextStyle::Small) / 2}, tickRight - m_topLeft.x() + 1, text,
                        TextStyle::Small, {SceneColor::Muted, {}}, Qt::AlignRight);
    };
    for (qsizetype i = 0; i < m_valueTicks.values.size(); ++i) {
        const double centre = y(m_valueTicks.values[i]);
        const double line = std::round(centre) - 0.5;
        m_scene.grid.append({.line = {m_area.left(), line, m_distribution.right(), line},
                             .color = {i == 0 ? SceneColor::Axis : SceneColor::Rule, {}}});
        label(m_valueTicks.text(i), centre);
    }
    label(m_plot.unit, m_area.top() - lineHeight(TextStyle::Small));
}

// Index ticks, the axis' name at its end, and the name of what stands beside it.
void PlotLayout::addIndexAxis()
{
    const double top = m_area.bottom() + kGap;
    const SceneColor color{SceneColor::Muted, {}};
    const double titleWidth = std::min(styledWidth(m_plot.xTitle, TextStyle::Small), m_area.width() / 2);
    const double titleLeft = m_area.right() - titleWidth;
    m_scene.addText({titleLeft, top}, titleWidth + 1, m_plot.xTitle, TextStyle::Small, color);
    const Ticks ticks = niceTicks(m_lastIndex, kMostTicks);
    double free = m_area.left() - kGap;
    for (qsizetype i = 0; i < ticks.values.size(); ++i) {
        const double width = styledWidth(ticks.text(i), TextStyle::Small);
        const double left = x(ticks.values[i]) - width / 2;
        if (left < free || left + width + kGap > titleLeft)
            continue;
        m_scene.addText({left, top}, width + 1, ticks.text(i), TextStyle::Small, color);
        free = left + width + kGap;
    }
    static const auto name = QStringLiteral("distribution");
    if (styledWidth(name, TextStyle::Small) <= m_topLeft.x() + m_width - m_distribution.left())
        m_scene.addText({m_distribution.left(), top}, m_width, name, TextStyle::Small, color);
}

void PlotLayout::addBoundaries()
{
    QSet<int> indices;
    for (const FigureSeries &series : m_plot.series)
        for (const int boundary : series.boundaries)
            if (boundary > 0 && boundary <= m_lastIndex)
                indices.insert(boundary);
    for (const int index : indices) {
        const double line = std::round(x(index - 0.5)) - 0.5; // between the last sample and the first of the round
        m_scene.grid.append({.line = {line, m_area.top(), line, m_area.bottom()}, .color = {SceneColor::Axis, {}}});
    }
}

void PlotLayout::addCurve(int index)
{
    const ColorRole role = m_plot.series[index].color;
    QPolygonF points;
    for (const QPointF &point : m_envelopes[index].line(m_lastIndex, static_cast<int>(m_area.width()))) {
        points.append({x(point.x()), y(point.y())});
        if (point.y() <= m_top)
            continue;
        const QPointF tip(x(point.x()), m_area.top() - kSpacing);
        m_scene.areas.append(
            {.outline = QPolygonF(QList<QPointF>{tip, tip + QPointF(3, kSpacing), tip + QPointF(-3, kSpacing)}),
             .color = {SceneColor::Role, role}});
    }
    m_scene.curves.append({.points = points, .color = {SceneColor::Role, role}});
}

// Each series has its lane, so that equal distributions do not cover each other.
void PlotLayout::addDistribution(int index)
{
    const auto binCount = static_cast<size_t>(std::max(1.0, std::floor(m_area.height() / kBin)));
    std::vector<int> bins(binCount, 0);
    for (const double value : m_values[index]) {
        const double fraction = std::min(value / m_top, 1.0);
        ++bins[std::min(static_cast<size_t>(fraction * static_cast<double>(binCount)), binCount - 1)];
    }
    const int most = *std::max_element(bins.begin(), bins.end());
    const double lane = m_distribution.width() / static_cast<double>(m_plot.series.size());
    const double binHeight = m_area.height() / static_cast<double>(binCount);
    for (size_t i = 0; i < binCount; ++i)
        if (bins[i] > 0)
            m_scene.addBar({m_distribution.left() + lane * index,
                            m_area.bottom() - static_cast<double>(i + 1) * binHeight,
                            (lane - kSpacing) * bins[i] / most, binHeight},
                           m_plot.series[index].color);
}

// Labels stand at the height of their series' median, pushed apart where they would overlap.
void PlotLayout::addSideLabels()
{
    const double line = lineHeight(TextStyle::Body);
    QList<double> centres;
    for (const QList<double> &values : m_values)
        centres.append(values.isEmpty() ? m_area.bottom() : y(medianOf(values)));
    QList<int> order(centres.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return centres[a] < centres[b]; });
    double least = m_area.top() + line / 2;
    for (const int index : order)
        least = (centres[index] = std::max(centres[index], least)) + line;
    double most = m_area.bottom() - line / 2;
    for (auto index = order.crbegin(); index != order.crend(); ++index)
        most = (centres[*index] = std::min(centres[*index], most)) - line;
    for (int i = 0; i < centres.size(); ++i) {
        addSwatch({m_labelsLeft, centres[i]}, m_plot.series[i].color);
        const double left = m_labelsLeft + kSwatch + kSpacing;
        m_scene.addText({left, centres[i] - line / 2}, m_topLeft.x() + m_width - left + 1,
                        seriesLabel(m_plot.series[i]), TextStyle::Body,
                        {m_values[i].isEmpty() ? SceneColor::Muted : SceneColor::Ink, {}});
    }
}

} // namespace

double layoutPlot(FigureScene &scene, const FigurePlot &plot, const QPointF &topLeft, double width)
{
    return PlotLayout(scene, plot, topLeft, width).run();
}

} // namespace stagecraft::widgets
