// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakeworkers.h"
#include "workerprocess.h"

#include <csignal>
#include <QSignalSpy>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::run;

namespace {

constexpr int long_ = 60'000; // a limit that no test waits for

bool alive(int pid)
{
    return ::kill(pid, 0) == 0;
}

struct Described
{
    std::optional<protocol::DescribeResult> result;
    std::optional<WorkerFault> fault;
    bool over() const { return result || fault; }
};

void describe(WorkerProcess &worker, Described &answer, int limitMs = long_)
{
    worker.call<protocol::DescribeResult>(
        protocol::method::describe, protocol::DescribeParams{}, limitMs,
        [&](const protocol::DescribeResult &result) { answer.result = result; },
        [&](const WorkerFault &fault) { answer.fault = fault; });
}

} // namespace

class tst_WorkerProcess : public QObject
{
    Q_OBJECT

    static bool startAndWait(WorkerProcess &worker)
    {
        QSignalSpy ready(&worker, &WorkerProcess::ready);
        worker.start(long_);
        return ready.wait(20'000);
    }

private slots:
    void describesItself()
    {
        FakeWorkers workers;
        WorkerProcess worker(workerCommand("host", {}));
        QVERIFY(startAndWait(worker));
        Described answer;
        describe(worker, answer);
        QVERIFY(!answer.over()); // never before call() returns
        QTRY_VERIFY_WITH_TIMEOUT(answer.over(), 30'000);
        QVERIFY2(answer.result, qPrintable(answer.fault ? answer.fault->reason : QString()));
        QCOMPARE(answer.result->worker, std::string("host"));
        QVERIFY(!answer.result->implementations.empty());
    }

    void endsOrderly()
    {
        FakeWorkers workers;
        WorkerProcess worker(workerCommand("cuda", {}));
        QVERIFY(startAndWait(worker));
        const auto pid = static_cast<int>(worker.processId());
        QSignalSpy ended(&worker, &WorkerProcess::ended), lost(&worker, &WorkerProcess::lost);
        worker.end();
        QVERIFY(!worker.isUsable());
        QVERIFY(ended.wait());
        QVERIFY(!alive(pid));
        QCOMPARE(lost.size(), 0);
    }

    void destructionLeavesNothingRunning()
    {
        FakeWorkers workers;
        // A worker with a child of its own that ignores every polite request.
        workers.write("stagecraft-worker-cuda",
                      "trap '' TERM INT\nsleep 1000 &\necho $! > '" + workers.path() + "/child'\n" +
                          R"(echo '{"jsonrpc":"2.0","method":"hello","params":{"protocol":1,"worker":"cuda"}}')" +
                          "\nwait\n");
        int pid = 0;
        {
            WorkerProcess worker(workerCommand("cuda", {}));
            QVERIFY(startAndWait(worker));
            pid = static_cast<int>(worker.processId());
        }
        QFile child(workers.path() + "/child");
        QVERIFY(child.open(QIODevice::ReadOnly));
        const int childPid = child.readAll().trimmed().toInt();
        QVERIFY(childPid > 0);
        QVERIFY(!alive(pid));
        // The child is reaped by init, a moment later; until then it is a zombie.
        const auto gone = [childPid] {
            QFile status(QStringLiteral("/proc/%1/stat").arg(childPid));
            return !status.open(QIODevice::ReadOnly) || status.readAll().contains(") Z ");
        };
        QTRY_VERIFY_WITH_TIMEOUT(gone(), 30'000);
    }

    void bannerIsSkipped()
    {
        FakeWorkers workers("--behaviour banner");
        WorkerProcess worker(workerCommand("cuda", {}));
        QSignalSpy logged(&worker, &WorkerProcess::logged);
        QVERIFY(startAndWait(worker));
        QStringList texts;
        for (const auto &entry : logged)
            texts.append(entry[1].toString());
        QVERIFY2(texts.join('\n').contains("Last login: today"), qPrintable(texts.join('\n')));
        Described answer;
        describe(worker, answer);
        QTRY_VERIFY_WITH_TIMEOUT(answer.result, 30'000);
    }

    // Tuning takes long and says so: each message begins the time of silence anew.
    void aWorkerThatReportsProgressIsNotSilent()
    {
        FakeWorkers workers;
        workers.write("stagecraft-worker-cuda",
                      R"(echo '{"jsonrpc":"2.0","method":"hello","params":{"protocol":1,"worker":"cuda"}}'
read request
for configuration in 1 2 3 4 5 6; do
  sleep 0.3
  echo '{"jsonrpc":"2.0","method":"log","params":{"level":"info","text":"tuning '$configuration'"}}'
done
echo '{"jsonrpc":"2.0","id":1,"result":{"handle":7,"arithmetic":"fp32","timing_source":"event","launches":[]}}'
read shutdown
)");
        WorkerProcess worker(workerCommand("cuda", {}));
        QSignalSpy logged(&worker, &WorkerProcess::logged);
        QVERIFY(startAndWait(worker));
        std::int64_t handle = 0;
        QString failure;
        worker.call<protocol::PrepareResult>(
            protocol::method::prepare, protocol::PrepareParams{}, 1200,
            [&](const protocol::PrepareResult &result) { handle = result.handle; },
            [&](const WorkerFault &fault) { failure = fault.reason; });
        QTRY_VERIFY2(handle == 7 || !failure.isEmpty(), qPrintable(failure));
        QCOMPARE(failure, QString());
        QStringList texts;
        for (const auto &entry : logged)
            texts.append(entry[1].toString());
        QVERIFY2(texts.contains("cuda worker: tuning 6"), qPrintable(texts.join('\n')));
    }

    void prefixIsPutBefore()
    {
        FakeWorkers workers;
        const WorkerCommand command = workerCommand(
            "cuda", {{"/usr/bin/env", "PATH=" + workers.path() + ":" + qEnvironmentVariable("PATH")}, {}, {}});
        QVERIFY(command.remote);
        QVERIFY2(command.shown.startsWith("env PATH="), qPrintable(command.shown));
        WorkerProcess worker(command);
        QVERIFY(startAndWait(worker));
    }

    void absentWorkerSaysWhatToDo()
    {
        FakeWorkers workers;
        workers.remove("stagecraft-worker-cuda");
        WorkerProcess worker(workerCommand("cuda", {}));
        QSignalSpy lost(&worker, &WorkerProcess::lost);
        worker.start(long_);
        QVERIFY(lost.wait());
        const auto fault = lost[0][0].value<WorkerFault>();
        QCOMPARE(fault.state, evidence::State::Unavailable);
        QVERIFY2(fault.reason.contains("not part of this build"), qPrintable(fault.reason));
        QVERIFY2(fault.fix.contains("CUDA Toolkit"), qPrintable(fault.fix));
    }

    void startFailures_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("exit") << "--behaviour exit-at-start"
                              << QStringList({"exit status 3", "before it said hello", "ends before it says hello"});
        QTest::newRow("silent") << "--behaviour silent" << QStringList({"did not say hello within 0.3 s"});
        QTest::newRow("version") << "--behaviour other-version" << QStringList({"999"});
    }

    void startFailures()
    {
        QFETCH(QString, options);
        QFETCH(QStringList, words);
        FakeWorkers workers(options);
        WorkerProcess worker(workerCommand("cuda", {}));
        QSignalSpy lost(&worker, &WorkerProcess::lost), ended(&worker, &WorkerProcess::ended);
        worker.start(options.contains("silent") ? 300 : long_);
        QVERIFY(lost.wait());
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 30'000);
        const auto fault = lost[0][0].value<WorkerFault>();
        QCOMPARE(fault.state, evidence::State::Unavailable);
        for (const QString &word : words)
            QVERIFY2(fault.reason.contains(word), qPrintable(fault.reason));
        QVERIFY(!fault.fix.isEmpty());
    }

    void badOutputEndsIt_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("word");
        QTest::newRow("garbage") << "garbage"
                                 << "not valid JSON";
        QTest::newRow("request") << R"({"jsonrpc":"2.0","id":7,"method":"measure"})"
                                 << "request measure";
        QTest::newRow("answer to nothing") << R"({"jsonrpc":"2.0","id":7,"result":{}})"
                                           << "request that was not made";
        QTest::newRow("incomplete result") << R"({"jsonrpc":"2.0","id":1,"result":{"protocol":1}})"
                                           << "worker: is missing";
        QTest::newRow("bad samples")
            << R"({"jsonrpc":"2.0","method":"samples","params":{"handle":1,"first":0,"us":[-1]}})"
            << "negative duration";
        QTest::newRow("deep") << QString(200'000, '[') << "not valid JSON";
    }

    void badOutputEndsIt()
    {
        QFETCH(QString, line);
        QFETCH(QString, word);
        FakeWorkers workers;
        workers.write("stagecraft-worker-cuda",
                      R"(echo '{"jsonrpc":"2.0","method":"hello","params":{"protocol":1,"worker":"cuda"}}')"
                      "\nread request\ncat '" +
                          workers.path() + "/line'\nexec sleep 1000\n");
        QFile file(workers.path() + "/line");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(line.toUtf8() + '\n');
        file.close();
        WorkerProcess worker(workerCommand("cuda", {}));
        QVERIFY(startAndWait(worker));
        QSignalSpy lost(&worker, &WorkerProcess::lost);
        Described answer;
        describe(worker, answer);
        QTRY_VERIFY_WITH_TIMEOUT(answer.over(), 30'000);
        QVERIFY(answer.fault && answer.fault->lost);
        QCOMPARE(answer.fault->state, evidence::State::Failed);
        QVERIFY2(answer.fault->reason.contains(word), qPrintable(answer.fault->reason));
        QCOMPARE(lost.size(), 1);
    }

    void silenceIsAHang_data()
    {
        QTest::addColumn<QString>("way");
        QTest::addRow("cuda") << "endless loop";
        QTest::addRow("external/rust") << "prints a line now and then";
    }

    void silenceIsAHang()
    {
        QFETCH(QString, way);
        FakeWorkers workers("--behaviour hang-in-prepare");
        workers.write("stagecraft-worker-external",
                      FakeWorkers::fakeCommand("external", "--behaviour hang-in-prepare"));
        WorkerSetup setup;
        setup.externals = {{"rust", "sh", {}}};
        WorkerProcess worker(workerCommand(QTest::currentDataTag(), setup));
        QVERIFY(startAndWait(worker));
        const auto pid = static_cast<int>(worker.processId());
        protocol::PrepareParams params;
        params.operation = "matmul";
        params.dims = {8, 8, 8};
        params.implementation = "cuda";
        std::optional<WorkerFault> fault;
        worker.call<protocol::PrepareResult>(
            protocol::method::prepare, params, 300, [](const protocol::PrepareResult &) { QFAIL("it answered"); },
            [&](const WorkerFault &f) { fault = f; });
        QTRY_VERIFY_WITH_TIMEOUT(fault.has_value(), 30'000);
        QVERIFY2(fault->reason.contains("sent nothing for 0.3 s during prepare"), qPrintable(fault->reason));
        QVERIFY2(fault->fix.contains(way), qPrintable(fault->fix));
        QVERIFY(fault->lost);
        QVERIFY(!alive(pid));
    }

    void errorReplyLeavesItUsable()
    {
        FakeWorkers workers("--behaviour unavailable");
        WorkerProcess worker(workerCommand("cuda", {}));
        QVERIFY(startAndWait(worker));
        protocol::PrepareParams params;
        params.operation = "matmul";
        params.dims = {8, 8, 8};
        params.implementation = "cuda";
        std::optional<WorkerFault> fault;
        worker.call<protocol::PrepareResult>(
            protocol::method::prepare, params, long_, [](const protocol::PrepareResult &) { QFAIL("it answered"); },
            [&](const WorkerFault &f) { fault = f; });
        QTRY_VERIFY_WITH_TIMEOUT(fault.has_value(), 30'000);
        QCOMPARE(fault->state, evidence::State::Unavailable);
        QCOMPARE(fault->reason, QString("the fake library is not there"));
        QCOMPARE(fault->fix, QString("install the fake library"));
        QVERIFY(!fault->lost);
        QVERIFY(worker.isUsable());
    }
};

QTEST_GUILESS_MAIN(tst_WorkerProcess)
#include "tst_workerprocess.moc"
