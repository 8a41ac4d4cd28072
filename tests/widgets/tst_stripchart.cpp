// SPDX-License-Identifier: GPL-3.0-or-later
#include "stripchart.h"

#include <QChart>
#include <QGraphicsLineItem>
#include <QGraphicsSimpleTextItem>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace stagecraft::widgets;

namespace {

template <typename Item>
QList<Item *> itemsOf(const StripChart &chart)
{
    QList<Item *> found;
    for (QGraphicsItem *item : chart.scene()->items())
        if (auto *wanted = qgraphicsitem_cast<Item *>(item))
            found << wanted;
    return found;
}

bool hasText(const StripChart &chart, const QString &text)
{
    const auto items = itemsOf<QGraphicsSimpleTextItem>(chart);
    return std::any_of(items.begin(), items.end(), [&](const auto *item) { return item->text() == text; });
}

std::vector<double> steady(size_t count, double level)
{
    std::vector<double> samples(count);
    for (size_t i = 0; i < count; ++i)
        samples[i] = level + static_cast<double>(i % 5);
    return samples;
}

} // namespace

class StripChartTest : public QObject
{
    Q_OBJECT

private slots:
    void drawsWhatArrived();
    void keepsExtremesOfLongRuns();
    void appendDoesNotDraw();
    void redrawsOnceForManyBatches();
    void namesItsSeries();
    void roundsAreLines();
    void stallsAreCutAndNamed();
    void expectedSamplesFixTheAxis();
    void clearStartsAnew();
    void themeColorsTheLines();
};

void StripChartTest::drawsWhatArrived()
{
    StripChart chart;
    const int series = chart.addSeries(QStringLiteral("cuda"), {ColorRole::Own, 0});
    chart.append(series, std::vector{1.0, 3.0, 2.0});
    chart.append(series, std::vector{4.0});
    chart.redrawNow();
    QCOMPARE(chart.sampleCount(series), 4);
    QCOMPARE(chart.drawnPoints(series), (QList<QPointF>{{0, 1}, {1, 3}, {2, 2}, {3, 4}}));
    QVERIFY(chart.scaleTop() >= 4);
}

