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

namespace {

constexpr auto fakeWorker = "bin-tests/stagecraft-fake-worker";

} // namespace

// The server with a backend that misbehaves as told.
class ServerTest : public QObject
{
    Q_OBJECT

private slots:
    void bannersDoNotBreakTheStream();
    void printingDoesNotBreakTheStream();
    void namesBothVersions();
    void samplesComeInBatches();
    void endsWhileABackendHangs();
    void endsWhileNobodyReads();
    void passesOnErrors();
    void aSampleThatIsNoNumberIsSeen();
    void aKilledWorkerIsSeen_data();
    void aKilledWorkerIsSeen();
    void recordsAreNumbered();
    void failedChecksSayWhat();
};

void ServerTest::bannersDoNotBreakTheStream()
{
    WorkerClient client;
    client.start(fakeWorker, {"--behaviour", "banner"});
    QVERIFY(client.waitForHello());
    QVERIFY(client.banner().contains("Last login: today"));
    QVERIFY(client.banner().contains("no line end"));
    QCOMPARE(client.get<DescribeResult>(method::describe).worker, std::string("fake"));
}

void ServerTest::printingDoesNotBreakTheStream()
{
    WorkerClient client;
    client.process().setProcessChannelMode(QProcess::SeparateChannels);
    client.start(fakeWorker, {"--behaviour", "chatter"});
    QVERIFY(client.waitForHello());
    const auto handle = client.prepare("gelu", {2, 3}, "cuda");
    QVERIFY(client.get<CheckResult>(method::check, CheckParams{handle}).passed);
    QCOMPARE(client.get<MeasureResult>(method::measure, MeasureParams{handle, 0, 1, 50}).count, 50);
    QVERIFY2(client.problems().isEmpty(), qPrintable(client.problems().join('\n')));
    QCOMPARE(client.process().readAllStandardError().count("a kernel's printf says"), 3);
}

