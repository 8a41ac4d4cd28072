// SPDX-License-Identifier: GPL-3.0-or-later
#include "workerclient.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft::protocol;

// What a profiler would see of a worker.
class NvtxTest : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void hostWorkerShowsTheFourLevels();
    void stagesAreNamed();
    void rangesCloseAfterAnError();
    void describeNamesTheVersion();

private:
    void start(const QString &program, const QStringList &arguments = {});
    QStringList linesAfterShutdown();

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<WorkerClient> m_client;
};

void NvtxTest::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    m_client = std::make_unique<WorkerClient>();
}

void NvtxTest::start(const QString &program, const QStringList &arguments)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("NVTX_INJECTION64_PATH", STAGECRAFT_NVTX_INJECTION);
    environment.insert("STAGECRAFT_TEST_NVTX_LOG", m_directory->filePath("log"));
    m_client->start(program, arguments, environment);
    QVERIFY(m_client->waitForHello());
}

QStringList NvtxTest::linesAfterShutdown()
{
    m_client->call(method::shutdown);
    m_client->waitForEnd();
    QFile log(m_directory->filePath("log"));
    return log.open(QIODevice::ReadOnly) ? QString::fromUtf8(log.readAll()).trimmed().split('\n') : QStringList();
}

void NvtxTest::hostWorkerShowsTheFourLevels()
{
    start("bin/stagecraft-worker-host");
    const auto handle = m_client->prepare("layernorm", {3, 5}, "host");
    m_client->get<CheckResult>(method::check, CheckParams{handle});
    m_client->get<MeasureResult>(method::measure, MeasureParams{handle, 1, 0, 2});
    WorkerClient::errorOf(m_client->call(method::capture, CaptureParams{handle, 1, 0, 2}));
    QStringList expected{"domain stagecraft"};
    for (const QString phase : {"round 1/check", "round 2/spans", "round 2/capture"}) {
        const auto parts = phase.split('/');
        expected << "push stagecraft 0 layernorm"
                 << "push stagecraft 1 host"
                 << "push stagecraft 2 " + parts[0] << "push stagecraft 3 " + parts[1];
        for (const QString depth : {"3", "2", "1", "0"})
            expected << "pop stagecraft " + depth;
    }
    QCOMPARE(linesAfterShutdown(), expected);
}

void NvtxTest::stagesAreNamed()
{
    start("bin-tests/stagecraft-fake-worker");
    PrepareParams params;
    params.operation = "matmul";
    params.dims = {1, 1, 1};
    params.implementation = "cuda";
    params.stage = "matmul/k64";
    const auto handle = m_client->get<PrepareResult>(method::prepare, params).handle;
    m_client->get<CaptureResult>(method::capture, CaptureParams{handle, 0, 0, 1});
    const auto lines = linesAfterShutdown();
    QVERIFY2(lines.contains("push stagecraft 1 cuda/k64"), qPrintable(lines.join('\n')));
    QVERIFY2(lines.contains("push stagecraft 3 capture"), qPrintable(lines.join('\n')));
}

void NvtxTest::rangesCloseAfterAnError()
{
    start("bin-tests/stagecraft-fake-worker", {"--behaviour", "error-in-measure"});
    const auto handle = m_client->prepare("matmul", {1, 1, 1}, "cuda");
    WorkerClient::errorOf(m_client->call(method::measure, MeasureParams{handle, 0, 0, 2}));
    QCOMPARE(linesAfterShutdown().last(), "pop stagecraft 0");
}

void NvtxTest::describeNamesTheVersion()
{
    start("bin/stagecraft-worker-host");
    const auto libraries = m_client->get<DescribeResult>(method::describe).libraries;
    const auto nvtx = std::ranges::find(libraries, std::string("NVTX"), &Library::name);
    QVERIFY(nvtx != libraries.end());
    QVERIFY(nvtx->available);
    QCOMPARE(nvtx->version, std::string("3"));
}

QTEST_GUILESS_MAIN(NvtxTest)
#include "tst_nvtx.moc"
