// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decimation.h"
#include "theme.h"

#include <QChartView>
#include <QTimer>

#include <set>
#include <span>
#include <vector>

class QGraphicsLineItem;
class QGraphicsSimpleTextItem;
class QLineSeries;
class QValueAxis;

namespace stagecraft::widgets {

// Samples of a running measurement, one line per series over the sample's index, on a zero-based scale. append() costs
// little and never draws; the chart is redrawn at most 20 times a second from a bounded envelope of what arrived (see
// decimation.h), so that 20,000 samples a second for minutes leave the event loop free. GUI thread only.
class StripChart : public QChartView
{
    Q_OBJECT

public:
    explicit StripChart(QWidget *parent = nullptr);

    void setTitle(const QString &title, const QString &subtitle = {});
    void setUnit(const QString &unit); // of the samples: "µs"
    void setTheme(Theme theme);
    void setExpectedSamples(qsizetype count); // per series; the index axis shows room for them. 0: grows as they come

    int addSeries(const QString &label, const ColorRole &color); // returns the series' number
    void append(int series, std::span<const double> samples);
    void markRound(int series); // the next sample of this series is the first of a round
    void clear();               // removes series and samples

    int seriesCount() const { return static_cast<int>(m_series.size()); }
    qsizetype sampleCount(int series) const;
    QList<QPointF> drawnPoints(int series) const; // (index, value) as of the last redraw; values end at scaleTop()
    double scaleTop() const;
    qsizetype redrawCount() const { return m_redrawCount; }

public slots:
    void redrawNow(); // without waiting for the next turn of the timer

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Series
    {
        QString label;
        ColorRole color;
        SampleEnvelope envelope;
        double last = 0;
        QLineSeries *line = nullptr;             // owned by the chart
        QGraphicsSimpleTextItem *name = nullptr; // owned by the scene, as all items below
        QGraphicsLineItem *swatch = nullptr;
    };

    void buildChart();
    void scheduleRedraw();
    void fitAxes();
    void placeItems();
    void placePlotArea();
    void placeNames();
    void placeRounds();
    void applyColors();
    double nameColumn() const;
    QPointF toScene(double index, double value) const;

    std::vector<Series> m_series;
    std::set<qsizetype> m_rounds;
    std::vector<QGraphicsLineItem *> m_roundLines;
    QGraphicsSimpleTextItem *m_title = nullptr, *m_subtitle = nullptr, *m_unit = nullptr, *m_note = nullptr;
    QValueAxis *m_indexAxis = nullptr, *m_valueAxis = nullptr;
    QTimer m_redraw;
    Theme m_theme = Theme::Dark;
    qsizetype m_expected = 0, m_redrawCount = 0;
};

} // namespace stagecraft::widgets
