// SPDX-License-Identifier: GPL-3.0-or-later
#include "workerclient.h"

#include <csignal>
#include <fcntl.h>
#include <QTemporaryDir>
#include <QTest>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace stagecraft::protocol;

// The host worker as a child process, through every method.
class HostWorkerTest : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_client.reset(); }
    void saysHelloFirst();
    void describesItself();
    void measuresAndStreams();
    void answersInOrder();
    void cancelEndsAMeasure();
    void cancelRightBehindItsMeasure();
    void refuses_data();
    void refuses();
    void answersLinesThatAreNoMessage_data();
    void answersLinesThatAreNoMessage();
    void answersALineThatIsTooLong();
    void outlivesTheTerminalsInterrupt();
    void shutsDown();
    void endsAtTheEndOfInput();
    void endsWhileBusy();
    void endsWhenNobodyReads();
    void refusesDimsBeyondMemory();

private:
    std::unique_ptr<WorkerClient> m_client;
};

void HostWorkerTest::init()
{
    m_client = std::make_unique<WorkerClient>();
    m_client->start("bin/stagecraft-worker-host");
    QVERIFY(m_client->waitForHello());
}

void HostWorkerTest::saysHelloFirst()
{
    QCOMPARE(m_client->hello().worker, std::string("host"));
    QCOMPARE(m_client->hello().protocol, version);
    QVERIFY(!m_client->hello().workerVersion.empty());
    QVERIFY2(m_client->banner().join("").isEmpty(), qPrintable(m_client->banner().join('\n')));
}

void HostWorkerTest::describesItself()
{
    const auto description = m_client->get<DescribeResult>(method::describe);
    QCOMPARE(description.worker, std::string("host"));
    QCOMPARE(description.workerVersion, m_client->hello().workerVersion);
    QVERIFY(description.selfTest.passed);
    QCOMPARE(description.implementations.size(), std::size_t{1});
    const auto isNvtx = [](const Library &library) { return library.name == "NVTX"; };
    const auto nvtx = std::ranges::find_if(description.libraries, isNvtx);
    QVERIFY(nvtx != description.libraries.end());
    QVERIFY(nvtx->available || (!nvtx->reason.empty() && !nvtx->fix.empty()));
}

void HostWorkerTest::measuresAndStreams()
{
    const auto handle = m_client->prepare("matmul", {40, 30, 20}, "host");
    QVERIFY(m_client->get<CheckResult>(method::check, CheckParams{handle}).passed);
    const auto result = m_client->get<MeasureResult>(method::measure, MeasureParams{handle, 2, 5, 3000});
    QCOMPARE(result.count, 3000);
    QVERIFY(!result.cancelled);
    // Every sample is there before the reply, numbered without a gap.
    QCOMPARE(m_client->samples().size(), std::size_t{3000});
    int next = 0;
    for (const auto &batch : m_client->batches()) {
        QCOMPARE(batch.handle, handle);
        QCOMPARE(batch.first, next);
        next += static_cast<int>(batch.us.size());
    }
    QVERIFY(m_client->problems().isEmpty());
    m_client->get<nlohmann::json>(method::release, HandleParams{handle});
    QCOMPARE(WorkerClient::errorOf(m_client->call(method::check, CheckParams{handle})).code, error::invalid);
}

