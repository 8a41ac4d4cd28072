// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisonfixture.h"
#include "comparisongate.h"

#include <QTest>

using namespace stagecraft::evidence;
using fixtures::namespaceOf;
using fixtures::Piece;

// Whether a build server would let the new namespace pass, and what it is told.
class TestComparisonGate : public QObject
{
    Q_OBJECT

private slots:
    void slowerBeyondDriftFails()
    {
        const GateResult gate = judge(13, 10.2, 3); // 30 % slower, the other moved by 2 %
        QVERIFY(!gate.passed);
        QCOMPARE(gate.failures,
                 QStringList("matmul 64x32 cuda: kernel time 10.00 → 13.00 µs, +30.00 %, beyond drift (2.00 %)"));
    }

    void whatIsAskedForPasses()
    {
        QVERIFY(judge(10.2, 10.1, 3).passed); // 2 % slower
        QVERIFY(judge(13, 10.2, 30.1).passed);
        QVERIFY(!judge(13, 10.2, 29.9).passed);
        QVERIFY(judge(5, 10, 0).passed); // faster
    }

    void withinDriftPassesAndIsTold()
    {
        const GateResult gate = judge(11, 12, 3); // 10 % slower, the unchanged one 20 %
        QVERIFY(gate.remarks.filter("matmul").first().contains("within drift (20.00 %)"));
        QVERIFY(gate.failures.filter("matmul").isEmpty());
        // Nothing else is unchanged, so that its percentage counts alone.
        QVERIFY(gate.failures.filter("gelu").first().contains("by the percentage alone"));
    }

    void whatIsLostFails()
    {
        Piece failed{"gelu", "cuda"};
        failed.state = State::Failed;
        const GateResult broken = judgeGate(compare(namespaceOf("base", {{"gelu", "cuda"}, {"matmul", "cuda"}}),
                                                    namespaceOf("now", {failed, {"matmul", "cuda"}})),
                                            3);
        QVERIFY(!broken.passed);
        QVERIFY2(broken.failures.first().contains("lost, now: failed, CUDA error 700"),
                 qPrintable(broken.failures.join('\n')));
        const GateResult gone = judgeGate(compare(namespaceOf("base", {{"gelu", "cuda"}, {"matmul", "cuda"}}),
                                                  namespaceOf("now", {{"matmul", "cuda"}})),
                                          3);
        QCOMPARE(gone.failures, QStringList("gelu 64x32 cuda: lost, now has no such row"));
        Piece other{"gelu", "cuda"};
        other.arithmetic = "3xtf32";
        const GateResult inexact = judgeGate(compare(namespaceOf("base", {{"gelu", "cuda"}, {"matmul", "cuda"}}),
                                                     namespaceOf("now", {other, {"matmul", "cuda"}})),
                                             3);
        QCOMPARE(inexact.failures,
                 QStringList("gelu 64x32 cuda: lost, another arithmetic: 3xtf32 against fp32, so another error"));
    }

    // A capture that still works does not hide that the call fails.
    void aLostSpanFails()
    {
        const QList<Piece> pieces{{"gelu", "cuda"}, {"matmul", "cuda"}};
        Namespace now = namespaceOf("now", pieces);
        Measurement &gelu = now.results.first().rounds.first().implementations["cuda"];
        gelu.samplesUs.clear();
        gelu.state = State::Failed;
        gelu.reason = QStringLiteral("wrong result");
        const GateResult gate = judgeGate(compare(namespaceOf("base", pieces), now), 3);
        QCOMPARE(gate.failures, QStringList("gelu 64x32 cuda: lost its span, now: failed, wrong result"));
    }

    void roundsThatFailedAreTold()
    {
        const QList<Piece> pieces{{"gelu", "cuda"}, {"matmul", "cuda"}};
        const Namespace base = twice(namespaceOf("base", pieces));
        Namespace now = base;
        now.name = QStringLiteral("now");
        Measurement &gelu = now.results.first().rounds.last().implementations["cuda"];
        gelu.samplesUs.clear();
        gelu.state = State::Failed;
        gelu.reason = QStringLiteral("time limit");
        const GateResult gate = judgeGate(compare(base, now), 3);
        QVERIFY2(gate.passed, qPrintable(gate.failures.join('\n')));
        QCOMPARE(gate.remarks.filter("gelu 64x32 cuda: span over fewer rounds").size(), 1);
        QVERIFY(gate.remarks.filter("time limit").size() == 1);
        QVERIFY(judgeGate(compare(now, now), 3).remarks.filter("fewer rounds").isEmpty()); // as in the base
    }

    // What the base did not capture cannot be lost; its spans are judged.
    void aCaptureMoreLosesNothing()
    {
        const QList<Piece> pieces{{"gelu", "cuda"}, {"matmul", "cuda"}};
        Namespace base = twice(namespaceOf("base", pieces));
        const Namespace now = twice(namespaceOf("now", pieces));
        base.captures.clear();
        const GateResult gate = judgeGate(compare(base, now), 3);
        QVERIFY2(gate.passed, qPrintable(gate.failures.join('\n')));
        QVERIFY(!judgeGate(compare(now, base), 3).passed); // a kernel time that the base had
    }

