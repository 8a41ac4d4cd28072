// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal.h"
#include "runfixture.h"
#include "statistics.h"

#include <QDirIterator>
#include <QScopeGuard>
#include <QSysInfo>
#include <QThread>
#include <QTimer>

using namespace stagecraft;
using namespace stagecraft::run;
using evidence::State;

// Whole runs with real child processes, all going well.
class tst_Runner : public QObject
{
    Q_OBJECT

private slots:
    void hostRunIsSoundEvidence()
    {
        FakeWorkers workers;
        RunPlan plan = smallPlan(workers, {"host"});
        plan.operations = {{"matmul", {16, 12, 8}, {"host"}}, {"neighbor", {7, 3, 0}, {"host"}}};
        const RunOutcome run = runToEnd(plan);
        QVERIFY2(run.over && run.outcome == Outcome::Completed, qPrintable(run.message + run.log.join('\n')));
        QCOMPARE(run.fatalProblems(), QString());
        const evidence::Namespace &ns = run.evidence;
        QCOMPARE(ns.experimentId, QString("evidence"));
        QCOMPARE(ns.precision, QString("FP32"));
        QVERIFY(!ns.platform.isEmpty());
        QVERIFY2(ns.timing.contains("host clock"), qPrintable(ns.timing));
        QCOMPARE(ns.gpu, QString());
        QCOMPARE(ns.roundsDeclared, 3);
        QCOMPARE(ns.iterationsPerRound, 20);
        QCOMPARE(ns.warmupPerRound, 2);
        QVERIFY(QDateTime::fromString(ns.utc, Qt::ISODate).isValid());
        QCOMPARE(ns.results.size(), 2);
        QCOMPARE(ns.results[0].dims, QList<qint64>({16, 12, 8}));
        QCOMPARE(ns.results[0].cache, QString("warm"));
        QCOMPARE(ns.results[0].seed, 20260910u);
        QCOMPARE(ns.results[0].inputSha256.keys(), QStringList({"a.bin", "b.bin"}));
        for (int round = 0; round < 3; ++round) {
            const evidence::Measurement host = run.measurement(0, round, "host");
            QCOMPARE(host.state, State::Ok);
            QCOMPARE(host.samplesUs.size(), 20);
            QCOMPARE(host.source, QString("host"));
            QVERIFY(host.correctness && host.correctness->passed);
            QCOMPARE(host.correctness->reference, QString("fp64"));
            QVERIFY(host.correctness->relError.has_value());
            QCOMPARE(host.correctness->checkedElements, 16 * 12);
        }
        // The CPU has no kernel records: said, not counted as a failure.
        QCOMPARE(run.capture("matmul", 0, "host").state, State::Unavailable);
        QVERIFY(!run.capture("matmul", 0, "host").reason.isEmpty());
        QVERIFY(!hasJournal(plan.outputDirectory));
    }

