// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal.h"
#include "runevents.h"
#include "runfixture.h"
#include "runrecord.h"

using namespace stagecraft;
using namespace stagecraft::run;
using evidence::CounterCapture;
using evidence::State;

namespace {

RunPlan countersPlan(const FakeWorkers &workers, const QStringList &implementations)
{
    RunPlan plan = smallPlan(workers, implementations);
    plan.counters = true;
    plan.rounds = 2;
    return plan;
}

CounterCapture countersOf(const evidence::Namespace &evidence, const QString &implementation)
{
    for (const CounterCapture &capture : evidence.counters)
        if (capture.language == implementation)
            return capture;
    return {};
}

QStringList traceOf(const FakeWorkers &workers)
{
    QFile file(workers.path() + "/trace");
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts)
                                          : QStringList();
}

} // namespace

// Hardware counters of a run: taken after everything that is timed, and told where they are not to be had.
class tst_RunCounters : public QObject
{
    Q_OBJECT

private slots:
    void theyAreKeptAsTheWorkerHasThem()
    {
        FakeWorkers workers("--behaviour counters");
        const RunOutcome run = runToEnd(countersPlan(workers, {"cuda", "cublas"}));
        const QString log = run.log.join('\n');
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + log));
        QCOMPARE(run.fatalProblems(), QString());
        QVERIFY(run.evidence.problems.isEmpty()); // every counted kernel has a record that tells its time
        QCOMPARE(run.evidence.counters.size(), 2);
        const CounterCapture cublas = countersOf(run.evidence, "cublas");
        QCOMPARE(cublas.state, State::Ok);
        QCOMPARE(cublas.operation, QString("matmul"));
        QCOMPARE(cublas.dims, QList<qint64>({8, 6, 4}));
        QCOMPARE(cublas.cache, QString("warm"));
        QCOMPARE(cublas.arithmetic, QString("fp32"));
        QCOMPARE(cublas.backend, QString("cupti"));
        QCOMPARE(cublas.replayMode, QString("kernel"));
        QCOMPARE(cublas.passes, std::optional(18));
        QCOMPARE(cublas.units.value("lts__t_sector_hit_rate.pct"), QString("percent"));
        QCOMPARE(cublas.lacking.value("sm__pipe_tensor_cycles_active.sum"),
                 QString("this made-up GPU does not have it"));
        QCOMPARE(cublas.kernels.size(), 2);
        QCOMPARE(cublas.kernels[1].kernelName, QString("fake_kernel_1"));
        QCOMPARE(cublas.kernels[1].gridSize, QString("64,64,1"));
        QCOMPARE(cublas.kernels[1].blockSize, QString("16,16,1"));
        QCOMPARE(cublas.kernels[1].registersPerThread, std::optional(37));
        QCOMPARE(cublas.kernels[1].sharedMemBytes, std::optional<qint64>(2048));
        QCOMPARE(cublas.kernels[1].values.value("smsp__inst_executed.sum"), 2000.0);
        QVERIFY2(log.contains("info: matmul/cublas, hardware counters: 2 metrics of 2 kernels in 18 passes, 1 metric "
                              "lacking."),
                 qPrintable(log));
        QCOMPARE(workers.pids().size(), 1); // the workers at hand
        QCOMPARE(run.message, QString("The run is complete (4 of 4 measurements)."));
    }

    void nothingIsTimedAfterThem()
    {
        FakeWorkers workers;
        workers.writeFake({}, "--behaviour counters --trace '" + workers.path() + "/trace'");
        RunPlan plan = countersPlan(workers, {"cuda", "cublas"});
        plan.operations.append({"gelu", {4, 8}, {"cuda"}});
        plan.runs = 2;
        QStringList phases;
        const RunOutcome run = runToEnd(plan, [&](Runner &runner) {
            QObject::connect(&runner, &Runner::progressed, &runner, [&](const Progress &progress) {
                if (phases.isEmpty() || phases.last() != progress.phase)
                    phases.append(progress.phase);
                QCOMPARE(progress.total, 3 * 2 * 2); // counters are no measurements
            });
        });
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + run.log.join('\n')));
        const QStringList trace = traceOf(workers);
        const auto begins = [&](const char *method) { return trace.filter(QString("begin cuda %1 ").arg(method)); };
        QCOMPARE(begins("counters").size(), 3);
        QCOMPARE(begins("counters"), trace.filter(" warmup 2").filter("counters"));
        const auto firstCounters = trace.indexOf(begins("counters").first());
        for (const char *timed : {"measure", "capture"})
            QVERIFY(trace.lastIndexOf(begins(timed).last()) < firstCounters);
        // One call's arrays at a time.
        const QStringList rest = trace.mid(firstCounters).filter("begin");
        QCOMPARE(rest.filter("release").size(), 3);
        QCOMPARE(rest.indexOf("begin cuda release cuda"), 1);
        QVERIFY(trace.filter("describe").filter("counters").isEmpty()); // which leaves traces in a process that times
        QVERIFY(phases.contains("counters"));
        QVERIFY(phases.lastIndexOf("counters") > phases.lastIndexOf("floors"));
        QCOMPARE(run.evidence.counters.size(), 3);
        QCOMPARE(run.evidence.counters[2].operation, QString("gelu"));
        QCOMPARE(run.evidence.counters[2].state, State::Ok);
    }

    void whatGoesWrongIsTheStateOfOneAndTheRestGoesOn_data()
    {
        QTest::addColumn<QString>("behaviour");
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("level");
        const auto row = [](const char *behaviour, State state, const char *reason, const char *level = "warning") {
            QTest::newRow(behaviour) << QString("counters-%1").arg(behaviour) << int(state) << QString(reason)
                                     << QString(level);
        };
        row("refused", State::Unavailable, "the made-up driver refuses counters. What to do: ask it nicely", "info");
        row("unknown", State::Unavailable,
            "this worker has no method \"counters\". What to do: use a worker of the program's own version", "info");
        row("fail", State::Failed, "the replay broke. What to do: look at it");
        row("kill", State::Failed, "SIGKILL");
        row("cancelled", State::Failed, "ended the counters without being asked to");
        row("empty", State::Invalid, "no kernel was counted");
        row("unlisted", State::Failed, "broke the protocol");
    }
    void whatGoesWrongIsTheStateOfOneAndTheRestGoesOn()
    {
        QFETCH(QString, behaviour);
        QFETCH(int, state);
        QFETCH(QString, reason);
        QFETCH(QString, level);
        FakeWorkers workers("--only cuda --behaviour " + behaviour);
        const RunOutcome run = runToEnd(countersPlan(workers, {"cuda", "cublas"}));
        const QString log = run.log.join('\n');
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + log)); // all that is timed is there
        const CounterCapture cuda = countersOf(run.evidence, "cuda");
        QCOMPARE(int(cuda.state), state);
        QVERIFY2(cuda.reason.contains(reason), qPrintable(cuda.reason));
        QVERIFY(cuda.kernels.isEmpty() && cuda.units.isEmpty() && !cuda.passes);
        QVERIFY2(log.contains(level + ": matmul/cuda, hardware counters: "), qPrintable(log));
        QCOMPARE(countersOf(run.evidence, "cublas").state, State::Ok);
        QCOMPARE(run.measurement(0, 1, "cuda").state, State::Ok);
        QCOMPARE(run.capture("matmul", 1, "cuda").state, State::Ok);
        QCOMPARE(run.fatalProblems(), QString());
    }

    void aWorkerThatHangsIsEnded()
    {
        FakeWorkers workers("--only cuda --behaviour counters-hang");
        RunPlan plan = countersPlan(workers, {"cuda", "cublas"});
        plan.measurementTimeLimitMs = 2000;
        const RunOutcome run = runToEnd(plan);
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + run.log.join('\n')));
        const CounterCapture cuda = countersOf(run.evidence, "cuda");
        QCOMPARE(cuda.state, State::Failed);
        QVERIFY2(cuda.reason.contains("its times are as good without"), qPrintable(cuda.reason));
        QCOMPARE(countersOf(run.evidence, "cublas").state, State::Ok);
        QCOMPARE(workers.pids().size(), 2);
    }

    void cancellingKeepsWhatIsThere()
    {
        FakeWorkers workers("--only cublas --behaviour counters-wait");
        const RunOutcome run = runToEnd(countersPlan(workers, {"cuda", "cublas", "host"}), [](Runner &runner) {
            QObject::connect(
                &runner, &Runner::progressed, &runner,
                [&runner](const Progress &progress) {
                    if (progress.phase == "counters" && progress.implementation == "cublas")
                        runner.cancel();
                },
                Qt::QueuedConnection);
        });
        QVERIFY2(run.outcome == Outcome::Cancelled, qPrintable(run.message + run.log.join('\n')));
        QCOMPARE(run.message, QString("The run was cancelled after 6 of 6 measurements, which are kept."));
        QCOMPARE(countersOf(run.evidence, "cuda").state, State::Ok);
        QCOMPARE(countersOf(run.evidence, "cublas").state, State::NotRun);
        QCOMPARE(countersOf(run.evidence, "cublas").reason, QString("cancelled while they were taken"));
        QCOMPARE(run.measurement(0, 1, "cublas").state, State::Ok);
    }

    void cancellingEarlierLeavesThemNotRun()
    {
        FakeWorkers workers("--behaviour counters");
        const RunOutcome run = runToEnd(countersPlan(workers, {"cuda"}), [](Runner &runner) {
            QObject::connect(
                &runner, &Runner::progressed, &runner,
                [&runner](const Progress &progress) {
                    if (progress.phase == "capture")
                        runner.cancel();
                },
                Qt::QueuedConnection);
        });
        QCOMPARE(run.outcome, Outcome::Cancelled);
        QCOMPARE(countersOf(run.evidence, "cuda").state, State::NotRun);
        QCOMPARE(countersOf(run.evidence, "cuda").reason, QString("the run was cancelled before they were taken"));
    }

    // Stop is Stop: floors are not the last step where counters follow.
    void cancellingTheFloorsLeavesTheCountersOut()
    {
        FakeWorkers workers("--behaviour floors-wait");
        const RunOutcome run = runToEnd(countersPlan(workers, {"cuda"}), [](Runner &runner) {
            QObject::connect(
                &runner, &Runner::progressed, &runner,
                [&runner](const Progress &progress) {
                    if (progress.phase == "floors")
                        runner.cancel();
                },
                Qt::QueuedConnection);
        });
        QCOMPARE(run.outcome, Outcome::Cancelled);
        QCOMPARE(countersOf(run.evidence, "cuda").state, State::NotRun);
        QCOMPARE(run.measurement(0, 1, "cuda").state, State::Ok);
    }

    void ofTheCpuAndOfAColdCacheThereAreNone()
    {
        FakeWorkers workers;
        workers.writeFake({}, "--behaviour counters --trace '" + workers.path() + "/trace'");
        const RunOutcome warm = runToEnd(countersPlan(workers, {"cuda", "host"}));
        QVERIFY2(warm.outcome == Outcome::Completed, qPrintable(warm.message));
        QCOMPARE(countersOf(warm.evidence, "cuda").state, State::Ok);
        QCOMPARE(countersOf(warm.evidence, "host").state, State::Unavailable);
        QVERIFY(countersOf(warm.evidence, "host").reason.contains("counters are the GPU's"));
        QCOMPARE(warm.fatalProblems(), QString());
        QVERIFY(QDir(workers.output()).removeRecursively());
        QVERIFY(QFile::remove(workers.path() + "/trace"));

        RunPlan plan = countersPlan(workers, {"cuda"});
        plan.cache = "cold";
        const RunOutcome cold = runToEnd(plan);
        QVERIFY2(cold.outcome == Outcome::Completed, qPrintable(cold.message));
        QCOMPARE(countersOf(cold.evidence, "cuda").state, State::Unavailable);
        QVERIFY(countersOf(cold.evidence, "cuda").reason.contains("take counters of a warm run (--cache warm)"));
        QVERIFY(!traceOf(workers).isEmpty());
        QVERIFY(traceOf(workers).filter("counters").isEmpty());
    }

    // What has no sound time has nothing that counters explain, and a wrong kernel would only be counted wrong.
    void whatWasNotMeasuredIsNotCounted_data()
    {
        QTest::addColumn<QString>("behaviour");
        QTest::newRow("refused") << "unavailable";
        QTest::newRow("wrong") << "wrong-result";
        QTest::newRow("wrong later") << "wrong-later";
        QTest::newRow("dies") << "kill-in-measure";
    }
    void whatWasNotMeasuredIsNotCounted()
    {
        QFETCH(QString, behaviour);
        FakeWorkers workers;
        workers.writeFake({}, "--behaviour " + behaviour + " --trace '" + workers.path() + "/trace'");
        const RunOutcome run = runToEnd(countersPlan(workers, {"cuda"}));
        QCOMPARE(run.outcome, Outcome::CompletedWithFailures);
        QCOMPARE(countersOf(run.evidence, "cuda").state, State::NotRun);
        QVERIFY2(countersOf(run.evidence, "cuda").reason.contains("no sound measurement"),
                 qPrintable(countersOf(run.evidence, "cuda").reason));
        QVERIFY(traceOf(workers).filter(" counters ").isEmpty());
    }

    // Wrong in the check before them, as what leans on memory that others left.
    void aCheckThatFailsGatesThem()
    {
        FakeWorkers workers;
        // The first worker measures and dies afterwards; the one that would count is wrong from the start.
        workers.writeFake("[ $(wc -l < \"$PIDS\") -gt 1 ] && set -- --behaviour wrong-result\n",
                          "--behaviour kill-later");
        const RunOutcome run = runToEnd(countersPlan(workers, {"cuda", "cublas"}));
        const CounterCapture cublas = countersOf(run.evidence, "cublas");
        QVERIFY2(cublas.state == State::Failed, qPrintable(evidence::stateName(cublas.state) + cublas.reason));
        QVERIFY2(cublas.reason.contains("the result is wrong"), qPrintable(cublas.reason));
        QCOMPARE(run.measurement(0, 1, "cublas").state, State::Ok);
    }

    void aRunWithoutThemSaysNothingOfThem()
    {
        FakeWorkers workers;
        workers.writeFake({}, "--behaviour counters --trace '" + workers.path() + "/trace'");
        RunPlan plan = countersPlan(workers, {"cuda"});
        plan.counters = false;
        const RunOutcome run = runToEnd(plan);
        QCOMPARE(run.outcome, Outcome::Completed);
        QVERIFY(run.evidence.counters.isEmpty());
        QVERIFY(!QFile::exists(workers.output() + "/comparison-counters.json"));
        QVERIFY(traceOf(workers).filter("counters").isEmpty());
        QVERIFY(run.log.filter("counters").isEmpty());
    }

    void theJournalKeepsThem()
    {
        FakeWorkers workers;
        Journal journal;
        QCOMPARE(journal.open(workers.output()), QString());
        const RunPlan plan = countersPlan(workers, {"cuda", "cublas", "host"});
        CountersTaken taken{0, "cuda", "matmul/k64", "fp32", {}, State::Ok, {}};
        taken.result.backend = "cupti";
        taken.result.replayMode = "kernel";
        taken.result.passes = 18;
        taken.result.metrics = {{"a.sum", "byte"}};
        taken.result.missing = {{"b.sum", "not on this GPU"}};
        taken.result.kernels = {{"k", {1, 2, 3}, {4, 5, 6}, 32, 1024, {{"a.sum", 0.1 + 0.2}}}};
        QCOMPARE(journal.append(RunStarted{plan, "evidence", "2026-09-10T14:03:12Z"}), QString());
        QCOMPARE(journal.append(taken), QString());
        const evidence::Namespace recovered = recoverJournal(workers.output());
        QCOMPARE(recovered.counters.size(), 3);
        const CounterCapture cuda = countersOf(recovered, "cuda");
        QCOMPARE(cuda.state, State::Ok);
        QCOMPARE(cuda.stage, QString("matmul/k64"));
        QCOMPARE(cuda.arithmetic, QString("fp32"));
        QCOMPARE(cuda.passes, std::optional(18));
        QCOMPARE(cuda.units.value("a.sum"), QString("byte"));
        QCOMPARE(cuda.lacking.value("b.sum"), QString("not on this GPU"));
        QCOMPARE(cuda.kernels.value(0).gridSize, QString("1,2,3"));
        QCOMPARE(cuda.kernels.value(0).values.value("a.sum"), 0.1 + 0.2);
        QCOMPARE(countersOf(recovered, "cublas").state, State::NotRun);
        QCOMPARE(countersOf(recovered, "cublas").reason, QString("the program ended before they were taken"));
        QCOMPARE(countersOf(recovered, "host").state, State::Unavailable);
    }

    void aJournalFromBeforeThemIsReadAndAForgedOneIsNot()
    {
        FakeWorkers workers;
        nlohmann::json event = eventToJson(RunStarted{countersPlan(workers, {"cuda"}), "e", "2026-09-10T14:03:12Z"});
        event["plan"].erase("counters");
        RunRecord record;
        record.apply(eventFromJson(event));
        QVERIFY(!record.plan().counters);
        QVERIFY(record.evidence().counters.isEmpty());
        QVERIFY_EXCEPTION_THROWN(record.apply(CountersTaken{0, "cuda"}), std::out_of_range);
        RunRecord other;
        other.apply(RunStarted{countersPlan(workers, {"cuda"}), "e", "2026-09-10T14:03:12Z"});
        QVERIFY_EXCEPTION_THROWN(other.apply(CountersTaken{0, "cublas"}), std::out_of_range);
        QVERIFY_EXCEPTION_THROWN(other.apply(CountersTaken{7, "cuda"}), std::out_of_range);
        QVERIFY_EXCEPTION_THROWN(other.apply(CountersTaken{-1, "cuda"}), std::out_of_range);
        other.apply(CountersTaken{0, "cuda"});
    }

    void countersThatFailedAreNoFailedMeasurement()
    {
        FakeWorkers workers;
        RunRecord record;
        record.apply(RunStarted{countersPlan(workers, {"cuda"}), "e", "2026-09-10T14:03:12Z"});
        QVERIFY(isPending(record.evidence().counters[0]));
        record.apply(CountersTaken{0, "cuda", {}, {}, {}, State::Failed, "the replay broke"});
        QCOMPARE(failureCount(record.evidence()), 0);
    }
};

QTEST_GUILESS_MAIN(tst_RunCounters)
#include "tst_runcounters.moc"
