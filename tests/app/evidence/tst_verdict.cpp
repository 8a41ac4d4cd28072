// SPDX-License-Identifier: GPL-3.0-or-later
#include "verdict.h"

#include <cmath>
#include <QTest>

// Cases small enough to be computed by hand.
using namespace stagecraft::evidence;

namespace {

Estimate rounds(const QList<double> &medians, const QList<int> &indices = {})
{
    Estimate estimate;
    estimate.roundMedians = estimate.roundMeans = medians;
    estimate.roundIndices = indices;
    return estimate;
}

} // namespace

class TestVerdict : public QObject
{
    Q_OBJECT

private slots:
    void faster()
    {
        // Ratios 10/20, 10/20, 11/20, 10/20, 9/18: median 0.5. Spreads: 11/10 and 9/10 of 10, 18/20: 0.1.
        const Verdict verdict = compareRounds(rounds({10, 10, 11, 10, 9}), rounds({20, 20, 20, 20, 18}));
        QCOMPARE(verdict.kind, Verdict::Faster);
        QCOMPARE(*verdict.medianRatio, 0.5);
        QCOMPARE(verdict.rounds, 5);
        QCOMPARE(verdict.roundsInFavour, 5);
        QVERIFY(!verdict.rangesOverlap);
        QCOMPARE(*verdict.resolution, 1.1 - 1.0);
        QVERIFY2(verdict.text.startsWith("faster in 5 of 5 rounds: 0.50 times as long"), qPrintable(verdict.text));
        QVERIFY(verdict.nextStep.isEmpty());
    }

    void lowClocksDecideNothing()
    {
        ValueRow fast, slow;
        fast.kernel = {rounds({10, 10, 10, 10, 10}), State::Ok, {}, {}};
        slow.kernel = {rounds({20, 20, 20, 20, 20}), State::Ok, {}, {}};
        QCOMPARE(compareRows(fast, slow, &ValueRow::kernel).kind, Verdict::Faster);
        slow.flags = {Flag::Throttled};
        for (const auto &[first, second] : {std::pair(fast, slow), std::pair(slow, fast)}) {
            const Verdict verdict = compareRows(first, second, &ValueRow::kernel);
            QCOMPARE(verdict.kind, Verdict::Undecided);
            QCOMPARE(verdict.why, QString("throttled"));
            QVERIFY(verdict.medianRatio);
        }
        slow.flags.clear();
        slow.kernel.state = State::Throttled;
        QCOMPARE(compareRows(fast, slow, &ValueRow::kernel).kind, Verdict::Undecided);
    }

    void slower()
    {
        const Verdict verdict = compareRounds(rounds({20, 20, 20, 20, 18}), rounds({10, 10, 11, 10, 9}));
        QCOMPARE(verdict.kind, Verdict::Slower);
        QCOMPARE(*verdict.medianRatio, 2.0);
        QCOMPARE(verdict.roundsInFavour, 0);
        QVERIFY2(verdict.text.startsWith("slower in 5 of 5 rounds: 2.00 times as long"), qPrintable(verdict.text));
    }

    void fourRoundsAreTooFew()
    {
        const Verdict verdict = compareRounds(rounds({10, 10, 10, 10}), rounds({20, 20, 20, 20}));
        QCOMPARE(verdict.kind, Verdict::Undecided);
        QCOMPARE(*verdict.medianRatio, 0.5);
        QCOMPARE(verdict.rounds, 4);
        QVERIFY2(verdict.text.contains("fewer than 5 rounds"), qPrintable(verdict.text));
        QVERIFY2(verdict.nextStep.contains("at least 5 rounds"), qPrintable(verdict.nextStep));
    }

    void rangesOverlap()
    {
        // The slowest of this (12) is not below the fastest of the other (11).
        const Verdict verdict = compareRounds(rounds({10, 10, 10, 10, 12}), rounds({20, 20, 20, 20, 11}));
        QCOMPARE(verdict.kind, Verdict::Undecided);
        QVERIFY(verdict.rangesOverlap);
        QCOMPARE(verdict.roundsInFavour, 4);
        QVERIFY2(verdict.text.contains("overlap"), qPrintable(verdict.text));
        QVERIFY(!verdict.nextStep.isEmpty());
    }

    void rangesThatTouchOverlap()
    {
        QVERIFY(compareRounds(rounds({10, 10, 10, 10, 11}), rounds({11, 12, 12, 12, 12})).rangesOverlap);
    }

    void withinTheResolution()
    {
        // Ranges 98–100 and 101–104 are apart; ratio 100/101 = 0.990 at the median; own spread of the other 104/101 − 1
        // = 0.0297 is larger than the difference of 0.0099.
        const Verdict verdict = compareRounds(rounds({100, 100, 100, 98, 100}), rounds({101, 101, 101, 101, 104}));
        QCOMPARE(verdict.kind, Verdict::Undecided);
        QVERIFY(!verdict.rangesOverlap);
        QCOMPARE(*verdict.medianRatio, 100.0 / 101.0);
        QCOMPARE(*verdict.resolution, 104.0 / 101.0 - 1);
        QVERIFY2(verdict.text.contains("within the resolution of 3.0 %"), qPrintable(verdict.text));
    }

    void roundsArePairedByTheirIndex()
    {
        // This one lost round 1, the other round 3: rounds 0, 2, 4, 5, 6 remain.
        const Verdict verdict = compareRounds(rounds({10, 10, 99, 10, 10, 10}, {0, 2, 3, 4, 5, 6}),
                                              rounds({20, 1, 20, 20, 20, 20}, {0, 1, 2, 4, 5, 6}));
        QCOMPARE(verdict.rounds, 5);
        QCOMPARE(verdict.kind, Verdict::Faster);
        QCOMPARE(*verdict.medianRatio, 0.5);
    }

