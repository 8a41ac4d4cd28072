// SPDX-License-Identifier: GPL-3.0-or-later
#include "stripchart.h"

#include "niceticks.h"
#include "valuetable.h"

#include <QChart>
#include <QGraphicsLineItem>
#include <QGraphicsSimpleTextItem>
#include <QLineSeries>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stagecraft::widgets {

namespace {

constexpr int kRedrawInterval = 50;   // ms
constexpr double kHeadroom = 1.05;    // of the scale above the largest value
constexpr double kShrinkBelow = 0.6;  // a scale that is used less than this is fitted again
constexpr qsizetype kFirstRoom = 100; // samples, where nobody said how many to expect
constexpr double kGap = 2 * kSpacing;
constexpr double kSwatch = 3 * kSpacing;
constexpr double kTickColumn = 12 * kSpacing;
constexpr double kMostNameWidth = 40 * kSpacing;
constexpr int kMostTicks = 5;
constexpr int kLeastColumns = 50;
constexpr double kColumnWidth = 2; // pixels: half the points of one a pixel, and no reader sees the difference
constexpr int kMostBuckets = 2048; // more than the columns of any screen this wide

void setTicks(QValueAxis *axis, double maximum)
{
    const Ticks ticks = niceTicks(maximum, kMostTicks);
    axis->setTickInterval(ticks.step);
    axis->setLabelFormat(QStringLiteral("%.%1f").arg(ticks.decimals));
    axis->setRange(0, maximum);
}

} // namespace

StripChart::StripChart(QWidget *parent) : QChartView(parent)
{
    buildChart();
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setFrameShape(QFrame::NoFrame);
    setMinimumSize(320, 160);
    m_redraw.setSingleShot(true);
    m_redraw.setInterval(kRedrawInterval);
    connect(&m_redraw, &QTimer::timeout, this, &StripChart::redrawNow);
    connect(chart(), &QChart::plotAreaChanged, this, &StripChart::placeItems);
    setTheme(m_theme);
    fitAxes();
}

void StripChart::buildChart()
{
    QChart *chart = this->chart();
    chart->legend()->hide();
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setBackgroundRoundness(0);
    chart->setMargins({});
    m_indexAxis = new QValueAxis(chart);
    m_valueAxis = new QValueAxis(chart);
    for (QValueAxis *axis : {m_indexAxis, m_valueAxis}) {
        axis->setTickType(QValueAxis::TicksDynamic);
        axis->setTickAnchor(0);
        axis->setLineVisible(axis == m_indexAxis);
        axis->setLabelsFont(textFont(TextStyle::Small));
    }
    m_indexAxis->setGridLineVisible(false);
    chart->addAxis(m_indexAxis, Qt::AlignBottom);
    chart->addAxis(m_valueAxis, Qt::AlignLeft);
    const std::pair<QGraphicsSimpleTextItem *&, TextStyle> texts[] = {{m_title, TextStyle::Panel},
                                                                      {m_subtitle, TextStyle::Small},
                                                                      {m_unit, TextStyle::Small},
                                                                      {m_note, TextStyle::Small}};
    for (const auto &[item, style] : texts) {
        item = new QGraphicsSimpleTextItem(chart);
        item->setFont(textFont(style));
    }
}

void StripChart::setTitle(const QString &title, const QString &subtitle)
{
    m_title->setText(title);
    m_subtitle->setText(subtitle);
    setAccessibleName(title);
    placePlotArea();
}

void StripChart::setUnit(const QString &unit)
{
    m_unit->setText(unit);
}

void StripChart::setTheme(Theme theme)
{
    m_theme = theme;
    const ThemeColors &colors = themeColors(theme);
    setBackgroundBrush(colors.ground);
    chart()->setBackgroundBrush(colors.ground);
    for (QValueAxis *axis : {m_indexAxis, m_valueAxis}) {
        axis->setLabelsColor(colors.muted);
        axis->setLinePen(QPen(colors.axis, 1));
        axis->setGridLinePen(QPen(colors.rule, 1));
    }
    m_title->setBrush(colors.ink);
    m_subtitle->setBrush(colors.muted);
    m_unit->setBrush(colors.muted);
    m_note->setBrush(colors.attention);
    applyColors();
}

