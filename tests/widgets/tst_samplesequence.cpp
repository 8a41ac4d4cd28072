// SPDX-License-Identifier: GPL-3.0-or-later
#include "plotnavigation.h"
#include "samplesequence.h"

#include <QRandomGenerator>
#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>

using namespace stagecraft::widgets;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

QList<double> randomSamples(qsizetype count, QRandomGenerator &random)
{
    QList<double> samples;
    for (qsizetype i = 0; i < count; ++i)
        samples.append(random.bounded(50) == 0 ? kNan : 10 + random.bounded(5.0));
    return samples;
}

SampleExtremes bruteForce(const QList<double> &samples, qsizetype first, qsizetype last)
{
    SampleExtremes result{.low = std::numeric_limits<double>::infinity(),
                          .high = -std::numeric_limits<double>::infinity()};
    qsizetype lowAt = 0, highAt = 0;
    for (qsizetype i = first; i < last; ++i) {
        if (std::isnan(samples[i])) {
            ++result.missing;
            continue;
        }
        if (samples[i] < result.low)
            result.low = samples[lowAt = i];
        if (samples[i] > result.high)
            result.high = samples[highAt = i];
    }
    result.lowFirst = lowAt <= highAt;
    return result;
}

FigurePlot plotOf(const SampleSequence &values)
{
    FigurePlot plot;
    plot.unit = QStringLiteral("µs");
    plot.series = {{.label = QStringLiteral("CUDA"), .color = {}, .values = values, .stateText = {}}};
    return plot;
}

} // namespace