    void equalTimesAreUndecided()
    {
        const Verdict verdict = compareRounds(rounds({10, 10, 10, 10, 10}), rounds({10, 10, 10, 10, 10}));
        QCOMPARE(verdict.kind, Verdict::Undecided);
        QCOMPARE(*verdict.medianRatio, 1.0);
        QCOMPARE(verdict.roundsInFavour, 0);
        QCOMPARE(verdict.roundsAgainst, 0);
        QVERIFY(verdict.rangesOverlap);
        QCOMPARE(verdict.why, QStringLiteral("the ranges of the round medians overlap"));
    }

    // A stall in one round: apart from the other all the same, but its own spread (60/30 − 1) is the resolution.
    void oneRoundThatStalledDecidesAgainstAVerdict()
    {
        const Verdict verdict = compareRounds(rounds({30, 30, 60, 30, 30}), rounds({20, 20, 20, 20, 20}));
        QVERIFY(!verdict.rangesOverlap);
        QCOMPARE(*verdict.medianRatio, 1.5);
        QCOMPARE(*verdict.resolution, 1.0);
        QCOMPARE(verdict.kind, Verdict::Undecided);
        QCOMPARE(verdict.ratios, QList<double>({1.5, 1.5, 3.0, 1.5, 1.5}));
    }

    // Ratio 100/110 is 0.0909 below 1, its inverse 0.1 above; a spread of 0.095 is between the two.
    void whichIsNamedFirstDoesNotDecide()
    {
        const Estimate first = rounds({100, 100, 100, 100, 90.5}), second = rounds({110, 110, 110, 110, 110});
        QCOMPARE(compareRounds(first, second).kind, Verdict::Undecided);
        QCOMPARE(compareRounds(second, first).kind, Verdict::Undecided);
        const Estimate clear = rounds({100, 100, 100, 100, 92});
        QCOMPARE(compareRounds(clear, second).kind, Verdict::Faster);
        QCOMPARE(compareRounds(second, clear).kind, Verdict::Slower);
    }

    // Rounds are numbered through all runs: two runs of three rounds are six.
    void roundsOfSeveralRunsCountTogether()
    {
        const Verdict verdict = compareRounds(rounds({10, 10, 10, 10.1, 10.1, 10.1}, {0, 1, 2, 3, 4, 5}),
                                              rounds({20, 20, 20, 20.2, 20.2, 20.2}, {0, 1, 2, 3, 4, 5}));
        QCOMPARE(verdict.rounds, 6);
        QCOMPARE(verdict.kind, Verdict::Faster);
    }

    // Where a round's kernels cannot be told apart by iteration it has no median, and is no pair.
    void aRoundWithoutAMedianIsNoPair()
    {
        const double none = std::nan("");
        const Verdict verdict = compareRounds(rounds({10, none, 10, 10, 10, 10}, {0, 1, 2, 3, 4, 5}),
                                              rounds({20, 1, 20, 20, 20, 20}, {0, 1, 2, 3, 4, 5}));
        QCOMPARE(verdict.rounds, 5);
        QCOMPARE(*verdict.medianRatio, 0.5);
    }

    void aSmallDifferenceIsNotRoundedAway()
    {
        const Verdict verdict = compareRounds(rounds({9.97, 9.97, 9.97, 9.97, 9.97}), rounds({10, 10, 10, 10, 10}));
        QCOMPARE(verdict.kind, Verdict::Faster);
        QVERIFY2(verdict.text.contains("0.9970 times as long"), qPrintable(verdict.text));
    }

    void whatIsNeverOneSeries()
    {
        const auto value = [](const char *source) {
            return Value{std::nullopt, State::Ok, {}, QString::fromLatin1(source)};
        };
        ValueRow row;
        row.operation = QStringLiteral("gelu");
        row.dims = {8, 8};
        row.cache = QStringLiteral("warm");
        row.span = value("event");
        row.kernel = value("cupti");
        ValueRow other = row;
        QCOMPARE(incomparableReason(row, other, &ValueRow::span), QString());
        other.arithmetic = QStringLiteral("fp32"); // the other file does not say: the note's is FP32
        other.cache.clear();
        QCOMPARE(incomparableReason(row, other, &ValueRow::span), QString());
        other.span = value("host");
        QCOMPARE(incomparableReason(row, other, &ValueRow::span), QString("another instrument: event against host"));
        QCOMPARE(incomparableReason(row, other, &ValueRow::kernel), QString());
        other.arithmetic = QStringLiteral("3xtf32");
        QVERIFY(incomparableReason(row, other, &ValueRow::kernel).contains("another arithmetic: fp32 against 3xtf32"));
        other = row;
        other.cache = QStringLiteral("cold");
        QVERIFY(incomparableReason(row, other, &ValueRow::kernel).contains("cache state: warm against cold"));
        other = row;
        other.dims = {8, 16};
        QVERIFY(!incomparableReason(row, other, &ValueRow::kernel).isEmpty());
    }

    void withoutRoundsNothingIsKnown()
    {
        for (const Verdict &verdict :
             {compareRounds({}, {}), compareRounds(rounds({1, 2}), {}),
              compareRounds(rounds({1, 2}), rounds({1, 2, 3})), compareRounds(rounds({0}), rounds({0}))}) {
            QCOMPARE(verdict.kind, Verdict::Undecided);
            QVERIFY(!verdict.medianRatio);
            QVERIFY(!verdict.resolution);
            QCOMPARE(verdict.rounds, 0);
            QVERIFY(!verdict.nextStep.isEmpty());
        }
    }
};

QTEST_GUILESS_MAIN(TestVerdict)
#include "tst_verdict.moc"
