// SPDX-License-Identifier: GPL-3.0-or-later
#include "runfixture.h"
#include "statistics.h"

using namespace stagecraft;
using namespace stagecraft::run;
using evidence::State;

// Whole runs whose results are looked at once more after the rounds.
class tst_AfterRounds : public QObject
{
    Q_OBJECT

private slots:
    // Right when it was prepared, wrong when the rounds were over.
    void aResultThatChangedIsNoResult_data()
    {
        QTest::addColumn<QString>("behaviour");
        QTest::addColumn<QString>("word");
        QTest::newRow("wrong") << "wrong-later"
                               << "right before the rounds, wrong after them: the result is wrong: 1 of 48 elements";
        QTest::newRow("error") << "error-later"
                               << "the check after the rounds failed: an illegal memory access";
        QTest::newRow("hang") << "hang-later"
                              << "the check after the rounds failed: ";
        QTest::newRow("death") << "kill-later"
                               << "the check after the rounds failed: the cuda worker";
    }

    void aResultThatChangedIsNoResult()
    {
        QFETCH(QString, behaviour);
        QFETCH(QString, word);
        FakeWorkers workers(QStringLiteral("--behaviour %1 --only cublas").arg(behaviour));
        RunPlan plan = smallPlan(workers, {"cuda", "cublas"});
        plan.runs = 2;
        plan.measurementTimeLimitMs = behaviour.startsWith("hang") ? 1000 : 60'000;
        const RunOutcome run = runToEnd(plan);
        QCOMPARE(run.outcome, Outcome::CompletedWithFailures);
        QCOMPARE(run.fatalProblems(), QString());
        for (int round = 0; round < 6; ++round) {
            const evidence::Measurement changed = run.measurement(0, round, "cublas");
            QCOMPARE(changed.state, State::Failed);
            QVERIFY2(changed.reason.startsWith(word), qPrintable(changed.reason));
            QCOMPARE(changed.samplesUs.size(), 20); // kept, and drawn nowhere
            QCOMPARE(changed.correctness->passed, behaviour != "wrong-later");
            QCOMPARE(run.capture("matmul", round, "cublas").state, State::Failed);
            QCOMPARE(run.measurement(0, round, "cuda").state, State::Ok);
            QCOMPARE(run.capture("matmul", round, "cuda").state, State::Ok);
        }
        for (const evidence::ValueRow &row : evidence::valueRows(run.evidence))
            QCOMPARE(row.span.state, row.implementation == "cuda" ? State::Ok : State::Failed);
    }

    // Nobody can vouch for a result whose last check ends its worker; what else that worker measured says so.
    void aWorkerLostInTheLastCheckIsSaidOfAllThatItMeasured()
    {
        FakeWorkers workers("--behaviour kill-later --only cublas");
        const RunOutcome run = runToEnd(smallPlan(workers, {"cublas", "cuda", "host"}));
        QCOMPARE(run.outcome, Outcome::CompletedWithFailures);
        const QString gone = "not checked again after the rounds: the worker that measured it is gone";
        for (int round = 0; round < 3; ++round) {
            QCOMPARE(run.measurement(0, round, "cublas").state, State::Failed);
            QCOMPARE(run.measurement(0, round, "cuda").state, State::Ok);
            QCOMPARE(run.measurement(0, round, "cuda").note, gone);
            QCOMPARE(run.measurement(0, round, "host").state, State::Ok);
            QVERIFY(!run.measurement(0, round, "host").note.contains("not checked again"));
        }
        QVERIFY2(run.log.join('\n').contains("matmul/cuda is not checked again after its rounds: the worker"),
                 qPrintable(run.log.join('\n')));
    }

    // The worker lives on until all that it measured is looked at.
    void anErrorInTheLastCheckLeavesTheOthersTheirs()
    {
        FakeWorkers one("--behaviour error-later --only cublas");
        const RunOutcome run = runToEnd(smallPlan(one, {"cublas", "cuda"}));
        QCOMPARE(run.measurement(0, 2, "cublas").state, State::Failed);
        QCOMPARE(run.measurement(0, 2, "cuda").state, State::Ok);
        QCOMPARE(run.measurement(0, 2, "cuda").note, QString());
        FakeWorkers all("--behaviour error-later");
        const RunOutcome both = runToEnd(smallPlan(all, {"cublas", "cuda"}));
        QCOMPARE(both.measurement(0, 2, "cublas").state, State::Failed);
        QCOMPARE(both.measurement(0, 2, "cuda").state, State::Ok);
        QVERIFY2(both.measurement(0, 2, "cuda").note.contains("had failed in the check of another"),
                 qPrintable(both.measurement(0, 2, "cuda").note));
    }
};

QTEST_GUILESS_MAIN(tst_AfterRounds)
#include "tst_afterrounds.moc"
