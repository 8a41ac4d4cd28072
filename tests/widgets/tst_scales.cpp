// SPDX-License-Identifier: GPL-3.0-or-later
#include "decimation.h"
#include "niceticks.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace stagecraft::widgets;

class ScalesTest : public QObject
{
    Q_OBJECT

private slots:
    void ticksAreNiceAndFew();
    void tickTexts();
    void countsHaveWholeTicks();
    void nothingToScale();
    void ceilingClosesTheAxis();
    void ticksAroundHoldTheRange();
    void ratioTicksHoldTheRange();
    void envelopeKeepsEverySampleWhileTheyFit();
    void envelopeKeepsExtremes();
    void envelopeIsBounded();
    void envelopeSkipsWhatIsNotANumber();
    void lineIsBoundedAndOrdered();
    void scaleTopIgnoresFewStalls();
};

void ScalesTest::ticksAreNiceAndFew()
{
    for (double maximum = 1e-7; maximum < 1e12; maximum *= 1.37) {
        const Ticks ticks = niceTicks(maximum, 5);
        QVERIFY(ticks.values.size() >= 2 && ticks.values.size() <= 5);
        QCOMPARE(ticks.values.first(), 0.0);
        QVERIFY(ticks.values.last() <= maximum * (1 + 1e-6));
        const double mantissa = ticks.step / std::pow(10, std::floor(std::log10(ticks.step) + 1e-9));
        QVERIFY2(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 || std::abs(mantissa - 5) < 1e-6,
                 qPrintable(QString::number(mantissa)));
    }
}

void ScalesTest::tickTexts()
{
    const auto texts = [](double maximum) {
        const Ticks ticks = niceTicks(maximum, 5);
        QStringList list;
        for (qsizetype i = 0; i < ticks.values.size(); ++i)
            list << ticks.text(i);
        return list.join(u' ');
    };
    QCOMPARE(texts(79.99), QStringLiteral("0 20 40 60"));
    QCOMPARE(texts(80), QStringLiteral("0 20 40 60 80"));
    QCOMPARE(texts(0.6), QStringLiteral("0 0.2 0.4 0.6"));
    QCOMPARE(texts(0.012), QStringLiteral("0 0.005 0.010"));
}

void ScalesTest::countsHaveWholeTicks()
{
    QCOMPARE(niceTicks(2, 5, 1).values, (QList<double>{0, 1, 2}));
    QCOMPARE(niceTicks(1.5, 5, 1).values, (QList<double>{0, 1}));
    QCOMPARE(niceTicks(90, 5, 1).values, (QList<double>{0, 20, 40, 60, 80}));
    QCOMPARE(niceTicks(0.5, 5, 1).values, QList<double>{0});
}

