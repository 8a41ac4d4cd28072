// SPDX-License-Identifier: GPL-3.0-or-later
#include "verdict.h"

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