void StripChart::applyColors()
{
    for (const Series &series : m_series) {
        const QColor color = roleColor(series.color, m_theme);
        series.line->setPen(QPen(color, 1.25));
        series.swatch->setPen(QPen(color, 3, Qt::SolidLine, Qt::FlatCap));
        series.name->setBrush(themeColors(m_theme).ink);
    }
    for (QGraphicsLineItem *line : m_roundLines)
        line->setPen(QPen(themeColors(m_theme).axis, 1));
}

void StripChart::setExpectedSamples(qsizetype count)
{
    m_expected = count;
    scheduleRedraw();
}

int StripChart::addSeries(const QString &label, const ColorRole &color)
{
    Series series{.label = label, .color = color, .envelope = SampleEnvelope(kMostBuckets)};
    series.line = new QLineSeries(chart());
    chart()->addSeries(series.line);
    series.line->attachAxis(m_indexAxis);
    series.line->attachAxis(m_valueAxis);
    series.name = new QGraphicsSimpleTextItem(chart());
    series.name->setFont(textFont(TextStyle::Body));
    series.name->setToolTip(label);
    series.swatch = new QGraphicsLineItem(chart());
    m_series.push_back(std::move(series));
    applyColors();
    placePlotArea();
    return seriesCount() - 1;
}

void StripChart::append(int series, std::span<const double> samples)
{
    Series &target = m_series.at(static_cast<size_t>(series));
    for (const double sample : samples) {
        target.envelope.append(sample);
        if (std::isfinite(sample))
            target.last = sample;
    }
    scheduleRedraw();
}

void StripChart::markRound(int series)
{
    const qsizetype index = sampleCount(series);
    if (index > 0)
        m_rounds.insert(index); // series of one run reach the same boundaries: one line for all
    scheduleRedraw();
}

void StripChart::clear()
{
    chart()->removeAllSeries();
    for (const Series &series : m_series) {
        delete series.name;
        delete series.swatch;
    }
    m_series.clear();
    m_rounds.clear();
    redrawNow();
}

qsizetype StripChart::sampleCount(int series) const
{
    return m_series.at(static_cast<size_t>(series)).envelope.count();
}

QList<QPointF> StripChart::drawnPoints(int series) const
{
    return m_series.at(static_cast<size_t>(series)).line->points();
}

double StripChart::scaleTop() const
{
    return m_valueAxis->max();
}

void StripChart::scheduleRedraw()
{
    if (!m_redraw.isActive())
        m_redraw.start();
}

void StripChart::redrawNow()
{
    m_redraw.stop();
    ++m_redrawCount;
    fitAxes();
    const int columns = std::max(kLeastColumns, static_cast<int>(chart()->plotArea().width() / kColumnWidth));
    const double top = scaleTop();
    for (const Series &series : m_series) {
        QList<QPointF> points = series.envelope.line(m_indexAxis->max(), columns);
        for (QPointF &point : points)
            point.setY(std::clamp(point.y(), 0.0, top));
        series.line->replace(points);
    }
    placeItems();
}

// Axes move seldom: a scale that follows every sample is unreadable, and costs a layout each time.
void StripChart::fitAxes()
{
    QList<const SampleEnvelope *> envelopes;
    qsizetype most = std::max(m_expected, kFirstRoom * (m_expected == 0));
    double largest = 0;
    for (const Series &series : m_series) {
        envelopes.append(&series.envelope);
        most = std::max(most, series.envelope.count());
        for (const SampleEnvelope::Bucket &bucket : series.envelope.buckets())
            largest = std::max(largest, bucket.high);
    }
    if (static_cast<double>(most) > m_indexAxis->max() || most == m_expected || m_series.empty())
        setTicks(m_indexAxis,
                 most == m_expected ? static_cast<double>(most) : niceCeiling(static_cast<double>(most), kMostTicks));
    const double wanted = sampleScaleTop(envelopes);
    if (wanted <= 0)
        setTicks(m_valueAxis, 1);
    else if (wanted > scaleTop() || wanted < scaleTop() * kShrinkBelow)
        setTicks(m_valueAxis, wanted * kHeadroom);
    m_note->setText(largest > scaleTop()
                        ? tr("largest %1 %2, above the scale").arg(displayNumber(largest, 1), m_unit->text())
                        : QString());
}

