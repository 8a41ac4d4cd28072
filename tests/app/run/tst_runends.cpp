// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencereader.h"
#include "programruns.h"
#include "smallrun.h"

#include <csignal>
#include <QProcess>
#include <QTest>
#include <sys/resource.h>

using namespace stagecraft;
using evidence::State;

// How `stagecraft run` ends where it cannot run to its end: interrupted, with a full disk, killed.
class tst_RunEnds : public QObject
{
    Q_OBJECT

private slots:
    void interruptKeepsWhatWasMeasured_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("interrupt") << SIGINT;
        QTest::newRow("end of the terminal") << SIGHUP;
    }

    void interruptKeepsWhatWasMeasured()
    {
        QFETCH(int, signal);
        FakeWorkers workers("--behaviour slow-measure --round 1"); // stands still in round 2
        QProcess program;
        program.start(STAGECRAFT_PROGRAM, small(workers, {"--operations", "matmul", "--implementations", "cuda",
                                                          "--dims", "matmul=8x8x8"}));
        QVERIFY(program.waitForStarted());
        program.setReadChannel(QProcess::StandardError);
        QByteArray err;
        while (!err.contains("round 2 of 2")) {
            QVERIFY2(program.waitForReadyRead(30'000) || program.bytesAvailable() > 0, err.constData());
            err += program.readAllStandardError();
        }
        ::kill(static_cast<pid_t>(program.processId()), signal);
        const ProgramResult run = finish(program);
        QVERIFY2(run.status == 1, qPrintable(run.all()));
        QVERIFY2(run.err.contains("cancelled"), qPrintable(run.err));
        const evidence::Namespace ns = evidence::readNamespace(workers.output());
        QVERIFY(!ns.hasContradiction());
        QCOMPARE(ns.results[0].rounds[0].implementations["cuda"].state, State::Ok);
        QCOMPARE(ns.results[0].rounds[1].implementations["cuda"].state, State::NotRun);
    }

    // Where neither the journal nor the files can be written, the end does not promise a journal. A limit of a file's
    // size is what a test can set of a disk that is full.
    void aFullDiskIsToldToTheEnd()
    {
        FakeWorkers workers;
        QProcess program;
        program.setChildProcessModifier([] {
            std::signal(SIGXFSZ, SIG_IGN);
            const rlimit small{2000, RLIM_INFINITY};
            ::setrlimit(RLIMIT_FSIZE, &small);
        });
        program.start(STAGECRAFT_PROGRAM,
                      small(workers, {"--operations", "gelu", "--dims", "gelu=8x16", "--implementations", "cuda"}));
        const ProgramResult run = finish(program);
        QVERIFY2(run.status != 0, qPrintable(run.all()));
        QVERIFY2(run.err.contains("journal.jsonl cannot be written: File too large. The run goes on"),
                 qPrintable(run.err));
        QVERIFY2(run.err.contains("what was measured is lost from round "), qPrintable(run.err));
        QVERIFY2(!run.err.contains("..") && !run.err.contains("What was measured is in the journal"),
                 qPrintable(run.err));
    }

    // Nothing of an external program outlives the program, not even what a shell waits for.
    void aKilledProgramEndsWhatExternalsStarted()
    {
        FakeWorkers workers;
        QFile::link(STAGECRAFT_BINARY_DIR "/bin/stagecraft-worker-external",
                    workers.path() + "/stagecraft-worker-external");
        workers.write("wrapper", "sleep 600 &\necho $! > '" + workers.path() + "/new'\nmv '" + workers.path() +
                                     "/new' '" + workers.path() + "/pid'\nwait\nexit 0\n");
        QProcess program;
        program.start(STAGECRAFT_PROGRAM,
                      small(workers, {"--operations", "gelu", "--dims", "gelu=8x16", "--implementations", "kw",
                                      "--external", "kw=" + workers.path() + "/wrapper"}));
        QVERIFY(program.waitForStarted());
        QFile pid(workers.path() + "/pid");
        QTRY_VERIFY_WITH_TIMEOUT(pid.exists(), 30'000);
        program.kill();
        QVERIFY(program.waitForFinished());
        QVERIFY(pid.open(QIODevice::ReadOnly));
        const auto gone = [stat = "/proc/" + QString::fromLatin1(pid.readAll().trimmed()) + "/stat"] {
            QFile file(stat);
            return !file.open(QIODevice::ReadOnly) || file.readAll().contains(") Z ");
        };
        QTRY_VERIFY_WITH_TIMEOUT(gone(), 30'000);
    }
};

QTEST_GUILESS_MAIN(tst_RunEnds)
#include "tst_runends.moc"
