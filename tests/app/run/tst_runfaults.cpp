// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal.h"
#include "runfixture.h"

#include <csignal>

using namespace stagecraft;
using namespace stagecraft::run;
using evidence::State;

// Whole runs in which something goes wrong.
class tst_RunFaults : public QObject
{
    Q_OBJECT

private slots:
    // The worker is killed from outside, in the middle of the spans of round 2.
    void killedWorkerCostsOneMeasurement()
    {
        FakeWorkers workers("--behaviour slow-measure --only cuda --round 1"); // still going when the signal arrives
        bool killed = false;
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda", "host"}), [&](Runner &runner) {
            connect(&runner, &Runner::progressed, &runner, [&](const Progress &progress) {
                if (progress.implementation == "cuda" && progress.phase == "spans" && progress.round == 2 &&
                    !std::exchange(killed, true))
                    ::kill(workers.pids().constLast(), SIGKILL);
            });
        });
        QVERIFY(killed);
        QCOMPARE(run.outcome, Outcome::CompletedWithFailures);
        QCOMPARE(run.fatalProblems(), QString());
        QCOMPARE(run.measurement(0, 0, "cuda").state, State::Ok);
        const evidence::Measurement lost = run.measurement(0, 1, "cuda");
        QCOMPARE(lost.state, State::Failed);
        QVERIFY2(lost.reason.contains("SIGKILL") && lost.reason.contains("What to do"), qPrintable(lost.reason));
        QVERIFY(!lost.eventMeanUs);
        QCOMPARE(run.capture("matmul", 1, "cuda").state, State::NotRun);
        QCOMPARE(run.measurement(0, 2, "cuda").state, State::Ok);
        QCOMPARE(run.capture("matmul", 2, "cuda").state, State::Ok);
        for (int round = 0; round < 3; ++round)
            QCOMPARE(run.measurement(0, round, "host").state, State::Ok);
        QCOMPARE(workers.pids().size(), 2);
    }

    void faultsInOneRound_data()
    {
        QTest::addColumn<QString>("behaviour");
        QTest::addColumn<QString>("word");
        QTest::addColumn<int>("workers");
        QTest::newRow("kill") << "kill-in-measure"
                              << "SIGKILL (9)" << 2;
        QTest::newRow("abort") << "abort-in-measure"
                               << "SIGABRT (6) during measure" << 2;
        QTest::newRow("hang") << "hang-in-measure"
                              << "sent nothing for 1 s during measure" << 2;
        QTest::newRow("CUDA error") << "error-in-measure"
                                    << "CUDA error 700" << 2;
        QTest::newRow("NaN") << "nan-sample"
                             << "broke the protocol" << 2;
        QTest::newRow("malformed") << "malformed-message"
                                   << "broke the protocol" << 2;
    }

    void faultsInOneRound()
    {
        QFETCH(QString, behaviour);
        QFETCH(QString, word);
        FakeWorkers workers(QStringLiteral("--behaviour %1 --only cuda --round 1").arg(behaviour));
        RunPlan plan = smallPlan(workers, {"cuda", "cublas"});
        plan.measurementTimeLimitMs = behaviour.startsWith("hang") ? 1000 : 60'000;
        const RunOutcome run = runToEnd(plan);
        QCOMPARE(run.outcome, Outcome::CompletedWithFailures);
        QCOMPARE(run.fatalProblems(), QString());
        const evidence::Measurement failed = run.measurement(0, 1, "cuda");
        QCOMPARE(failed.state, State::Failed);
        QVERIFY2(failed.reason.contains(word), qPrintable(failed.reason));
        for (const int round : {0, 2})
            QCOMPARE(run.measurement(0, round, "cuda").state, State::Ok);
        for (int round = 0; round < 3; ++round) {
            QCOMPARE(run.measurement(0, round, "cublas").state, State::Ok);
            QCOMPARE(run.capture("matmul", round, "cublas").state, State::Ok);
        }
        QTEST(int(workers.pids().size()), "workers");
        QVERIFY2(run.log.join('\n').contains("matmul/cuda, round 2, spans"), qPrintable(run.log.join('\n')));
    }

    void deathInCaptureKeepsTheSpans()
    {
        FakeWorkers workers("--behaviour kill-in-capture --only cuda --round 0");
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda"}));
        QCOMPARE(run.outcome, Outcome::CompletedWithFailures);
        QCOMPARE(run.fatalProblems(), QString());
        QCOMPARE(run.measurement(0, 0, "cuda").state, State::Ok);
        QCOMPARE(run.capture("matmul", 0, "cuda").state, State::Failed);
        QCOMPARE(run.capture("matmul", 1, "cuda").state, State::Ok);
    }

    void aWorkerThatIsLostAgainAndAgainIsGivenUp()
    {
        FakeWorkers workers("--behaviour kill-in-measure --only cuda");
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda", "cublas"}));
        QCOMPARE(run.measurement(0, 0, "cuda").state, State::Failed);
        QCOMPARE(run.measurement(0, 1, "cuda").state, State::Failed);
        QCOMPARE(run.measurement(0, 2, "cuda").state, State::NotRun);
        QVERIFY(run.measurement(0, 2, "cuda").reason.contains("cost 2 workers"));
        QCOMPARE(run.measurement(0, 2, "cublas").state, State::Ok);
    }

    void aWorkerLostInPreparationIsTriedOnceMore()
    {
        FakeWorkers workers;
        workers.writeFake("if [ $(wc -l < \"$PIDS\") -eq 1 ]; then set -- --behaviour kill-in-prepare; fi\n");
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda"}));
        QCOMPARE(run.outcome, Outcome::Completed);
        for (int round = 0; round < 3; ++round)
            QCOMPARE(run.measurement(0, round, "cuda").state, State::Ok);
        QCOMPARE(workers.pids().size(), 2);
        QVERIFY2(run.log.join('\n').contains("prepared once more"), qPrintable(run.log.join('\n')));
    }

    void aWorkerLostInPreparationTwiceIsGivenUp()
    {
        FakeWorkers workers("--behaviour kill-in-prepare");
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda"}));
        QCOMPARE(run.outcome, Outcome::CompletedWithFailures);
        for (int round = 0; round < 3; ++round) {
            QCOMPARE(run.measurement(0, round, "cuda").state, State::Failed);
            QVERIFY(run.measurement(0, round, "cuda").reason.contains("SIGKILL"));
            QCOMPARE(run.capture("matmul", round, "cuda").state, State::Failed);
        }
        QCOMPARE(workers.pids().size(), 2);
    }

    void correctnessGatesTiming_data()
    {
        QTest::addColumn<QString>("behaviour");
        QTest::addColumn<QString>("text");
        QTest::newRow("wrong")
            << "wrong-result"
            << "1 of 48 elements are beyond 0.0001 + 0.0001·|reference|; the first is element 0: 1.5 "
               "where 1 is expected";
        QTest::newRow("NaN") << "nan-result"
                             << "48 of 48 elements";
    }

    void correctnessGatesTiming()
    {
        QFETCH(QString, behaviour);
        QFETCH(QString, text);
        FakeWorkers workers(QStringLiteral("--behaviour %1 --only cuda").arg(behaviour));
        QStringList sampled;
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda", "cublas"}), [&](Runner &runner) {
            connect(&runner, &Runner::samplesArrived, &runner,
                    [&](const SampleBatch &batch) { sampled.append(batch.implementation); });
        });
        QCOMPARE(run.outcome, Outcome::CompletedWithFailures);
        QCOMPARE(run.fatalProblems(), QString());
        for (int round = 0; round < 3; ++round) {
            const evidence::Measurement wrong = run.measurement(0, round, "cuda");
            QCOMPARE(wrong.state, State::Failed);
            QVERIFY2(wrong.reason.contains(text), qPrintable(wrong.reason));
            QVERIFY(wrong.correctness && !wrong.correctness->passed);
            QVERIFY(wrong.samplesUs.isEmpty());
            QCOMPARE(run.capture("matmul", round, "cuda").state, State::Failed);
            QCOMPARE(run.measurement(0, round, "cublas").state, State::Ok);
        }
        QVERIFY(!sampled.contains("cuda"));
    }

    void unavailableHasItsReason_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("implementation");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("no device") << "--behaviour no-device"
                                   << "cuda" << QStringList({"no GPU is there", "install one"});
        QTest::newRow("on prepare") << "--behaviour unavailable"
                                    << "cuda"
                                    << QStringList({"the fake library is not there", "install the fake library"});
        QTest::newRow("worker does not start") << "--behaviour exit-at-start"
                                               << "cuda" << QStringList({"exit status 3", "stagecraft doctor"});
        QTest::newRow("no Python") << ""
                                   << "triton"
                                   << QStringList({"interpreter python-fake is not there", "--python PATH"});
        QTest::newRow("no library") << ""
                                    << "cublaslt" << QStringList({"the cuda worker does not have cublaslt"});
    }

    void unavailableHasItsReason()
    {
        QFETCH(QString, options);
        QFETCH(QString, implementation);
        QFETCH(QStringList, words);
        FakeWorkers workers(options);
        const RunOutcome run = runToEnd(smallPlan(workers, {implementation, "host"}));
        QCOMPARE(run.outcome, Outcome::CompletedWithFailures);
        QCOMPARE(run.fatalProblems(), QString());
        for (int round = 0; round < 3; ++round) {
            const evidence::Measurement absent = run.measurement(0, round, implementation);
            QCOMPARE(absent.state, State::Unavailable);
            for (const QString &word : words)
                QVERIFY2(absent.reason.contains(word), qPrintable(absent.reason));
            QCOMPARE(run.measurement(0, round, "host").state, State::Ok);
        }
    }

    void captureThatIsUnavailableLeavesSpans()
    {
        FakeWorkers workers("--behaviour no-capture");
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda"}));
        QCOMPARE(run.outcome, Outcome::Completed);
        QCOMPARE(run.fatalProblems(), QString());
        for (int round = 0; round < 3; ++round) {
            QCOMPARE(run.measurement(0, round, "cuda").state, State::Ok);
            QCOMPARE(run.capture("matmul", round, "cuda").state, State::Unavailable);
            QVERIFY(!run.capture("matmul", round, "cuda").reason.isEmpty());
        }
    }

    // The last of the two launches of the last iteration is missing.
    void launchesMayVary()
    {
        FakeWorkers workers("--behaviour varying-launches --only cublas --round 1");
        QSharedPointer<const evidence::Namespace> last;
        const RunOutcome run = runToEnd(smallPlan(workers, {"cublas"}), [&](Runner &runner) {
            connect(&runner, &Runner::evidenceChanged, &runner, [&](const auto &changed) { last = changed; });
        });
        QCOMPARE(run.outcome, Outcome::Completed);
        const evidence::Capture capture = last->captures[1];
        QCOMPARE(capture.state, State::Ok);
        QCOMPARE(capture.launches, 19);
        for (int i = 0; i < 19; ++i)
            QCOMPARE(capture.records[i].iteration, i / 2);
    }

    void anIterationWithoutRecordIsInvalid()
    {
        FakeWorkers workers("--behaviour varying-launches --only cuda --round 1");
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda"}));
        QCOMPARE(run.outcome, Outcome::CompletedWithFailures);
        QCOMPARE(run.capture("matmul", 0, "cuda").state, State::Ok);
        const evidence::Capture capture = run.capture("matmul", 1, "cuda");
        QCOMPARE(capture.state, State::Invalid);
        QVERIFY2(capture.reason.contains("iteration 10 of 10"), qPrintable(capture.reason));
    }

    void cancelKeepsWhatWasMeasured()
    {
        FakeWorkers workers("--behaviour slow-measure --round 1"); // stands still in round 2 until it is cancelled
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda"}), [&](Runner &runner) {
            connect(&runner, &Runner::samplesArrived, &runner, [&](const SampleBatch &batch) {
                if (batch.round == 1)
                    runner.cancel();
            });
        });
        QCOMPARE(run.outcome, Outcome::Cancelled);
        QCOMPARE(run.fatalProblems(), QString());
        QCOMPARE(run.measurement(0, 0, "cuda").state, State::Ok);
        QCOMPARE(run.capture("matmul", 0, "cuda").state, State::Ok);
        QCOMPARE(run.measurement(0, 0, "cuda").note,
                 QString("not checked again after the rounds: the run was cancelled before"));
        const evidence::Measurement partial = run.measurement(0, 1, "cuda");
        QCOMPARE(partial.state, State::NotRun);
        QVERIFY2(partial.reason.contains("cancelled after 1"), qPrintable(partial.reason)); // 10 or 11 of 20
        QVERIFY(!partial.samplesUs.isEmpty() && partial.samplesUs.size() < 20);
        QCOMPARE(run.measurement(0, 2, "cuda").state, State::NotRun);
        QVERIFY(run.measurement(0, 2, "cuda").reason.contains("cancelled"));
        QVERIFY(!hasJournal(workers.output()));
    }

    void cancelEndsAWorkerThatDoesNotListen()
    {
        FakeWorkers workers("--behaviour hang-in-measure");
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda"}), [&](Runner &runner) {
            connect(&runner, &Runner::samplesArrived, &runner, [&] { runner.cancel(); });
        });
        QCOMPARE(run.outcome, Outcome::Cancelled);
        QCOMPARE(run.measurement(0, 0, "cuda").state, State::NotRun);
        QVERIFY(!QFile::exists(QStringLiteral("/proc/%1").arg(workers.pids().first())));
    }

    void cancelWhileInputsAreMade()
    {
        FakeWorkers workers;
        const RunOutcome run = runToEnd(smallPlan(workers, {"host"}), [&](Runner &runner) {
            connect(&runner, &Runner::progressed, &runner, [&](const Progress &progress) {
                if (progress.phase == "inputs")
                    QMetaObject::invokeMethod(&runner, &Runner::cancel, Qt::QueuedConnection);
            });
        });
        QCOMPARE(run.outcome, Outcome::Cancelled);
        QCOMPARE(run.fatalProblems(), QString());
    }

    void nothingIsLeftWhenTheRunnerDies()
    {
        FakeWorkers workers("--behaviour hang-in-measure");
        {
            Runner runner;
            QSignalSpy samples(&runner, &Runner::samplesArrived);
            runner.start(smallPlan(workers, {"cuda"}));
            QVERIFY(samples.wait(20'000));
        }
        QVERIFY(!QFile::exists(QStringLiteral("/proc/%1").arg(workers.pids().first())));
        // It died in the middle: its journal says what it had.
        const evidence::Namespace recovered = recoverJournal(workers.output());
        QCOMPARE(recovered.results.size(), 1);
        QVERIFY(recovered.results[0].rounds[0].implementations["cuda"].correctness->passed);
    }

    void profilesThatCannotBeWrittenAreInTheJournal()
    {
        FakeWorkers workers;
        RunPlan plan = smallPlan(workers, {"cuda"});
        const RunOutcome run = runToEnd(plan, [&](Runner &runner) {
            connect(&runner, &Runner::samplesArrived, &runner,
                    [&] { QDir().mkpath(workers.output() + "/comparison-profiles.json/in the way"); });
        });
        QCOMPARE(run.outcome, Outcome::Error);
        QVERIFY2(run.message.contains("journal"), qPrintable(run.message));
        QVERIFY(QFile::exists(workers.output() + "/comparison-results.json"));
        const evidence::Namespace opened = openNamespace(workers.output());
        QCOMPARE(opened.captures.size(), 3);
        for (const evidence::Capture &capture : opened.captures) {
            QCOMPARE(capture.state, State::Ok);
            QCOMPARE(capture.records.size(), 10);
        }
        QCOMPARE(opened.results[0].rounds[2].implementations["cuda"].samplesUs.size(), 20);
    }

    void outputThatCannotBeMadeIsAnError()
    {
        FakeWorkers workers;
        RunPlan plan = smallPlan(workers, {"host"});
        workers.write("file", "");
        plan.outputDirectory = workers.path() + "/file/below";
        const RunOutcome run = runToEnd(plan);
        QCOMPARE(run.outcome, Outcome::Error);
        QVERIFY2(run.message.contains("cannot be created"), qPrintable(run.message));
    }
};

QTEST_GUILESS_MAIN(tst_RunFaults)
#include "tst_runfaults.moc"
