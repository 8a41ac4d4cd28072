// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal.h"
#include "runevents.h"
#include "stagefixture.h"
#include "statistics.h"
#include "verdict.h"

#include <nlohmann/json.hpp>

using namespace stagecraft;
using namespace stagecraft::run;
using evidence::State;

namespace {

RunPlan coldPlan(const FakeWorkers &workers, const QStringList &implementations)
{
    RunPlan plan = smallPlan(workers, implementations);
    plan.cache = "cold";
    return plan;
}

} // namespace

// Whole runs of a cold cache, or of exact FP32 only.
class tst_RunWishes : public QObject
{
    Q_OBJECT

private slots:
    void aColdRunSaysSoThroughout()
    {
        FakeWorkers workers;
        const RunOutcome run = runToEnd(coldPlan(workers, {"cuda", "cublas"}));
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + run.log.join('\n')));
        QCOMPARE(run.fatalProblems(), QString());
        QCOMPARE(run.evidence.results[0].cache, QString("cold"));
        QCOMPARE(run.evidence.captures.size(), 6);
        for (const evidence::Capture &capture : run.evidence.captures)
            QCOMPARE(capture.cache, QString("cold"));
        // The fake worker says this only where it was asked.
        QVERIFY(run.measurement(0, 2, "cublas").note.contains("cold: 3 copies of 48 MB"));
        QVERIFY2(run.log.join('\n').contains("rotate through an L2 of 50 MB"), qPrintable(run.log.join('\n')));
    }

    void whatCannotBeColdIsUnavailableAndTheRestGoesOn()
    {
        FakeWorkers workers("--behaviour no-cold --only cublas");
        const RunOutcome run = runToEnd(coldPlan(workers, {"cublas", "cuda"}));
        QCOMPARE(run.fatalProblems(), QString());
        QCOMPARE(run.measurement(0, 0, "cublas").state, State::Unavailable);
        QVERIFY(run.measurement(0, 2, "cublas").reason.contains("do not exceed the L2"));
        QVERIFY(run.measurement(0, 2, "cublas").reason.contains("choose larger dims"));
        QCOMPARE(run.measurement(0, 2, "cuda").state, State::Ok);
        QCOMPARE(run.capture("matmul", 2, "cuda").state, State::Ok);
        QCOMPARE(workers.pids().size(), 1); // refusing costs no worker
    }

    void aWorkerThatTakesNoNoticeIsNotRecordedAsCold()
    {
        FakeWorkers workers("--behaviour ignores-wishes --only cuda");
        const RunOutcome run = runToEnd(coldPlan(workers, {"cuda", "cublas"}));
        QCOMPARE(run.measurement(0, 0, "cuda").state, State::Invalid);
        QVERIFY(run.measurement(0, 0, "cuda").reason.contains("a cold cache was asked for"));
        QCOMPARE(run.measurement(0, 0, "cublas").state, State::Ok);
    }

    void theChosenStagesArithmeticIsToldAndRecorded()
    {
        FakeWorkers workers("--behaviour chooses-3xtf32");
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda"}));
        QCOMPARE(run.measurement(0, 0, "cuda").arithmetic, QString("3xtf32"));
        QCOMPARE(run.measurement(0, 0, "cuda").stage, QString("matmul/fake"));
        const QString log = run.log.join('\n');
        QVERIFY2(log.contains("runs matmul/fake, arithmetic 3xtf32"), qPrintable(log));
        QVERIFY(run.measurement(0, 0, "cuda").note.isEmpty()); // a warm run says nothing of copies
    }

    void exactFp32ReachesTheChoice()
    {
        FakeWorkers workers("--behaviour chooses-3xtf32");
        RunPlan plan = smallPlan(workers, {"cuda"});
        plan.arithmetic = "fp32";
        const RunOutcome run = runToEnd(plan);
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + run.log.join('\n')));
        QCOMPARE(run.measurement(0, 2, "cuda").arithmetic, QString("fp32"));
    }

    void otherArithmeticThanAskedForIsNoResult()
    {
        FakeWorkers workers("--behaviour ignores-wishes");
        RunPlan plan = smallPlan(workers, {"cuda", "cublas"});
        plan.arithmetic = "fp32";
        const RunOutcome run = runToEnd(plan);
        QCOMPARE(run.measurement(0, 0, "cuda").state, State::Invalid);
        QVERIFY(run.measurement(0, 0, "cuda").reason.contains("it computes in 3xtf32"));
        QCOMPARE(run.measurement(0, 0, "cublas").state, State::Ok);
    }

    void warmAndColdAreNeverOneSeries()
    {
        FakeWorkers warmWorkers;
        const RunOutcome warm = runToEnd(smallPlan(warmWorkers, {"cuda"}));
        FakeWorkers coldWorkers;
        const RunOutcome cold = runToEnd(coldPlan(coldWorkers, {"cuda"}));
        const auto warmRow = evidence::valueRows(warm.evidence).value(0),
                   coldRow = evidence::valueRows(cold.evidence).value(0);
        QCOMPARE(coldRow.cache, QString("cold"));
        for (const auto metric : {&evidence::ValueRow::kernel, &evidence::ValueRow::span})
            QCOMPARE(evidence::incomparableReason(coldRow, warmRow, metric),
                     QString("another cache state: cold against warm"));
    }

    void theJournalKeepsBoth()
    {
        FakeWorkers workers;
        RunStarted started{coldPlan(workers, {"cuda"}), "evidence", "2026-09-10T14:03:12Z"};
        started.plan.arithmetic = "fp32";
        nlohmann::json line = eventToJson(started);
        const RunPlan kept = std::get<RunStarted>(eventFromJson(line)).plan;
        QCOMPARE(kept.cache, QString("cold"));
        QCOMPARE(kept.arithmetic, QString("fp32"));
        // A journal of a version that knew of no arithmetic.
        line.at("plan").erase("arithmetic");
        QCOMPARE(std::get<RunStarted>(eventFromJson(line)).plan.arithmetic, QString("any"));

        Journal journal;
        QCOMPARE(journal.open(workers.output()), QString());
        QCOMPARE(journal.append(started), QString());
        const evidence::Namespace recovered = recoverJournal(workers.output());
        QCOMPARE(recovered.results.value(0).cache, QString("cold"));
    }
};

QTEST_GUILESS_MAIN(tst_RunWishes)
#include "tst_runwishes.moc"
