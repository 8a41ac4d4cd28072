// SPDX-License-Identifier: GPL-3.0-or-later
#include "runfixture.h"

using namespace stagecraft;
using namespace stagecraft::run;

namespace {

// What three workers were asked, in the order in which it happened: "begin cuda measure cuda 0 warmup 2".
QStringList traceOf(const FakeWorkers &workers)
{
    QFile file(workers.path() + "/trace");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
}

QStringList callsOf(const QStringList &trace, const QString &method)
{
    QStringList calls;
    for (const QString &line : trace) {
        const QStringList words = line.split(' ');
        if (words[0] == "begin" && words[2] == method)
            calls.append(QStringList(words.mid(3)).join(' '));
    }
    return calls;
}

bool isOfRounds(const QString &line)
{
    return line.contains(" measure ") || line.contains(" capture ");
}

} // namespace

// The order of a run over several workers, as the workers themselves saw it.
class tst_FairOrder : public QObject
{
    Q_OBJECT

    RunOutcome m_run;
    QStringList m_trace;

private slots:
    void initTestCase()
    {
        FakeWorkers workers;
        const QString trace = " --trace '" + workers.path() + "/trace'";
        workers.writeFake({}, trace);
        workers.writePython(FakeWorkers::fakeCommand("python", "--implementation triton" + trace));
        workers.write("stagecraft-worker-external",
                      FakeWorkers::fakeCommand("external", "--implementation rust" + trace));
        RunPlan plan = smallPlan(workers, {"cuda", "triton", "rust"});
        plan.rounds = 5;
        plan.workers.externals = {{"rust", "/bin/sh", {}}};
        m_run = runToEnd(plan);
        m_trace = traceOf(workers);
        QVERIFY2(m_run.outcome == Outcome::Completed, qPrintable(m_run.message + m_run.log.join('\n')));
        QCOMPARE(m_run.fatalProblems(), QString());
    }

    void oneRequestIsInFlightOverAllWorkers()
    {
        QVERIFY(m_trace.size() > 60);
        for (qsizetype i = 0; i + 1 < m_trace.size(); i += 2) {
            const QString begin = m_trace[i], end = m_trace[i + 1];
            QVERIFY2(begin.startsWith("begin ") && end.startsWith("end "), qPrintable(begin + " | " + end));
            QVERIFY2(begin.mid(6).startsWith(end.mid(4)), qPrintable(begin + " | " + end));
        }
    }

    void roundsRotateAndEachMeasureIsWarmed()
    {
        const QStringList ids = {"cuda", "triton", "rust"};
        QStringList expected, first;
        for (int round = 0; round < 5; ++round) {
            for (const QString &id : roundOrder(ids, round))
                expected.append(QStringLiteral("%1 %2 warmup 2").arg(id).arg(round));
            first.append(expected[3 * round].section(' ', 0, 0));
        }
        QCOMPARE(callsOf(m_trace, "measure"), expected);
        QCOMPARE(callsOf(m_trace, "capture"), expected);
        QCOMPARE(first, QStringList({"cuda", "triton", "rust", "cuda", "triton"}));
    }

    // A worker whose turn it is not holds what it prepared, and is asked nothing.
    void nothingElseIsAskedDuringTheRounds()
    {
        qsizetype from = 0, to = m_trace.size() - 1;
        while (from < to && !isOfRounds(m_trace[from]))
            ++from;
        while (to > from && !isOfRounds(m_trace[to]))
            --to;
        QCOMPARE(to - from + 1, 2 * 2 * 3 * 5); // begin and end of spans and capture, of three in five rounds
        for (qsizetype i = from; i <= to; ++i)
            QVERIFY2(isOfRounds(m_trace[i]), qPrintable(m_trace[i]));
        QCOMPARE(callsOf(m_trace, "prepare").size(), 3);
        QCOMPARE(callsOf(m_trace, "release").size(), 3);
    }

    void everyResultIsCheckedBeforeAndAfter()
    {
        QCOMPARE(callsOf(m_trace, "check"),
                 QStringList({"cuda 0", "triton 0", "rust 0", "cuda 4", "triton 4", "rust 4"}));
    }

    void allAreInTheEvidence()
    {
        QCOMPARE(m_run.evidence.results[0].rounds[2].order, QStringList({"rust", "cuda", "triton"}));
        for (int round = 0; round < 5; ++round) {
            for (const char *id : {"cuda", "triton", "rust"}) {
                QCOMPARE(m_run.measurement(0, round, id).state, evidence::State::Ok);
                QCOMPARE(m_run.capture("matmul", round, id).state, evidence::State::Ok);
            }
        }
        QCOMPARE(m_run.evidence.gpu, QString("Fake GPU"));
        QCOMPARE(m_run.evidence.captureBackend, QString("cupti"));
    }
};

QTEST_GUILESS_MAIN(tst_FairOrder)
#include "tst_fairorder.moc"
