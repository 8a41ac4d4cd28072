// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal.h"
#include "runevents.h"
#include "runfixture.h"
#include "statistics.h"

using namespace stagecraft;
using namespace stagecraft::run;
using evidence::State;

namespace {

// A whole run, and the phases that it went through.
struct WatchedRun : RunOutcome
{
    QStringList phases;

    bool asked() const { return phases.contains("floors"); }
    QString text() const { return log.join('\n'); }
};

WatchedRun watched(const RunPlan &plan)
{
    WatchedRun result;
    QStringList phases;
    static_cast<RunOutcome &>(result) = runToEnd(plan, [&](Runner &runner) {
        QObject::connect(&runner, &Runner::progressed, &runner,
                         [&](const Progress &progress) { phases.append(progress.phase); });
    });
    result.phases = phases;
    return result;
}

} // namespace

// What a run asks of its GPU once the rounds are over.
class tst_RunFloors : public QObject
{
    Q_OBJECT

private slots:
    void floorsAreRecorded_data()
    {
        QTest::addColumn<QString>("cache");
        QTest::newRow("warm") << "warm";
        QTest::newRow("cold") << "cold";
    }

    void floorsAreRecorded()
    {
        QFETCH(QString, cache);
        FakeWorkers workers("--behaviour floors");
        RunPlan plan = smallPlan(workers, {"cuda", "cublas"});
        plan.cache = cache;
        const WatchedRun run = watched(plan);
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + run.text()));
        QCOMPARE(run.fatalProblems(), QString());
        QCOMPARE(run.evidence.floors.size(), 1); // and none of what nobody asked for
        const evidence::Floor &floor = run.evidence.floors[0];
        QCOMPARE(floor.operation, QString("matmul"));
        QCOMPARE(floor.dims, QList<qint64>({8, 6, 4}));
        QCOMPARE(floor.arithmetic, QString("fp32"));
        QCOMPARE(floor.cache, cache);
        QCOMPARE(floor.what, QString("made-up copy"));
        QCOMPARE(floor.us, 1.25);
        QVERIFY(QFile::exists(workers.output() + "/floors.json"));
        for (const evidence::ValueRow &row : evidence::valueRows(run.evidence))
            QCOMPARE(row.floorUs.value_or(0), 1.25);
        QCOMPARE(run.evidence.floorMeasurements.size(), 2);
        QCOMPARE(run.evidence.floorMeasurements[1].what, QString("span of an empty kernel"));
        QCOMPARE(run.evidence.floorMeasurements[1].unit, QString("µs"));
        QCOMPARE(run.evidence.floorMeasurements[1].value, 4.5);
        QCOMPARE(run.evidence.floorMeasurements[1].note, QString("made up"));
        QCOMPARE(run.evidence.floorsMissing, QStringList("The made-up peak is unknown."));
        QCOMPARE(run.evidence.floorsBackend, QString("made up"));
        QCOMPARE(run.evidence.floorsTimestampMode, QString("made-up clock"));
        QVERIFY2(run.text().contains("info: Floors: empty kernel 0.6 µs (made up)."), qPrintable(run.text()));
        QCOMPARE(workers.pids().size(), 1); // the worker that measured
    }

    // The measurements are as good without.
    void aBenchmarkThatFailsIsALineOfTheLog()
    {
        FakeWorkers workers("--behaviour floors-fail");
        const WatchedRun run = watched(smallPlan(workers, {"cuda"}));
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + run.text()));
        QVERIFY(run.asked());
        QVERIFY2(run.text().contains("warning: Floors are unknown: the benchmark broke. What to do: look at it"),
                 qPrintable(run.text()));
        QVERIFY(run.evidence.floors.isEmpty());
        QVERIFY(!QFile::exists(workers.output() + "/floors.json"));
        QCOMPARE(run.measurement(0, 2, "cuda").state, State::Ok);
        QCOMPARE(run.capture("matmul", 2, "cuda").state, State::Ok);
    }

    // What the plan wanted is measured and checked by then.
    void cancellingThemLeavesTheRunComplete()
    {
        FakeWorkers workers("--behaviour floors-wait");
        const RunPlan plan = smallPlan(workers, {"cuda"});
        const RunOutcome run = runToEnd(plan, [](Runner &runner) {
            QObject::connect(
                &runner, &Runner::progressed, &runner,
                [&runner](const Progress &progress) {
                    if (progress.phase == "floors")
                        runner.cancel();
                },
                Qt::QueuedConnection);
        });
        const QString text = run.log.join('\n');
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + text));
        QVERIFY2(text.contains("info: Floors are left out; the run is complete without them."), qPrintable(text));
        QVERIFY2(!text.contains("Floors are unknown"), qPrintable(text));
        QVERIFY(run.evidence.floors.isEmpty());
        QCOMPARE(run.measurement(0, 2, "cuda").state, State::Ok);
        QVERIFY(!run.measurement(0, 2, "cuda").note.contains("not checked again"));
    }

    void aWorkerWithoutOneSaysSo()
    {
        FakeWorkers workers;
        const WatchedRun run = watched(smallPlan(workers, {"cuda"}));
        QCOMPARE(run.outcome, Outcome::Completed);
        QVERIFY2(run.text().contains("info: Floors are unknown: this worker has no benchmark of floors"),
                 qPrintable(run.text()));
    }

    void whatIsNotWantedIsNotAsked_data()
    {
        QTest::addColumn<bool>("floors");
        QTest::addColumn<bool>("capture");
        QTest::addColumn<QString>("implementation");
        QTest::newRow("--no-floors") << false << true << "cuda";
        QTest::newRow("--no-capture") << true << false << "cuda";
        QTest::newRow("no GPU worker") << true << true << "host";
    }

    void whatIsNotWantedIsNotAsked()
    {
        QFETCH(bool, floors);
        QFETCH(bool, capture);
        QFETCH(QString, implementation);
        FakeWorkers workers("--behaviour floors");
        RunPlan plan = smallPlan(workers, {implementation});
        plan.floors = floors;
        plan.capture = capture;
        const WatchedRun run = watched(plan);
        QCOMPARE(run.outcome, Outcome::Completed);
        QVERIFY(!run.asked());
        QVERIFY2(!run.text().contains("loors"), qPrintable(run.text()));
        QVERIFY(run.evidence.floors.isEmpty());
    }

    void aWorkerThatMeasuredNothingIsNotAsked()
    {
        FakeWorkers workers("--behaviour kill-in-prepare");
        const WatchedRun run = watched(smallPlan(workers, {"cuda"}));
        QCOMPARE(run.outcome, Outcome::CompletedWithFailures);
        QVERIFY2(run.text().contains("Floors are unknown: the cuda worker measured nothing."), qPrintable(run.text()));
        QCOMPARE(workers.pids().size(), 2);
    }

    void theJournalKeepsThem()
    {
        FakeWorkers workers;
        Journal journal;
        QCOMPARE(journal.open(workers.output()), QString());
        RunPlan plan = smallPlan(workers, {"cuda"});
        plan.floors = true;
        FloorsMeasured measured;
        measured.result.floors = {{"matmul", {8, 6, 4}, "fp32", "warm", "rate", 2.5}};
        QCOMPARE(journal.append(RunStarted{plan, "evidence", "2026-09-10T14:03:12Z"}), QString());
        QCOMPARE(journal.append(measured), QString());
        QCOMPARE(recoverJournal(workers.output()).floors.value(0).us, 2.5);
    }
};

QTEST_GUILESS_MAIN(tst_RunFloors)
#include "tst_runfloors.moc"
