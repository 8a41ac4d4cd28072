// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal.h"
#include "runinputs.h"
#include "stagefixture.h"

#include <cstdio>
#include <QProcess>
#include <QScopeGuard>

using namespace stagecraft;
using namespace stagecraft::run;
using evidence::State;

// This program runs a runner, and is killed in the middle of it.
class tst_KilledProgram : public QObject
{
    Q_OBJECT

private slots:
    // A program that runs this runner is killed in the middle of a run: what it measured can be had from its journal.
    void aKilledProgramLosesNothingMeasured()
    {
        FakeWorkers workers("--behaviour slow-measure --round 1");
        QProcess program;
        program.start(QCoreApplication::applicationFilePath(), {"--run", workers.output()});
        QVERIFY(program.waitForStarted());
        const auto firstRoundDone = [&] {
            QFile file(workers.output() + "/" + journalFileName());
            return file.open(QIODevice::ReadOnly) && file.readAll().contains("kernels_captured");
        };
        QTRY_VERIFY_WITH_TIMEOUT(firstRoundDone(), 30'000);
        program.kill();
        QVERIFY(program.waitForFinished());
        const evidence::Namespace ns = recoverJournal(workers.output());
        QCOMPARE(ns.results[0].rounds[0].implementations["cuda"].samplesUs.size(), 20);
        QCOMPARE(ns.captures[0].records.size(), 10);
        QCOMPARE(ns.results[0].rounds[1].implementations["cuda"].state, State::NotRun);
        // Nor does its worker outlive it, though it never reads the end of its input.
        const QString process = QStringLiteral("/proc/%1/stat").arg(workers.pids().first());
        const auto gone = [&] {
            QFile file(process);
            return !file.open(QIODevice::ReadOnly) || file.readAll().contains(") Z ");
        };
        QTRY_VERIFY_WITH_TIMEOUT(gone(), 30'000);
    }

    // The inputs of a killed program go at the next start; those of a living one, and others' files, stay.
    void abandonedInputsAreRemoved()
    {
        const QTemporaryDir folder;
        qputenv("TMPDIR", folder.path().toUtf8());
        const auto restore = qScopeGuard([] { qunsetenv("TMPDIR"); });
        QVERIFY(QDir(folder.path()).mkdir("stagecraft-inputs-noLock"));
        const InputDirectory living;
        QProcess program;
        program.start(QCoreApplication::applicationFilePath(), {"--inputs"});
        QVERIFY(program.waitForReadyRead());
        const QString path = QString::fromLocal8Bit(program.readLine()).trimmed();
        QVERIFY2(path.startsWith(folder.path()) && QFile::exists(path + "/a.bin"), qPrintable(path));
        removeAbandonedInputs();
        QVERIFY(QFile::exists(path));
        program.kill();
        QVERIFY(program.waitForFinished());
        removeAbandonedInputs();
        QVERIFY(!QFile::exists(path) && !QFile::exists(path + ".lock"));
        QVERIFY(QFile::exists(living.path()));
        QVERIFY(QFile::exists(folder.filePath("stagecraft-inputs-noLock")));
    }

    // Killed in the second run: the first one and its progression are there.
    void aKilledProgramKeepsItsStages()
    {
        FakeWorkers workers("--behaviour slow-measure --round 1");
        QProcess program;
        program.start(QCoreApplication::applicationFilePath(), {"--run-stages", workers.output()});
        QVERIFY(program.waitForStarted());
        QTRY_COMPARE_WITH_TIMEOUT(workers.pids().size(), 2, 30'000);
        program.kill();
        QVERIFY(program.waitForFinished());
        const evidence::Namespace ns = recoverJournal(workers.output());
        QCOMPARE(ns.roundsDeclared, 2);
        QCOMPARE(ns.runs, 2);
        QCOMPARE(ns.results[0].rounds[0].implementations["cuda/tile"].state, State::Ok);
        QVERIFY(ns.results[0].rounds[1].implementations["cuda/tile"].reason.contains("program ended"));
        const evidence::OperationProgression entry = ns.progression->operations.value(0);
        QCOMPARE(entry.stages.size(), 2);
        QCOMPARE(entry.stages[1].kernelUs, 8.0);
        QCOMPARE(entry.attempts[0].low, 12.0);
        QCOMPARE(entry.stages[1].origin, ns.name);
    }
};

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (argc == 2 && qstrcmp(argv[1], "--inputs") == 0) {
        const InputDirectory inputs;
        QFile file(inputs.path() + "/a.bin");
        if (!file.open(QIODevice::WriteOnly))
            return 1;
        std::printf("%s\n", qPrintable(inputs.path()));
        std::fflush(stdout);
        return application.exec();
    }
    if (argc == 3) {
        RunPlan plan;
        plan.operations = {{"matmul", {8, 6, 4}, {"cuda"}}};
        plan.rounds = 2;
        if (qstrcmp(argv[1], "--run-stages") == 0) {
            plan.rounds = 1;
            plan.runs = 2;
            plan.operations[0].implementations = {"cuda/tiled", "cuda/registers", "cuda/tile"};
            for (const FakeStageFile &file : threeStages())
                plan.stages.append(fakeStage(file));
        }
        plan.iterations = 20;
        plan.captureIterations = 10;
        plan.outputDirectory = QString::fromLocal8Bit(argv[2]);
        Runner runner;
        runner.start(plan);
        return application.exec();
    }
    tst_KilledProgram test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_killedprogram.moc"