    void roundsRotateAndCaptureFollows()
    {
        FakeWorkers workers;
        QStringList steps;
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda", "cublas", "host"}), [&](Runner &runner) {
            connect(&runner, &Runner::progressed, &runner, [&](const Progress &progress) {
                const QString step =
                    QStringLiteral("%1 %2 %3").arg(progress.round).arg(progress.phase, progress.implementation);
                if ((progress.phase == "spans" || (progress.phase == "capture" && progress.implementation != "host")) &&
                    (steps.isEmpty() || steps.last() != step))
                    steps.append(step);
            });
        });
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + run.log.join('\n')));
        QCOMPARE(run.fatalProblems(), QString());
        QCOMPARE(steps,
                 QStringList({"1 spans cuda", "1 capture cuda", "1 spans cublas", "1 capture cublas", "1 spans host",
                              "2 spans cublas", "2 capture cublas", "2 spans host", "2 spans cuda", "2 capture cuda",
                              "3 spans host", "3 spans cuda", "3 capture cuda", "3 spans cublas", "3 capture cublas"}));
        const auto &rounds = run.evidence.results[0].rounds;
        QCOMPARE(rounds[0].order, QStringList({"cuda", "cublas", "host"}));
        QCOMPARE(rounds[1].order, QStringList({"cublas", "host", "cuda"}));
        QCOMPARE(rounds[2].order, QStringList({"host", "cuda", "cublas"}));
        QCOMPARE(run.evidence.gpu, QString("Fake GPU"));
        QCOMPARE(run.evidence.driver, QString("580.1"));
        QCOMPARE(run.evidence.sourceSha256.value("matmul/fake"), QString(64, 'a'));
        QCOMPARE(run.measurement(0, 1, "cuda").stage, QString("matmul/fake"));
        QCOMPARE(run.measurement(0, 1, "cublas").stage, QString());
        // The second implementation launches two kernels an iteration, 4 µs each.
        const evidence::Capture cublas = run.capture("matmul", 1, "cublas");
        QCOMPARE(cublas.state, State::Ok);
        QCOMPARE(cublas.launches, 20);
        QCOMPARE(cublas.requestedIterations, 10);
        QCOMPARE(cublas.backend, QString("cupti"));
        QCOMPARE(cublas.records.first().gridSize, QString("64,64,1"));
        for (const evidence::ValueRow &row : evidence::valueRows(run.evidence)) {
            if (row.implementation != "cublas")
                continue;
            QCOMPARE(row.kernel.estimate->mean, 8.0);
            QCOMPARE(row.launches.estimate->mean, 2.0);
        }
        QCOMPARE(workers.pids().size(), 1); // one process for both
    }

    void samplesArriveInOrderAndAreTheEvidence()
    {
        FakeWorkers workers("--rate 500");
        QMap<QString, QList<double>> seen;
        bool inOrder = true;
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda"}), [&](Runner &runner) {
            connect(&runner, &Runner::samplesArrived, &runner, [&](const SampleBatch &batch) {
                QList<double> &list = seen[QString::number(batch.round)];
                inOrder = inOrder && batch.first == list.size();
                list += batch.us;
            });
        });
        QVERIFY(inOrder);
        for (int round = 0; round < 3; ++round)
            QCOMPARE(run.measurement(0, round, "cuda").samplesUs, seen[QString::number(round)]);
    }

    void snapshotsGrow()
    {
        FakeWorkers workers;
        QList<int> measured;
        bool plannedFromTheStart = true;
        runToEnd(smallPlan(workers, {"cuda"}), [&](Runner &runner) {
            connect(&runner, &Runner::evidenceChanged, &runner,
                    [&](const QSharedPointer<const evidence::Namespace> &ns) {
                        int count = 0;
                        for (const evidence::Round &round : ns->results[0].rounds)
                            count += round.implementations["cuda"].state == State::Ok;
                        measured.append(count);
                        plannedFromTheStart = plannedFromTheStart && ns->results[0].rounds.size() == 3;
                    });
        });
        QVERIFY(plannedFromTheStart);
        QCOMPARE(measured.first(), 0);
        QCOMPARE(measured.last(), 3);
        QVERIFY(std::is_sorted(measured.begin(), measured.end()));
        QVERIFY(measured.contains(1) && measured.contains(2));
    }

    void progressCountsAndEstimates()
    {
        FakeWorkers workers("--rate 200");
        QList<Progress> all;
        runToEnd(smallPlan(workers, {"cuda"}), [&](Runner &runner) {
            connect(&runner, &Runner::progressed, &runner, [&](const Progress &progress) { all.append(progress); });
        });
        QCOMPARE(all.first().remainingMs, -1);
        QCOMPARE(all.first().total, 3);
        QCOMPARE(all.last().done, 3);
        const auto third =
            std::ranges::find_if(all, [](const Progress &p) { return p.round == 3 && p.phase == "spans"; });
        QVERIFY(third != all.end());
        // Two rounds of 20 samples at 200 a second were seen: 100 ms and little else for the third.
        QVERIFY2(third->remainingMs >= 50, qPrintable(QString::number(third->remainingMs)));
        QCOMPARE(third->stage, QString("matmul/fake"));
    }

    void withoutCaptureItSaysSo()
    {
        FakeWorkers workers;
        workers.writeFake({}, "--trace '" + workers.path() + "/trace'");
        RunPlan plan = smallPlan(workers, {"cuda"});
        plan.capture = false;
        const RunOutcome run = runToEnd(plan);
        QCOMPARE(run.outcome, Outcome::Completed);
        QCOMPARE(run.fatalProblems(), QString());
        QCOMPARE(run.capture("matmul", 0, "cuda").state, State::NotRun);
        QVERIFY(run.capture("matmul", 0, "cuda").reason.contains("switched off"));
        // Not even a worker's self-test takes the device's profiler.
        QFile trace(workers.path() + "/trace");
        QVERIFY(trace.open(QIODevice::ReadOnly));
        QVERIFY(trace.readAll().startsWith("begin cuda describe without-capture\n"));
    }

    void gpuStateIsRecordedPerRound()
    {
        FakeWorkers workers;
        workers.write("nvidia-smi", "echo 'name, clocks_event_reasons.active'; echo \"$1, 0x0000000000000004\"");
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", workers.path().toUtf8() + ":" + path);
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda"}));
        qputenv("PATH", path);
        const QString state = "name, clocks_event_reasons.active\n--id=GPU-fake, 0x0000000000000004";
        QCOMPARE(run.evidence.gpuStateBefore, state);
        QCOMPARE(run.evidence.gpuStateAfter, state);
        for (const evidence::Round &round : run.evidence.results[0].rounds)
            QCOMPARE(round.gpuState, state);
        QVERIFY(evidence::valueRows(run.evidence).first().flags.contains(evidence::Flag::Throttled));
    }

    void remoteWorkersMakeTheirOwnInputs()
    {
        FakeWorkers workers;
        RunPlan plan = smallPlan(workers, {"host"});
        plan.workers.prefix = {"env", "PATH=" + workers.path() + ":" + qEnvironmentVariable("PATH")};
        const RunOutcome run = runToEnd(plan);
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + run.log.join('\n')));
        QVERIFY(run.measurement(0, 2, "host").correctness->passed);
        QCOMPARE(run.evidence.results[0].inputSha256.keys(), QStringList({"a.bin", "b.bin"}));
    }

    void filesNameNoPlaceOrPerson()
    {
        FakeWorkers workers;
        const RunOutcome run = runToEnd(smallPlan(workers, {"host", "cuda"}));
        QVERIFY(run.over);
        QDirIterator files(workers.output(), QDir::Files);
        int count = 0;
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll();
            QVERIFY2(!text.contains(QDir::tempPath().toUtf8() + "/"), qPrintable(file.fileName()));
            QVERIFY2(!text.contains(STAGECRAFT_BINARY_DIR), qPrintable(file.fileName()));
            if (QSysInfo::machineHostName().size() > 3)
                QVERIFY2(!text.contains(QSysInfo::machineHostName().toUtf8()), qPrintable(file.fileName()));
            ++count;
        }
        QVERIFY(count >= 2);
    }

    void outputWithEvidenceIsRefused()
    {
        FakeWorkers workers;
        const RunPlan plan = smallPlan(workers, {"cuda"});
        QCOMPARE(runToEnd(plan).outcome, Outcome::Completed);
        const RunOutcome again = runToEnd(plan);
        QCOMPARE(again.outcome, Outcome::Error);
        QVERIFY2(again.message.contains("comparison-results.json"), qPrintable(again.message));
        QCOMPARE(again.fatalProblems(), QString());
        QCOMPARE(workers.pids().size(), 1); // no worker was started for it
    }

    void theEventLoopTurnsWhileInputsAreMade()
    {
        FakeWorkers workers;
        RunPlan plan = smallPlan(workers, {"host"});
        // Large enough that a busy machine gives this thread its turns meanwhile.
        plan.operations = {{"matmul", {640, 640, 640}, {"host"}}};
        // Turns of the loop between the first word of the inputs and the first of the next phase.
        int turns = 0;
        bool making = false;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&] { turns += making; });
        const RunOutcome run = runToEnd(plan, [&](Runner &runner) {
            timer.start(0);
            connect(&runner, &Runner::progressed, &runner, [&](const Progress &p) { making = p.phase == "inputs"; });
        });
        QVERIFY(run.outcome == Outcome::Completed);
        QVERIFY2(turns > 3, qPrintable(QString::number(turns)));
    }

    void livesInAThreadOfItsOwn()
    {
        FakeWorkers workers;
        const RunPlan plan = smallPlan(workers, {"cuda", "host"});
        QThread thread;
        const auto ended = qScopeGuard([&] {
            thread.quit();
            thread.wait();
        });
        auto *runner = new Runner;
        runner->moveToThread(&thread);
        connect(&thread, &QThread::finished, runner, &QObject::deleteLater);
        thread.start();
        QSignalSpy finished(runner, &Runner::finished);
        QMetaObject::invokeMethod(runner, [=] { runner->start(plan); });
        QVERIFY(finished.wait(30'000));
        QCOMPARE(finished[0][0].value<Outcome>(), Outcome::Completed);
    }

    // Their worker looks at no GPU, so the GPU's own is asked once; without one there is nothing to say.
    void externalsAloneNameTheGpuToo_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("gpu");
        QTest::newRow("GPU") << ""
                             << "Fake GPU";
        QTest::newRow("no GPU") << "--behaviour no-device"
                                << "";
        QTest::newRow("no worker") << "--behaviour exit-at-start"
                                   << "";
    }

    void externalsAloneNameTheGpuToo()
    {
        QFETCH(QString, options);
        QFETCH(QString, gpu);
        FakeWorkers workers(options);
        workers.write("stagecraft-worker-external",
                      FakeWorkers::fakeCommand("external", "--implementation rust --behaviour no-device"));
        RunPlan plan = smallPlan(workers, {"rust"});
        plan.workers.externals = {{"rust", "/bin/sh", {}}};
        const RunOutcome run = runToEnd(plan);
        QVERIFY2(!run.evidence.results.isEmpty(), qPrintable(run.message));
        QTEST(run.evidence.gpu, "gpu");
        QCOMPARE(workers.pids().size(), 1);
        for (const QString &line : run.log)
            QVERIFY2(!line.startsWith("error") || line.contains("matmul/rust"), qPrintable(line));
    }
};

QTEST_GUILESS_MAIN(tst_Runner)
#include "tst_runner.moc"