void ServerTest::namesBothVersions()
{
    WorkerClient client;
    client.start(fakeWorker, {"--behaviour", "other-version"});
    QVERIFY(QTest::qWaitFor([&] { return !client.problems().isEmpty(); }, 30'000));
    QVERIFY2(client.problems()[0].contains("999") && client.problems()[0].contains("version 1"),
             qPrintable(client.problems()[0]));
}

void ServerTest::samplesComeInBatches()
{
    WorkerClient client;
    client.start(fakeWorker, {"--rate", "20000"});
    QVERIFY(client.waitForHello());
    const auto handle = client.prepare("gelu", {2, 3}, "cuda");
    QCOMPARE(client.get<MeasureResult>(method::measure, MeasureParams{handle, 0, 0, 10'000}).count, 10'000);
    QCOMPARE(client.samples().size(), std::size_t{10'000});
    for (std::size_t i = 0; i < client.samples().size(); ++i)
        QCOMPARE(client.samples()[i], 10 + 0.1 * static_cast<double>(i % 7));
    // Half a second at 20 ms a batch: many samples a message, and more messages than one at the end.
    QVERIFY2(client.batches().size() > 1 && client.batches().size() < 100,
             qPrintable(QString::number(client.batches().size())));
}

void ServerTest::endsWhileABackendHangs()
{
    WorkerClient client;
    client.start(fakeWorker, {"--behaviour", "hang-in-measure"});
    QVERIFY(client.waitForHello());
    const auto handle = client.prepare("gelu", {2, 3}, "cuda");
    client.send(method::measure, MeasureParams{handle, 0, 0, 100});
    QVERIFY(client.waitForSamples(50));
    client.notify(method::cancel); // no help against a hanging kernel
    client.process().closeWriteChannel();
    QVERIFY(client.waitForEnd());
    QCOMPARE(client.process().exitStatus(), QProcess::NormalExit);
    QCOMPARE(client.process().exitCode(), 0);
}

// A full pipe blocks the thread that sends; the process must end all the same.
void ServerTest::endsWhileNobodyReads()
{
    const QTemporaryDir directory;
    const auto path = directory.filePath("out").toLocal8Bit();
    QCOMPARE(mkfifo(path.constData(), 0600), 0);
    const int fifo = open(path.constData(), O_RDWR | O_CLOEXEC); // open for both: neither side waits for the other
    QVERIFY(fifo >= 0);
    WorkerClient client;
    client.process().setStandardOutputFile(path);
    client.start(fakeWorker);
    PrepareParams params;
    params.operation = "gelu";
    params.dims = {1, 1};
    params.implementation = "cuda";
    client.send(method::prepare, params);
    client.send(method::measure, MeasureParams{1, 0, 0, 2'000'000'000});
    const auto isFull = [fifo] {
        int waiting = 0;
        return ioctl(fifo, FIONREAD, &waiting) == 0 && waiting > 48 << 10;
    };
    QVERIFY(QTest::qWaitFor(isFull, 30'000));
    client.process().closeWriteChannel();
    QVERIFY(client.waitForEnd());
    QCOMPARE(client.process().exitStatus(), QProcess::NormalExit);
    QCOMPARE(client.process().exitCode(), 0);
    close(fifo);
}

void ServerTest::passesOnErrors()
{
    WorkerClient client;
    client.start(fakeWorker, {"--behaviour", "error-in-measure", "--round", "1"});
    QVERIFY(client.waitForHello());
    const auto handle = client.prepare("gelu", {2, 3}, "cuda");
    QCOMPARE(client.get<MeasureResult>(method::measure, MeasureParams{handle, 0, 0, 10}).count, 10);
    const auto error = WorkerClient::errorOf(client.call(method::measure, MeasureParams{handle, 1, 0, 10}));
    QCOMPARE(error.code, error::failed);
    QCOMPARE(QString::fromStdString(error.message), "failed");
    QVERIFY(QString::fromStdString(error.reason).contains("CUDA error 700"));
    QVERIFY(!error.fix.empty());
    QCOMPARE(client.samples().size(), std::size_t{15}); // those before the error are not lost
    QCOMPARE(client.get<MeasureResult>(method::measure, MeasureParams{handle, 2, 0, 10}).count, 10);
}

void ServerTest::aSampleThatIsNoNumberIsSeen()
{
    WorkerClient client;
    client.start(fakeWorker, {"--behaviour", "nan-sample"});
    QVERIFY(client.waitForHello());
    const auto handle = client.prepare("gelu", {2, 3}, "cuda");
    client.call(method::measure, MeasureParams{handle, 0, 0, 10});
    QCOMPARE(client.problems(), QStringList{"us/5: expected a number, found null"});
}

void ServerTest::aKilledWorkerIsSeen_data()
{
    QTest::addColumn<QString>("behaviour");
    QTest::addColumn<int>("signal");
    QTest::addRow("SIGKILL") << "kill-in-measure" << SIGKILL;
    QTest::addRow("abort") << "abort-in-measure" << SIGABRT;
}

void ServerTest::aKilledWorkerIsSeen()
{
    QFETCH(QString, behaviour);
    WorkerClient client;
    client.start(fakeWorker, {"--behaviour", behaviour});
    QVERIFY(client.waitForHello());
    const auto handle = client.prepare("gelu", {2, 3}, "cuda");
    client.send(method::measure, MeasureParams{handle, 0, 0, 10});
    QVERIFY(client.waitForEnd());
    QCOMPARE(client.process().exitStatus(), QProcess::CrashExit);
    QTEST(client.process().exitCode(), "signal");
}

void ServerTest::recordsAreNumbered()
{
    WorkerClient client;
    client.start(fakeWorker, {"--implementation", "cuda", "--implementation", "cublas"});
    QVERIFY(client.waitForHello());
    const auto handle = client.prepare("matmul", {2, 3, 4}, "cublas");
    const auto result = client.get<CaptureResult>(method::capture, CaptureParams{handle, 0, 0, 5});
    QCOMPARE(result.records.size(), std::size_t{10}); // two kernels an iteration
    QCOMPARE(result.records.back().iteration, 4);
    QCOMPARE(result.requestedIterations, 5);
}

void ServerTest::failedChecksSayWhat()
{
    WorkerClient client;
    client.start(fakeWorker, {"--behaviour", "nan-result"});
    QVERIFY(client.waitForHello());
    const auto result = client.get<CheckResult>(method::check, CheckParams{client.prepare("gelu", {2, 3}, "cuda")});
    QVERIFY(!result.passed);
    QCOMPARE(result.badElements, 6);
    QVERIFY(!result.maxAbsError);
    QVERIFY(!result.firstBadValue);
}

QTEST_GUILESS_MAIN(ServerTest)
#include "tst_server.moc"