class SampleSequenceTest : public QObject
{
    Q_OBJECT

private slots:
    void extremesEqualBruteForce()
    {
        QRandomGenerator random(6);
        const QList<QList<double>> parts{randomSamples(3, random),
                                         {},
                                         randomSamples(9'000, random),
                                         randomSamples(4'321, random),
                                         randomSamples(40, random)};
        const SampleSequence sequence(parts);
        QList<double> all;
        for (const QList<double> &part : parts)
            all += part;
        QCOMPARE(sequence.size(), all.size());
        QCOMPARE(sequence.starts(), QList<qsizetype>({0, 3, 9'003, 13'324}));
        for (int i = 0; i < 3'000; ++i) {
            const auto a = static_cast<qsizetype>(random.bounded(static_cast<int>(all.size()) + 1));
            const auto b = static_cast<qsizetype>(random.bounded(static_cast<int>(all.size()) + 1));
            const SampleExtremes found = sequence.extremes(std::min(a, b), std::max(a, b));
            const SampleExtremes expected = bruteForce(all, std::min(a, b), std::max(a, b));
            QCOMPARE(found.low, expected.low);
            QCOMPARE(found.high, expected.high);
            QCOMPARE(found.missing, expected.missing);
            QVERIFY(found.lowFirst == expected.lowFirst || found.low == found.high || found.isEmpty());
        }
        const SampleExtremes beyond = sequence.extremes(-5, all.size() + 5);
        QCOMPARE(beyond.low, bruteForce(all, 0, all.size()).low);
    }

    void samplesKeepTheirOrderAndArePartOfARound()
    {
        const SampleSequence sequence(QList<QList<double>>{{1, 2}, {3}, {4, 5, 6}});
        QCOMPARE(sequence.toList(), QList<double>({1, 2, 3, 4, 5, 6}));
        QCOMPARE(sequence[3], 4.0);
        QCOMPARE(sequence.partOf(1), 0);
        QCOMPARE(sequence.partOf(2), 1);
        QCOMPARE(sequence.partOf(5), 2);
        QCOMPARE(sequence.partSize(2), 3);
    }

    void listsAreShared()
    {
        const QList<double> round(1'000, 5.0);
        const SampleSequence sequence(QList<QList<double>>{round, round});
        QVERIFY(!round.isDetached()); // the sequence holds the same memory
        QCOMPARE(sequence.size(), 2'000);
    }

    void outliersAreBeyondFiveDeviationsOfTheMedian()
    {
        // Median 10, deviations 0 1 1 1 2 2 …: the median one is 1.
        const SampleSequence sequence{8, 9, 9, 10, 11, 11, 12, 15, 15.01, 4.99, 10};
        const SampleStatistics &statistics = sequence.statistics();
        QCOMPARE(statistics.median, 10.0);
        QCOMPARE(statistics.usualLow, 5.0);
        QCOMPARE(statistics.usualHigh, 15.0);
        QCOMPARE(statistics.outliers, 2);
        QCOMPARE(statistics.least, 4.99);
        QCOMPARE(statistics.most, 15.01);
    }

    void equalSamplesTakeTheMeanDeviation()
    {
        QList<double> values(97, 10.0);
        values << 10.5 << 11 << 40; // the mean deviation is 0.315
        const SampleSequence sequence(values);
        QCOMPARE(sequence.statistics().usualHigh, 10 + 5 * 0.315);
        QCOMPARE(sequence.statistics().outliers, 1);
        QCOMPARE(SampleSequence(QList<double>(20, 3.0)).statistics().outliers, 0);
    }

    void whatHasNoValueIsMissing()
    {
        const SampleSequence sequence{kNan, 1, -2, std::numeric_limits<double>::infinity(), 3};
        QCOMPARE(sequence.size(), 5);
        QCOMPARE(sequence.statistics().count, 2);
        QCOMPARE(sequence.statistics().missing, 3);
        QVERIFY(sequence.extremes(2, 4).isEmpty());
        const SampleSequence none{kNan, kNan};
        QCOMPARE(none.statistics().count, 0);
        QCOMPARE(none.statistics().outliers, 0);
        QCOMPARE(SampleSequence().size(), 0);
    }

    void everySampleIsInTheDistribution()
    {
        QRandomGenerator random(7);
        QList<double> values;
        for (int i = 0; i < 50'000; ++i)
            values.append(random.bounded(20.0));
        const SampleSequence sequence(values);
        for (const auto &[low, high] : {std::pair(0.0, 20.0), std::pair(3.0, 11.5), std::pair(0.0, 0.5)}) {
            const SampleDistribution distribution = sequence.distribution(low, high, 37);
            QCOMPARE(distribution.steps.size(), 37);
            const qint64 inside = std::accumulate(distribution.steps.begin(), distribution.steps.end(), qint64{0});
            QCOMPARE(distribution.below + inside + distribution.above, 50'000);
        }
        const SampleDistribution exact = SampleSequence{1, 1, 2, 3, 3, 3, 9}.distribution(0, 4, 4);
        QCOMPARE(exact.steps, QList<qint64>({0, 2, 1, 3}));
        QCOMPARE(exact.above, 1);
    }

    void scaleLeavesAFewStallsOut()
    {
        QList<double> calm, stalled;
        for (int i = 0; i < 100; ++i) {
            calm.append(50 + i % 5);
            stalled.append(i == 20 ? 5'000 : 50 + i % 5);
        }
        const SampleSequence a(calm), b(stalled), few{1, 2, 100};
        QCOMPARE(sampleScaleTop({&a}), 54.0);
        QCOMPARE(sampleScaleTop({&b}), 108.0);
        QCOMPARE(sampleScaleTop({&few}), 100.0);
        QCOMPARE(sampleScaleTop({}), 0.0);
    }

    void zoomKeepsTheSampleBelowThePointer()
    {
        FigurePlot plot = plotOf(SampleSequence(QList<double>(1'001, 5.0)));
        plot.range = zoomedRange(plot, 0.5, 250);
        QCOMPARE(plot.range, (PlotRange{125, 625, false}));
        plot.range = zoomedRange(plot, 2, 250);
        QVERIFY(!plot.range); // everything again
        for (int i = 0; i < 100; ++i)
            plot.range = zoomedRange(plot, 0.8, 1'000);
        QCOMPARE(plot.range, (PlotRange{991, 1'000, false})); // ten samples
        plot.range = pannedRange(plot, -5'000);
        QCOMPARE(plot.range, (PlotRange{0, 9, false}));
        for (int i = 0; i < 1'000 && plot.range; ++i)
            plot.range = zoomedRange(plot, 1.01, 0);
        QVERIFY(!plot.range); // small steps lead out, too
        plot.range = refittedRange(plot);
        QCOMPARE(plot.range, (PlotRange{0, 1'000, true}));
    }

    void rangeIsSaidInWords()
    {
        FigurePlot plot =
            plotOf(SampleSequence(QList<QList<double>>{QList<double>(600, 5.0), QList<double>(600, 6.0)}));
        plot.series[0].partNames = {"round 1", "round 4"};
        QCOMPARE(rangeWords(plot), QString());
        plot.range = PlotRange{9, 599};
        QCOMPARE(rangeWords(plot), QStringLiteral("samples 10 to 600 of 1,200, round 1"));
        plot.range = PlotRange{9, 600};
        QCOMPARE(rangeWords(plot), QStringLiteral("samples 10 to 601 of 1,200, round 1 to round 4"));
        plot.range = PlotRange{-4, 99'999}; // more than there is
        QCOMPARE(rangeWords(plot), QStringLiteral("samples 1 to 1,200 of 1,200, round 1 to round 4"));
    }
};

QTEST_APPLESS_MAIN(SampleSequenceTest)
#include "tst_samplesequence.moc"