void ScalesTest::nothingToScale()
{
    for (const double maximum : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
        QCOMPARE(niceTicks(maximum, 5).values, QList<double>{0.0});
}

void ScalesTest::ceilingClosesTheAxis()
{
    QCOMPARE(niceCeiling(80, 5), 80.0);
    QCOMPARE(niceCeiling(81, 5), 100.0);
    QCOMPARE(niceCeiling(0, 5), 1.0);
}

void ScalesTest::ticksAroundHoldTheRange()
{
    const auto texts = [](double low, double high) {
        const Ticks ticks = niceTicksAround(low, high, 5);
        QStringList list;
        for (qsizetype i = 0; i < ticks.values.size(); ++i)
            list << ticks.text(i);
        return list.join(u' ');
    };
    QCOMPARE(texts(12.53, 13.76), QStringLiteral("12.5 13.0 13.5 14.0"));
    QCOMPARE(texts(0, 80), QStringLiteral("0 20 40 60 80"));
    QCOMPARE(texts(5, 5), QStringLiteral("5.00 5.01"));
    QCOMPARE(niceTicksAround(0, 0, 5).values.size(), 2);
    for (double low = 1e-4; low < 1e6; low *= 2.7)
        for (const double factor : {1.0, 1 + 1e-15, 1.0001, 1.01, 1.3, 7.0, 1e4}) {
            const Ticks ticks = niceTicksAround(low, low * factor, 5);
            QVERIFY(ticks.values.size() >= 2 && ticks.values.size() <= 5);
            QVERIFY(ticks.values.first() <= low * (1 + 1e-6) && ticks.values.last() >= low * factor * (1 - 1e-6));
        }
}

void ScalesTest::ratioTicksHoldTheRange()
{
    const auto texts = [](double low, double high) {
        const Ticks ticks = niceRatioTicks(low, high, 5);
        QStringList list;
        for (qsizetype i = 0; i < ticks.values.size(); ++i)
            list << ticks.text(i);
        return list.join(u' ');
    };
    QCOMPARE(texts(0.82, 1), QStringLiteral("0.80 0.85 0.90 0.95 1.00"));
    QCOMPARE(texts(0.3, 3.9), QStringLiteral("0.25 0.5 1 2 4"));
    QCOMPARE(texts(0.5, 4), QStringLiteral("0.5 1 2 4"));
    QCOMPARE(texts(1, 200), QStringLiteral("1 4 16 64 256"));
    for (double low = 1e-290; low < 1e280; low *= 3.7e19)
        for (const double factor : {1.0, 1.3, 2.0, 2.1, 7.0, 1e4, 1e12}) {
            const Ticks ticks = niceRatioTicks(low, low * factor, 5);
            QVERIFY(ticks.values.size() >= 2 && ticks.values.size() <= 5);
            QVERIFY(ticks.values.first() > 0 && ticks.values.first() <= low * (1 + 1e-6));
            QVERIFY(ticks.values.last() >= low * factor * (1 - 1e-6));
        }
}

void ScalesTest::envelopeKeepsEverySampleWhileTheyFit()
{
    SampleEnvelope envelope(100);
    for (int i = 0; i < 100; ++i)
        envelope.append(i * 0.5);
    const QList<QPointF> line = envelope.line(99, 1000);
    QCOMPARE(line.size(), 100);
    for (int i = 0; i < 100; ++i)
        QCOMPARE(line[i], QPointF(i, i * 0.5));
}

void ScalesTest::envelopeKeepsExtremes()
{
    std::mt19937 random(7);
    std::normal_distribution<double> noise(50, 3);
    SampleEnvelope envelope(256);
    for (int i = 0; i < 100'000; ++i)
        envelope.append(i == 33'333 ? 900.0 : i == 77'777 ? 0.25 : noise(random));
    const QList<QPointF> line = envelope.line(99'999, 40);
    const auto [low, high] =
        std::minmax_element(line.begin(), line.end(), [](const QPointF &a, const QPointF &b) { return a.y() < b.y(); });
    QCOMPARE(high->y(), 900.0);
    QCOMPARE(low->y(), 0.25);
    QVERIFY(std::abs(high->x() - 33'333) < 100'000 / 40.0);
    QVERIFY(std::abs(low->x() - 77'777) < 100'000 / 40.0);
}

void ScalesTest::envelopeIsBounded()
{
    SampleEnvelope envelope(128);
    for (int i = 0; i < 1'000'000; ++i)
        envelope.append(i % 7);
    QCOMPARE(envelope.count(), 1'000'000);
    QVERIFY(envelope.buckets().size() <= 128);
    QVERIFY(envelope.samplesPerBucket() * static_cast<qsizetype>(envelope.buckets().size()) >= 1'000'000);
}

void ScalesTest::envelopeSkipsWhatIsNotANumber()
{
    SampleEnvelope envelope;
    for (const double value : {1.0, std::nan(""), 3.0})
        envelope.append(value);
    QCOMPARE(envelope.count(), 3);
    QCOMPARE(envelope.line(2, 100), (QList<QPointF>{{0, 1}, {2, 3}}));
}

void ScalesTest::lineIsBoundedAndOrdered()
{
    SampleEnvelope envelope(4096);
    for (int i = 0; i < 30'000; ++i)
        envelope.append(std::sin(i));
    const QList<QPointF> line = envelope.line(29'999, 300);
    QVERIFY(line.size() <= 2 * 301);
    QVERIFY(std::is_sorted(line.begin(), line.end(), [](const QPointF &a, const QPointF &b) { return a.x() < b.x(); }));
}

void ScalesTest::scaleTopIgnoresFewStalls()
{
    SampleEnvelope calm, stalled, few;
    for (int i = 0; i < 200; ++i) {
        calm.append(50 + i % 5);
        stalled.append(i == 20 ? 5000 : 50 + i % 5);
    }
    few.append(1);
    few.append(100);
    QCOMPARE(sampleScaleTop({&calm}), 54.0);
    QCOMPARE(sampleScaleTop({&stalled}), 108.0);
    QCOMPARE(sampleScaleTop({&few}), 100.0); // too few to call one of them a stall
    QCOMPARE(sampleScaleTop({}), 0.0);
}

QTEST_GUILESS_MAIN(ScalesTest)
#include "tst_scales.moc"