void HostWorkerTest::answersInOrder()
{
    const auto handle = m_client->prepare("gelu", {1, 1}, "host");
    const auto measure = m_client->send(method::measure, MeasureParams{handle, 0, 0, 20'000});
    const auto release = m_client->send(method::release, HandleParams{handle});
    const auto check = m_client->send(method::check, CheckParams{handle});
    QCOMPARE(WorkerClient::resultOf(m_client->waitFor(measure)).get<MeasureResult>().count, 20'000);
    WorkerClient::resultOf(m_client->waitFor(release));
    QCOMPARE(WorkerClient::errorOf(m_client->waitFor(check)).code, error::invalid);
}

void HostWorkerTest::cancelEndsAMeasure()
{
    const auto handle = m_client->prepare("matmul", {64, 64, 64}, "host");
    const auto measure = m_client->send(method::measure, MeasureParams{handle, 0, 0, 2'000'000'000});
    QVERIFY(m_client->waitForSamples(1));
    m_client->notify(method::cancel);
    const auto result = WorkerClient::resultOf(m_client->waitFor(measure)).get<MeasureResult>();
    QVERIFY(result.cancelled);
    QCOMPARE(m_client->samples().size(), static_cast<std::size_t>(result.count));
    // The worker goes on with what comes next.
    QCOMPARE(m_client->get<MeasureResult>(method::measure, MeasureParams{handle, 0, 0, 3}).count, 3);
}

void HostWorkerTest::cancelRightBehindItsMeasure()
{
    const auto handle = m_client->prepare("matmul", {64, 64, 64}, "host");
    const auto measure = m_client->send(method::measure, MeasureParams{handle, 0, 1'000'000'000, 2'000'000'000});
    m_client->notify(method::cancel);
    QVERIFY(WorkerClient::resultOf(m_client->waitFor(measure)).get<MeasureResult>().cancelled);
}

void HostWorkerTest::refuses_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *title, const char *method, const char *params, int code, const char *said) {
        QTest::addRow("%s", title) << QByteArray(method) << QByteArray(params) << code << said;
    };
    row("unknown method", "fly", "{}", rpc::methodNotFound, "fly");
    row("missing key", "measure", "{}", rpc::invalidParams, "handle: is missing");
    row("wrong type", "check", R"({"handle": "1"})", rpc::invalidParams, "handle: expected a whole number");
    row("unknown handle", "measure", R"({"handle": 99, "warmup": 0, "iterations": 1})", error::invalid, "handle 99");
    row("no iterations", "measure", R"({"handle": 1, "warmup": 0, "iterations": 0})", rpc::invalidParams,
        "iterations: is 0");
    row("other device", "describe", R"({"device": 7})", error::invalid, "device 7");
    row("no stages", "compile", R"({"operation":"gelu","stage":"gelu/x","architecture":"sm_90","dims":[1,1]})",
        error::unavailable, "compiles no stages");
    row("dims", "prepare", R"({"operation":"gelu","dims":[1],"seed":1,"implementation":"host"})", error::invalid,
        "2 dimensions");
}

void HostWorkerTest::refuses()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, params);
    QFETCH(QString, said);
    const auto error = WorkerClient::errorOf(m_client->call(method, nlohmann::json::parse(params.toStdString())));
    QTEST(error.code, "code");
    QVERIFY2(QString::fromStdString(error.reason).contains(said), error.reason.c_str());
    QVERIFY(m_client->get<DescribeResult>(method::describe).selfTest.passed); // it lives on
}

void HostWorkerTest::answersLinesThatAreNoMessage_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("code");
    QTest::addRow("text") << QByteArray("hello worker") << rpc::parseError;
    QTest::addRow("cut short") << QByteArray(R"({"jsonrpc":"2.0","id":1)") << rpc::parseError;
    QTest::addRow("bytes") << QByteArray("\xff\xfe\x00\x01", 4) << rpc::parseError;
    QTest::addRow("array") << QByteArray("[]") << rpc::invalidRequest;
    QTest::addRow("deep") << QByteArray(100'000, '[') << rpc::parseError;
    QTest::addRow("other version") << QByteArray(R"({"jsonrpc":"1.0","id":1,"method":"describe"})")
                                   << rpc::invalidRequest;
    QTest::addRow("params an array") << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":"describe","params":[0]})")
                                     << rpc::invalidRequest;
}

void HostWorkerTest::answersLinesThatAreNoMessage()
{
    QFETCH(QByteArray, line);
    m_client->sendBytes(line + "\n");
    QTEST(WorkerClient::errorOf(m_client->waitForAnyError()).code, "code");
    QVERIFY(m_client->get<DescribeResult>(method::describe).selfTest.passed);
}

void HostWorkerTest::answersALineThatIsTooLong()
{
    m_client->sendBytes(QByteArray(qsizetype{maximumLineBytes} + 1, 'x'));
    while (m_client->process().bytesToWrite() > 0) // far faster than in the event loop of qWaitFor()
        QVERIFY(m_client->process().waitForBytesWritten());
    m_client->sendBytes("\n");
    const auto error = WorkerClient::errorOf(m_client->waitForAnyError());
    QCOMPARE(error.code, rpc::parseError);
    QVERIFY2(QString::fromStdString(error.reason).contains("longer than"), error.reason.c_str());
    QVERIFY(m_client->get<DescribeResult>(method::describe).selfTest.passed);
}

void HostWorkerTest::outlivesTheTerminalsInterrupt()
{
    QCOMPARE(kill(static_cast<pid_t>(m_client->process().processId()), SIGINT), 0);
    QVERIFY(m_client->get<DescribeResult>(method::describe).selfTest.passed);
}

void HostWorkerTest::shutsDown()
{
    WorkerClient::resultOf(m_client->call(method::shutdown));
    QVERIFY(m_client->waitForEnd());
    QCOMPARE(m_client->process().exitStatus(), QProcess::NormalExit);
    QCOMPARE(m_client->process().exitCode(), 0);
}

void HostWorkerTest::endsAtTheEndOfInput()
{
    m_client->process().closeWriteChannel();
    QVERIFY(m_client->waitForEnd());
    QCOMPARE(m_client->process().exitStatus(), QProcess::NormalExit);
    QCOMPARE(m_client->process().exitCode(), 0);
}

void HostWorkerTest::endsWhileBusy()
{
    const auto handle = m_client->prepare("matmul", {1, 1, 1}, "host");
    m_client->send(method::measure, MeasureParams{handle, 0, 0, 2'000'000'000});
    QVERIFY(m_client->waitForSamples(1));
    m_client->process().closeWriteChannel();
    QVERIFY(m_client->waitForEnd());
    QCOMPARE(m_client->process().exitStatus(), QProcess::NormalExit);
    QCOMPARE(m_client->process().exitCode(), 0);
}

void HostWorkerTest::endsWhenNobodyReads()
{
    const QTemporaryDir directory;
    const auto path = directory.filePath("out").toLocal8Bit();
    QCOMPARE(mkfifo(path.constData(), 0600), 0);
    const int reader = open(path.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    QVERIFY(reader >= 0);
    WorkerClient client;
    client.process().setStandardOutputFile(path);
    client.start("bin/stagecraft-worker-host");
    const auto hasSaidHello = [reader] {
        int waiting = 0;
        return ioctl(reader, FIONREAD, &waiting) == 0 && waiting > 1;
    };
    QVERIFY(QTest::qWaitFor(hasSaidHello, 30'000));
    close(reader);
    client.send(method::describe);
    QVERIFY(client.waitForEnd());
    QCOMPARE(client.process().exitStatus(), QProcess::NormalExit); // not by SIGPIPE
    QCOMPARE(client.process().exitCode(), 0);
}

void HostWorkerTest::refusesDimsBeyondMemory()
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("the sanitizers end a process that asks for so much");
#endif
    const auto params = nlohmann::json::parse(
        R"({"operation":"matmul","dims":[500000000,1,500000000],"seed":1,"implementation":"host"})");
    const auto error = WorkerClient::errorOf(m_client->call(method::prepare, params));
    QCOMPARE(error.code, error::failed);
    QVERIFY2(QString::fromStdString(error.reason).contains("not enough memory"), error.reason.c_str());
}

QTEST_GUILESS_MAIN(HostWorkerTest)
#include "tst_hostworker.moc"