    void anUnknownGpuIsTold()
    {
        const QList<Piece> pieces{{"gelu", "cuda"}, {"matmul", "cuda"}};
        const GateResult gate = judgeGate(compare(namespaceOf("base", pieces, ""), namespaceOf("now", pieces)), 3);
        QVERIFY(gate.passed);
        QVERIFY(gate.remarks.first().startsWith("the GPU of base is not recorded: "));
        QVERIFY(judgeGate(compare(namespaceOf("base", pieces), namespaceOf("now", pieces)), 3)
                    .remarks.filter("GPU")
                    .isEmpty());
    }

    void whatTheDriftHidesIsTold()
    {
        QVERIFY(judge(11, 12, 3).remarks.filter("matmul").first().contains(
            "within drift (20.00 %): the drift bound of 20.00 % exceeds 3 %"));
        QVERIFY(judge(10.2, 12, 3).remarks.filter("matmul").isEmpty()); // nothing is hidden
    }

    void aStalledSpanDoesNotDecide()
    {
        Namespace base = twice(namespaceOf("base", {{"gelu", "host", 10}, {"matmul", "host", 10}}));
        Namespace now = twice(namespaceOf("now", {{"gelu", "host", 10}, {"matmul", "host", 12}}));
        base.captures.clear();
        now.captures.clear();
        now.results.first().rounds.last().implementations["host"].samplesUs.last() = 60000; // one stall
        const GateResult gate = judgeGate(compare(base, now), 3);
        QCOMPARE(gate.failures.size(), 1);
        QVERIFY(gate.failures.first().startsWith("matmul"));
        QVERIFY(gate.remarks.filter("gelu 64x32 host: span").first().contains("undecided"));
    }

    // What the base never had cannot be lost.
    void whatIsNewPasses()
    {
        Piece failed{"gelu", "cuda"};
        failed.state = State::Failed;
        const QList<Piece> sound{{"gelu", "cuda"}, {"matmul", "cuda"}};
        QVERIFY(judgeGate(compare(namespaceOf("base", {failed, sound[1]}), namespaceOf("now", sound)), 3).passed);
        QVERIFY(judgeGate(compare(namespaceOf("base", {sound[1]}), namespaceOf("now", sound)), 3).passed);
        const GateResult both =
            judgeGate(compare(namespaceOf("base", {failed, sound[1]}), namespaceOf("now", {failed, sound[1]})), 3);
        QVERIFY(both.passed);
        QVERIFY(both.remarks.filter("not judged").first().startsWith("gelu"));
    }

    void nothingComparedFails()
    {
        const GateResult gate = judgeGate(compare(namespaceOf("base", {{"gelu", "cuda"}}),
                                                  namespaceOf("now", {{"gelu", "cuda"}}), {{}, {"host"}, {}}),
                                          3);
        QVERIFY(!gate.passed);
        QVERIFY(gate.failures.contains("nothing could be compared"));
    }

    void acrossGpusFails()
    {
        const QList<Piece> pieces{{"gelu", "cuda"}, {"matmul", "cuda"}};
        const GateResult gate =
            judgeGate(compare(namespaceOf("base", pieces, "NVIDIA A100"), namespaceOf("now", pieces)), 3);
        QVERIFY(!gate.passed);
        QVERIFY(gate.failures.first().contains("two GPUs"));
    }

    void spansDecideWhereNothingWasCaptured()
    {
        Namespace base = twice(namespaceOf("base", {{"gelu", "host", 10}}));
        Namespace now = twice(namespaceOf("now", {{"gelu", "host", 12}}));
        base.captures.clear();
        now.captures.clear();
        const GateResult gate = judgeGate(compare(base, now), 3);
        QVERIFY(!gate.passed);
        QVERIFY2(gate.failures.first().contains("span 12.00 → 14.00 µs, +16.67 %, by the span's percentage alone"),
                 qPrintable(gate.failures.first()));
        QVERIFY(judgeGate(compare(base, now), 17).passed);
    }

private:
    // Every round once more.
    static Namespace twice(Namespace evidence)
    {
        for (OperationResult &result : evidence.results) {
            result.rounds.append(result.rounds.first());
            result.rounds.last().index = 1;
        }
        return evidence;
    }

    // matmul edited, gelu unchanged, both 10 µs before.
    static GateResult judge(double matmulUs, double geluUs, double percent)
    {
        return judgeGate(
            compare(namespaceOf("base", {{"gelu", "cuda", 10, "g", "1"}, {"matmul", "cuda", 10, "m", "2"}}),
                    namespaceOf("now", {{"gelu", "cuda", geluUs, "g", "1"}, {"matmul", "cuda", matmulUs, "m", "3"}})),
            percent);
    }
};

QTEST_GUILESS_MAIN(TestComparisonGate)
#include "tst_comparisongate.moc"