double StripChart::nameColumn() const
{
    double width = 0;
    for (const Series &series : m_series)
        width = std::max(width, QFontMetricsF(series.name->font()).horizontalAdvance(series.label));
    return std::min(width, kMostNameWidth) + kSwatch + kSpacing + 2 * kGap;
}

void StripChart::placePlotArea()
{
    const bool titled = !m_title->text().isEmpty();
    const double top = (titled ? 12 : 6) * kSpacing;
    chart()->setPlotArea(QRectF(kTickColumn, top, std::max(10.0, width() - kTickColumn - nameColumn()),
                                std::max(10.0, height() - top - 7 * kSpacing)));
    placeItems();
}

void StripChart::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    placePlotArea();
    scheduleRedraw();
}

QPointF StripChart::toScene(double index, double value) const
{
    const QRectF area = chart()->plotArea();
    return {area.left() + index / m_indexAxis->max() * area.width(),
            area.bottom() - std::min(1.0, value / m_valueAxis->max()) * area.height()};
}

void StripChart::placeItems()
{
    const QRectF area = chart()->plotArea();
    m_title->setPos(kGap, kSpacing);
    const double titleEnd = m_title->text().isEmpty() ? 0 : m_title->boundingRect().width() + kGap;
    m_subtitle->setPos(kGap + titleEnd, kSpacing + 2);
    m_unit->setPos(kGap, area.top() - 5 * kSpacing);
    m_note->setPos(area.right() - m_note->boundingRect().width(), area.top() - 5 * kSpacing);
    placeNames();
    placeRounds();
}

// Names stand at the height of their series' last sample, pushed apart where they would overlap.
void StripChart::placeNames()
{
    const QRectF area = chart()->plotArea();
    std::vector<size_t> order(m_series.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [this](size_t a, size_t b) { return m_series[a].last > m_series[b].last; });
    const double line = 5 * kSpacing;
    double least = area.top() - line / 2;
    double room = area.bottom() + line / 2 - line * static_cast<double>(order.size());
    for (const size_t index : order) {
        Series &series = m_series[index];
        const double wanted = toScene(0, series.last).y() - line / 2;
        const double top = std::max(least, std::min(wanted, room));
        least = top + line;
        room += line;
        const double left = area.right() + kGap;
        series.swatch->setLine(left, top + line / 2, left + kSwatch, top + line / 2);
        series.name->setText(
            QFontMetricsF(series.name->font()).elidedText(series.label, Qt::ElideRight, kMostNameWidth));
        series.name->setPos(left + kSwatch + kSpacing, top + (line - series.name->boundingRect().height()) / 2);
    }
}

void StripChart::placeRounds()
{
    while (m_roundLines.size() < m_rounds.size()) {
        m_roundLines.push_back(new QGraphicsLineItem(chart()));
        m_roundLines.back()->setPen(QPen(themeColors(m_theme).axis, 1));
    }
    while (m_roundLines.size() > m_rounds.size()) {
        delete m_roundLines.back();
        m_roundLines.pop_back();
    }
    const QRectF area = chart()->plotArea();
    auto line = m_roundLines.begin();
    for (const qsizetype index : m_rounds) {
        const double at = std::round(toScene(static_cast<double>(index) - 0.5, 0).x()) - 0.5;
        (*line++)->setLine(at, area.top(), at, area.bottom());
    }
}

} // namespace stagecraft::widgets