void StripChartTest::keepsExtremesOfLongRuns()
{
    StripChart chart;
    chart.resize(600, 200);
    const int series = chart.addSeries(QStringLiteral("cuda"), {ColorRole::Own, 0});
    std::vector<double> samples = steady(200'000, 50);
    samples[70'001] = 120; // within four times the rest: stays on the scale
    samples[150'000] = 3;
    chart.append(series, samples);
    chart.redrawNow();
    const QList<QPointF> points = chart.drawnPoints(series);
    QVERIFY(points.size() <= 2 * 600);
    const auto [low, high] = std::minmax_element(points.begin(), points.end(),
                                                 [](const QPointF &a, const QPointF &b) { return a.y() < b.y(); });
    QCOMPARE(high->y(), 120.0);
    QCOMPARE(low->y(), 3.0);
}

void StripChartTest::appendDoesNotDraw()
{
    StripChart chart;
    const int series = chart.addSeries(QStringLiteral("cuda"), {ColorRole::Own, 0});
    const qsizetype before = chart.redrawCount();
    chart.append(series, steady(100, 50));
    QCOMPARE(chart.redrawCount(), before);
    QVERIFY(chart.drawnPoints(series).isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(chart.drawnPoints(series).size(), 100, 30'000);
}

void StripChartTest::redrawsOnceForManyBatches()
{
    StripChart chart;
    const int series = chart.addSeries(QStringLiteral("cuda"), {ColorRole::Own, 0});
    chart.redrawNow();
    const qsizetype before = chart.redrawCount();
    for (int i = 0; i < 1000; ++i)
        chart.append(series, steady(20, 50));
    QTRY_COMPARE_WITH_TIMEOUT(chart.redrawCount(), before + 1, 30'000);
    QCOMPARE(chart.sampleCount(series), 20'000);
}

void StripChartTest::namesItsSeries()
{
    StripChart chart;
    chart.resize(800, 300);
    chart.setTitle(QStringLiteral("Matrix multiplication"));
    chart.setUnit(QStringLiteral("µs"));
    for (const char *name : {"PyTorch", "Triton", "cuda"})
        chart.append(chart.addSeries(QString::fromLatin1(name), {ColorRole::Other, 0}), steady(10, 50));
    chart.redrawNow();
    for (const char *text : {"Matrix multiplication", "µs", "PyTorch", "Triton", "cuda"})
        QVERIFY2(hasText(chart, QString::fromUtf8(text)), text);
    QList<QRectF> places;
    for (const auto *item : itemsOf<QGraphicsSimpleTextItem>(chart))
        if (!item->text().isEmpty())
            places << item->sceneBoundingRect();
    for (qsizetype i = 0; i < places.size(); ++i)
        for (qsizetype j = i + 1; j < places.size(); ++j)
            QVERIFY(!places[i].intersects(places[j]));
}

void StripChartTest::roundsAreLines()
{
    StripChart chart;
    chart.resize(800, 300);
    const int first = chart.addSeries(QStringLiteral("a"), {ColorRole::Other, 0});
    const int second = chart.addSeries(QStringLiteral("b"), {ColorRole::Other, 1});
    const qsizetype swatches = 2;
    for (int round = 0; round < 3; ++round)
        for (const int series : {first, second}) {
            chart.markRound(series);
            chart.append(series, steady(20, 50));
        }
    chart.redrawNow();
    const QRectF area = chart.chart()->plotArea();
    const auto lines = itemsOf<QGraphicsLineItem>(chart);
    QCOMPARE(
        std::count_if(lines.begin(), lines.end(),
                      [&](const auto *item) {
                          return item->line().dx() == 0 && item->line().y1() == area.top() &&
                                 area.adjusted(1, 0, -1, 0).contains(QPointF(item->line().x1(), area.center().y()));
                      }),
        2); // before the second and the third round, shared by both series
    QVERIFY(lines.size() >= 2 + swatches);
}

void StripChartTest::stallsAreCutAndNamed()
{
    StripChart chart;
    chart.setUnit(QStringLiteral("µs"));
    const int series = chart.addSeries(QStringLiteral("a"), {ColorRole::Other, 0});
    std::vector<double> samples = steady(200, 50);
    samples[30] = 9000;
    chart.append(series, samples);
    chart.redrawNow();
    QVERIFY(chart.scaleTop() < 200);
    for (const QPointF &point : chart.drawnPoints(series))
        QVERIFY(point.y() <= chart.scaleTop());
    QVERIFY(hasText(chart, QStringLiteral("largest 9000.0 µs, above the scale")));
}

void StripChartTest::expectedSamplesFixTheAxis()
{
    StripChart chart;
    chart.resize(800, 300);
    chart.setExpectedSamples(300);
    const int series = chart.addSeries(QStringLiteral("a"), {ColorRole::Other, 0});
    chart.append(series, steady(100, 50));
    chart.redrawNow();
    const QRectF area = chart.chart()->plotArea();
    const QPointF end = chart.chart()->mapToPosition({100, 0});
    QVERIFY(std::abs((end.x() - area.left()) / area.width() - 100.0 / 300) < 0.01);
}

void StripChartTest::clearStartsAnew()
{
    StripChart chart;
    chart.append(chart.addSeries(QStringLiteral("a"), {ColorRole::Other, 0}), steady(5000, 50));
    chart.markRound(0);
    chart.redrawNow();
    chart.clear();
    QCOMPARE(chart.seriesCount(), 0);
    QVERIFY(!hasText(chart, QStringLiteral("a")));
    const int series = chart.addSeries(QStringLiteral("b"), {ColorRole::Other, 1});
    chart.append(series, std::vector{2.0});
    chart.redrawNow();
    QCOMPARE(chart.drawnPoints(series), (QList<QPointF>{{0, 2}}));
    QVERIFY(chart.scaleTop() < 3);
}

void StripChartTest::themeColorsTheLines()
{
    for (const Theme theme : {Theme::Dark, Theme::Light}) {
        StripChart chart;
        chart.resize(800, 300);
        chart.setTheme(theme);
        chart.append(chart.addSeries(QStringLiteral("a"), {ColorRole::Own, 0}), steady(300, 50));
        chart.redrawNow();
        const QImage image = chart.grab().toImage();
        QCOMPARE(image.pixelColor(1, image.height() - 2), themeColors(theme).ground);
        const QColor wanted = roleColor({ColorRole::Own, 0}, theme);
        qsizetype count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                count += image.pixelColor(x, y) == wanted;
        QVERIFY2(count > 20, qPrintable(QString::number(count)));
    }
}

QTEST_MAIN(StripChartTest)
#include "tst_stripchart.moc"
