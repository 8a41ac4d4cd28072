// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchresources.h"
#include "runrecord.h"
#include "stagefixture.h"

#include <algorithm>

using namespace stagecraft;
using namespace stagecraft::run;
using evidence::State;

namespace {

const evidence::OperationProgression matmul(const RunOutcome &run)
{
    return run.evidence.progression ? run.evidence.progression->operations.value(0) : evidence::OperationProgression();
}

} // namespace

// Whole runs with stages that are asked for by name.
class tst_RunStages : public QObject
{
    Q_OBJECT

private slots:
    void stagesBecomeAProgression()
    {
        FakeWorkers workers;
        RunPlan plan = stagePlan(workers, threeStages(), {"cublas"});
        plan.rounds = 5;
        QSharedPointer<const evidence::Namespace> last;
        const RunOutcome run = runToEnd(plan, [&](Runner &runner) {
            connect(&runner, &Runner::evidenceChanged, &runner, [&](const auto &snapshot) { last = snapshot; });
        });
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + run.log.join('\n')));
        QCOMPARE(run.fatalProblems(), QString());
        QCOMPARE(run.measurement(0, 4, "cuda/tiled").stage, QString("matmul/tiled"));
        QCOMPARE(run.evidence.sourceSha256.value("matmul/tiled"), QString::fromStdString(plan.stages[1].sha256));

        const evidence::Progression &progression = *run.evidence.progression;
        QCOMPARE(progression.deviceName, QString("Fake GPU"));
        QCOMPARE(progression.deviceComputeCapability, QString("9.0"));
        QCOMPARE(progression.deviceSms, 132);
        QCOMPARE(progression.deviceMaxThreadsPerSm, 2048);
        const evidence::OperationProgression entry = matmul(run);
        QCOMPARE(entry.operation, QString("matmul"));
        QCOMPARE(entry.dims, QList<qint64>({8, 6, 4}));
        QCOMPARE(entry.stages.size(), 2);
        QCOMPARE(entry.stages[0].id, QString("tiled"));
        QCOMPARE(entry.stages[1].id, QString("registers"));
        QCOMPARE(entry.stages[1].title, QString("title of registers"));
        QCOMPARE(entry.stages[1].change, QString("change of registers"));
        QCOMPARE(entry.stages[1].origin, QString("evidence"));
        QCOMPARE(entry.stages[1].sourceSha256, QString::fromStdString(plan.stages[2].sha256));
        QCOMPARE(*entry.stages[0].kernelUs, 16.0); // 0.4 of the span's start
        QCOMPARE(*entry.stages[1].kernelUs, 8.0);
        // 20 samples of 20 + 0.1·(n mod 7): two whole sevens (sum 2.1 each) and 0 to 5 (1.5).
        QVERIFY(std::abs(*entry.stages[1].spanUs - (20 + 5.7 / 20)) < 1e-9);
        const auto launches = evidence::launchResources(entry.stages[0].resources);
        QCOMPARE(launches.size(), 1);
        QCOMPARE(launches[0].blocks, 1);
        QCOMPARE(launches[0].threadsPerBlock, 256);
        QCOMPARE(launches[0].registersPerThread, 28);
        QCOMPARE(launches[0].residentThreadsPerSm, 1536);
        QCOMPARE(evidence::stageCounts(entry.stages[0].resources).value("reads"), 2.0);

        // The file says what the run said last.
        QVERIFY(last && last->progression);
        const auto &live = last->progression->operations[0];
        QCOMPARE(live.stages[1].kernelUs, entry.stages[1].kernelUs);
        QCOMPARE(live.attempts[0].verdict, entry.attempts[0].verdict);
        QCOMPARE(live.experiments.size(), entry.experiments.size());
    }

    void attemptsAreComparedInTheSameRun()
    {
        FakeWorkers workers;
        RunPlan plan = stagePlan(workers, threeStages());
        plan.rounds = 5;
        const evidence::OperationProgression entry = matmul(runToEnd(plan));
        QCOMPARE(entry.attempts.size(), 1);
        const evidence::ProgressionAttempt &attempt = entry.attempts[0];
        QCOMPARE(attempt.id, QString("tile"));
        QCOMPARE(attempt.metric, QString("kernel time"));
        QCOMPARE(attempt.low, 12.0);
        QCOMPARE(attempt.high, 12.0);
        QCOMPARE(attempt.comparedWith, QString("title of registers, same run"));
        QCOMPARE(attempt.comparedWithStage, QString("matmul/registers"));
        QCOMPARE(attempt.valueOfThat, 8.0);
        QCOMPARE(attempt.evidence, QString("evidence"));
        QVERIFY2(attempt.verdict.startsWith("slower in 5 of 5 rounds: 1.50 times as long"),
                 qPrintable(attempt.verdict));

        // One for each count of work that differs: tiled → registers (reads), registers → tile (reads; the outputs are
        // equal, what a thread or a block holds is no work).
        QCOMPARE(entry.experiments.size(), 2);
        const evidence::ProgressionExperiment &experiment = entry.experiments[1];
        QVERIFY2(experiment.title.startsWith("tile against registers"), qPrintable(experiment.title));
        QCOMPARE(experiment.predicted, 1.5);
        QCOMPARE(experiment.measured, 1.5);
        QCOMPARE(experiment.metric, QString("kernel time"));
        QCOMPARE(experiment.values["tile"].get<double>(), 12.0);
        QCOMPARE(experiment.counts["reads"]["registers"].get<double>(), 0.5);
        QVERIFY2(experiment.conclusion.startsWith("Time follows the count"), qPrintable(experiment.conclusion));
        QCOMPARE(entry.experiments[0].predicted, 0.25);
        QCOMPARE(entry.experiments[0].measured, 0.5);
        QVERIFY(entry.experiments[0].conclusion.startsWith("The count alone does not explain"));
        QVERIFY(entry.ab.isEmpty());
    }

    // Those are no series: neither a ratio nor an experiment comes of them.
    void anAttemptOfOtherArithmeticIsNotCompared()
    {
        FakeWorkers workers;
        RunPlan plan = stagePlan(workers, {{"plain", {}, false, {"us=40"}, {{"reads", 2}}},
                                           {"split", "plain", true, {"us=20"}, {{"reads", 1}}, "3xtf32"}});
        plan.rounds = 5;
        const evidence::OperationProgression entry = matmul(runToEnd(plan));
        QCOMPARE(entry.attempts.size(), 1);
        QCOMPARE(entry.attempts[0].arithmetic, QString("3xtf32"));
        QVERIFY(!entry.attempts[0].valueOfThat);
        QCOMPARE(entry.attempts[0].verdict, QString("undecided: other arithmetic, 3xtf32 against fp32"));
        QVERIFY(entry.experiments.isEmpty());
    }

    void fewRoundsAreUndecidedAndSpansServeWithoutCapture()
    {
        FakeWorkers workers;
        RunPlan plan = stagePlan(workers, threeStages());
        plan.capture = false;
        const RunOutcome run = runToEnd(plan);
        QCOMPARE(run.fatalProblems(), QString());
        const evidence::OperationProgression entry = matmul(run);
        QVERIFY(!entry.stages[0].kernelUs && entry.stages[0].spanUs);
        QCOMPARE(entry.attempts[0].metric, QString("span"));
        QVERIFY2(entry.attempts[0].verdict.startsWith("undecided: fewer than 5 rounds"),
                 qPrintable(entry.attempts[0].verdict));
        QVERIFY2(entry.attempts[0].verdict.contains("next: measure at least 5 rounds"),
                 qPrintable(entry.attempts[0].verdict));
        QCOMPARE(entry.experiments[1].metric, QString("span"));
    }

    void runsRepeatTheProtocolInFreshWorkers()
    {
        FakeWorkers workers;
        RunPlan plan = stagePlan(workers, threeStages());
        plan.rounds = 2;
        plan.runs = 3;
        QList<Progress> progress;
        const RunOutcome run = runToEnd(plan, [&](Runner &runner) {
            connect(&runner, &Runner::progressed, &runner, [&](const Progress &p) { progress.append(p); });
        });
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + run.log.join('\n')));
        QCOMPARE(run.fatalProblems(), QString());
        QCOMPARE(workers.pids().size(), 3);
        QCOMPARE(run.evidence.roundsDeclared, 6);
        QCOMPARE(run.evidence.runs, 3);
        QCOMPARE(run.evidence.roundsPerRun, 2);
        const auto &rounds = run.evidence.results[0].rounds;
        QCOMPARE(rounds.size(), 6);
        for (int round = 0; round < 6; ++round) {
            QCOMPARE(rounds[round].index, round);
            QCOMPARE(rounds[round].run, round / 2);
            QCOMPARE(run.measurement(0, round, "cuda/tile").state, State::Ok);
            QVERIFY(run.measurement(0, round, "cuda/tile").correctness->passed);
            QCOMPARE(run.capture("matmul", round, "cuda/tile").state, State::Ok);
        }
        QCOMPARE(progress.last().total, 18);
        QCOMPARE(progress.last().done, 18);
        const auto late = std::ranges::find_if(progress, [](const Progress &p) { return p.round == 5; });
        QVERIFY(late != progress.end());
        QCOMPARE(late->run, 3);
        QCOMPARE(late->runs, 3);
        QCOMPARE(late->rounds, 6);

        const evidence::OperationProgression entry = matmul(run);
        QCOMPARE(entry.ab.size(), 6); // three stages, spans and kernel times
        QCOMPARE(entry.ab[0].stage, QString("matmul/tiled"));
        QCOMPARE(entry.ab[0].metric, QString("span"));
        QCOMPARE(entry.ab[0].runs.size(), 3);
        QVERIFY(std::abs(entry.ab[0].mean - (40 + 5.7 / 20)) < 1e-9);
        QCOMPARE(entry.ab[1].metric, QString("kernel time"));
        QCOMPARE(entry.ab[1].runs, QList<double>({16, 16, 16}));
        // Six rounds decide what the two of one run could not.
        QVERIFY2(entry.attempts[0].verdict.startsWith("slower"), qPrintable(entry.attempts[0].verdict));
    }

    void whatCudaChoseIsKnownByItsId()
    {
        FakeWorkers workers;
        RunPlan plan = stagePlan(workers, {{"other", "fake", true, {"us=30"}}}, {"cuda"});
        const RunOutcome run = runToEnd(plan);
        QCOMPARE(run.fatalProblems(), QString());
        const evidence::OperationProgression entry = matmul(run);
        QCOMPARE(entry.stages.size(), 1);
        QCOMPARE(entry.stages[0].id, QString("fake"));
        QCOMPARE(entry.stages[0].title, QString("fake"));
        QCOMPARE(entry.stages[0].kernelUs, 4.0);
        QCOMPARE(entry.stages[0].sourceSha256, QString(64, 'a'));
        QCOMPARE(evidence::launchResources(entry.stages[0].resources)[0].blocks, 4096);
        QCOMPARE(entry.attempts[0].comparedWith, QString("fake, same run"));
        QCOMPARE(entry.attempts[0].valueOfThat, 4.0);
    }

    // Spans of 10 in the first run and 14 in the second against 20 and 20: a range, and a mean of each run.
    void runsThatDifferAreARange()
    {
        FakeWorkers workers;
        RunPlan plan = stagePlan(workers, {{"old"}, {"new", "old", true}});
        plan.rounds = 3;
        plan.runs = 2;
        plan.iterations = 2;
        RunRecord record;
        record.apply(RunStarted{plan, "ns", "2026-01-02T03:04:05Z"});
        for (int round = 0; round < 6; ++round) {
            const double us = round < 3 ? 10 : 14;
            record.apply(SpansMeasured{0, round, "cuda/old", {19, 21}, State::Ok, {}});
            record.apply(SpansMeasured{0, round, "cuda/new", {us - 1, us + 1}, State::Ok, {}});
        }
        const evidence::OperationProgression entry = record.evidence().progression->operations[0];
        const evidence::ProgressionAttempt attempt = entry.attempts[0];
        QCOMPARE(attempt.metric, QString("span"));
        QCOMPARE(attempt.low, 10.0);
        QCOMPARE(attempt.high, 14.0);
        QCOMPARE(attempt.valueOfThat, 20.0);
        // Median ratio (0.5 three times, 0.7 three times) 0.6; the spread of 10 and 14 about 12 is 1/6.
        QVERIFY2(attempt.verdict.startsWith("faster in 6 of 6 rounds: 0.60 times as long"),
                 qPrintable(attempt.verdict));
        QVERIFY2(attempt.verdict.contains("resolution 16.7 %"), qPrintable(attempt.verdict));
        QCOMPARE(entry.ab.size(), 2);
        QCOMPARE(entry.ab[1].stage, QString("matmul/new"));
        QCOMPARE(entry.ab[1].runs, QList<double>({10, 14}));
        QCOMPARE(entry.ab[1].mean, 12.0);
    }

    // While it goes on, the progression follows; what is throttled is no result.
    void theProgressionIsLive()
    {
        FakeWorkers workers;
        RunRecord record;
        record.apply(RunStarted{stagePlan(workers, threeStages()), "ns", "2026-01-02T03:04:05Z"});
        const auto entry = [&] { return record.evidence().progression->operations[0]; };
        QCOMPARE(entry().stages.size(), 2);
        QCOMPARE(entry().stages[0].state, State::NotRun);
        QCOMPARE(entry().stages[0].reason, QString("not measured yet"));
        QCOMPARE(evidence::stageCounts(entry().stages[0].resources).value("reads"), 2.0);
        QCOMPARE(entry().attempts[0].state, State::NotRun);
        record.apply(SpansMeasured{0, 0, "cuda/tiled", QList<double>(20, 8.0), State::Ok, {}});
        QCOMPARE(entry().stages[0].state, State::Ok);
        QCOMPARE(entry().stages[0].spanUs, 8.0);
        QVERIFY(!entry().stages[0].kernelUs);
        record.apply(SpansMeasured{0, 0, "cuda/registers", QList<double>(20, 4.0), State::Throttled, "hot"});
        QCOMPARE(entry().stages[1].state, State::Throttled);
        QCOMPARE(entry().stages[1].reason, QString("hot"));
        QVERIFY(!entry().stages[1].spanUs);
        QVERIFY(entry().experiments.isEmpty());
        record.apply(SpansMeasured{0, 0, "cuda/tile", QList<double>(20, 6.0), State::Ok, {}});
        QCOMPARE(entry().attempts[0].low, 6.0);
        QVERIFY2(entry().attempts[0].verdict.contains("matmul/registers has no span in this run"),
                 qPrintable(entry().attempts[0].verdict));
        record.closeUnfinished("the end came");
        QCOMPARE(entry().stages[0].state, State::Ok);
    }

    void whatCudaChoseIsTheNamedStage_data()
    {
        QTest::addColumn<QStringList>("marks");
        QTest::addColumn<double>("kernelUs");
        QTest::newRow("the named one's times") << QStringList{"us=50"} << 20.0;
        QTest::newRow("unless it has none") << QStringList{"us=50", "wrong-result"} << 4.0;
    }

    void whatCudaChoseIsTheNamedStage()
    {
        QFETCH(QStringList, marks);
        QFETCH(double, kernelUs);
        FakeWorkers workers;
        const RunOutcome run = runToEnd(stagePlan(workers, {{"fake", {}, false, marks}}, {"cuda"}));
        QCOMPARE(run.fatalProblems(), QString());
        QCOMPARE(matmul(run).stages.size(), 1);
        QCOMPARE(matmul(run).stages[0].kernelUs, kernelUs);
        QCOMPARE(matmul(run).stages[0].title, QString("title of fake"));
        QCOMPARE(matmul(run).stages[0].state, State::Ok);
    }

    void withoutStagesThereIsNoProgression()
    {
        FakeWorkers workers;
        QVERIFY(!runToEnd(smallPlan(workers, {"cuda"})).evidence.progression);
        QVERIFY(!QFile::exists(workers.output() + "/progression.json"));
    }

    void faultsStayWithTheirStage_data()
    {
        QTest::addColumn<QString>("mark");
        QTest::addColumn<State>("state");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char *mark, State state, const QStringList &words) {
            QTest::newRow(mark) << QString(mark) << state << words;
        };
        row("compile-error", State::Failed,
            {"does not compile", "error: identifier \"undeclared_name\" is undefined", "What to do",
             "correct the source"});
        row("wrong-result", State::Failed, {"1 of 48 elements", "the first is element 0: 1.5 where 1 is expected"});
        row("nan-result", State::Failed, {"48 of 48 elements"});
        row("illegal-address", State::Failed, {"CUDA_ERROR_ILLEGAL_ADDRESS", "What to do"});
        row("endless-loop", State::Failed, {"sent nothing for 1 s during check", "endless loop"});
        row("hang-in-measure", State::Failed, {"sent nothing for 1 s during measure", "endless loop"});
        row("error-in-measure", State::Failed, {"CUDA error 700", "What to do"});
        row("impossible-launch", State::Invalid, {"cannot be launched", "What to do", "__launch_bounds__"});
        row("kill-in-prepare", State::Failed, {"SIGKILL"});
    }

    void faultsStayWithTheirStage()
    {
        QFETCH(QString, mark);
        QFETCH(State, state);
        QFETCH(QStringList, words);
        FakeWorkers workers;
        RunPlan plan = stagePlan(workers, {{"good", {}, false, {"us=20"}, {{"reads", 1}}},
                                           {"bad", "good", true, {"us=30", mark}, {{"reads", 2}}},
                                           {"next", "good", false, {"us=10"}, {{"reads", 0.5}}}});
        plan.measurementTimeLimitMs = mark.startsWith("endless") || mark.startsWith("hang") ? 1000 : 60'000;
        const RunOutcome run = runToEnd(plan);
        QCOMPARE(run.outcome, Outcome::CompletedWithFailures);
        QCOMPARE(run.fatalProblems(), QString());
        for (int round = 0; round < 3; ++round) {
            QCOMPARE(run.measurement(0, round, "cuda/good").state, State::Ok);
            QCOMPARE(run.measurement(0, round, "cuda/next").state, State::Ok);
            QCOMPARE(run.capture("matmul", round, "cuda/next").state, State::Ok);
        }
        const evidence::Measurement bad = run.measurement(0, 0, "cuda/bad");
        QCOMPARE(bad.state, state);
        for (const QString &word : words)
            QVERIFY2(bad.reason.contains(word), qPrintable(bad.reason));
        const evidence::OperationProgression entry = matmul(run);
        QCOMPARE(entry.attempts[0].state, state);
        QCOMPARE(entry.attempts[0].reason, bad.reason);
        QVERIFY(entry.attempts[0].verdict.isEmpty() && !entry.attempts[0].valueOfThat);
        QCOMPARE(entry.experiments.size(), 1); // good → next only
        QCOMPARE(entry.stages.size(), 2);
        QCOMPARE(entry.stages[1].kernelUs, 4.0);
    }

    // The whole log, with its lines, once.
    void aCompilersWordsAreLogged()
    {
        FakeWorkers workers;
        const RunOutcome run = runToEnd(stagePlan(workers, {{"bad", {}, false, {"compile-error"}}, {"good"}}));
        const QString log = run.log.join('\n');
        QCOMPARE(log.count("out[0] = undeclared_name;\n"), 1);
        QVERIFY2(log.contains("error: matmul/bad.cu("), qPrintable(log));
        QCOMPARE(workers.pids().size(), 1); // nothing ran: the worker is as good as before
    }

    void anEndlessLoopCostsOneWorker()
    {
        FakeWorkers workers;
        RunPlan plan = stagePlan(workers, {{"bad", {}, false, {"endless-loop"}}, {"good"}});
        plan.measurementTimeLimitMs = 1000;
        const RunOutcome run = runToEnd(plan);
        QCOMPARE(run.measurement(0, 2, "cuda/good").state, State::Ok);
        QCOMPARE(workers.pids().size(), 2);
    }

    // What never worked is not tried again in the next run; what worked is.
    void laterRunsTryAgainWhatWorked()
    {
        FakeWorkers workers("--behaviour kill-in-measure --round 1");
        RunPlan plan = stagePlan(workers, {{"bad", {}, false, {"compile-error"}}, {"good"}});
        plan.operations[0].implementations = {"cuda/bad", "cuda/good"};
        plan.rounds = 2;
        plan.runs = 2;
        const RunOutcome run = runToEnd(plan);
        QCOMPARE(run.fatalProblems(), QString());
        QCOMPARE(run.measurement(0, 0, "cuda/good").state, State::Ok);
        QCOMPARE(run.measurement(0, 1, "cuda/good").state, State::Failed);
        QCOMPARE(run.measurement(0, 2, "cuda/good").state, State::Ok);
        QCOMPARE(run.measurement(0, 3, "cuda/good").state, State::Ok);
        for (int round = 0; round < 4; ++round)
            QCOMPARE(run.measurement(0, round, "cuda/bad").state, State::Failed);
        QCOMPARE(run.log.join('\n').count("undeclared_name;"), 1);
    }

    void anotherTextIsInvalid()
    {
        FakeWorkers workers;
        RunPlan plan = stagePlan(workers, {{"good"}, {"other"}});
        plan.stages[1].sha256 = std::string(64, '0');
        const RunOutcome run = runToEnd(plan);
        const evidence::Measurement other = run.measurement(0, 0, "cuda/other");
        QCOMPARE(other.state, State::Invalid);
        QVERIFY2(other.reason.contains("another text of matmul/other") && other.reason.contains("000000000000"),
                 qPrintable(other.reason));
        QVERIFY(other.samplesUs.isEmpty());
        QCOMPARE(run.measurement(0, 2, "cuda/good").state, State::Ok);
        QCOMPARE(matmul(run).stages[1].state, State::Invalid);
    }

    void theTextTravelsToAWorkerElsewhere()
    {
        FakeWorkers workers;
        RunPlan plan = stagePlan(workers, {{"good"}});
        plan.workers.prefix = {"env", "PATH=" + workers.path() + ":" + qEnvironmentVariable("PATH")};
        const RunOutcome run = runToEnd(plan);
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + run.log.join('\n')));
    }
};

QTEST_GUILESS_MAIN(tst_RunStages)
#include "tst_runstages.moc"
