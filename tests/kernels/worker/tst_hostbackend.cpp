// SPDX-License-Identifier: GPL-3.0-or-later
#include "hostbackend.h"

#include "machine.h"
#include "reference.h"

#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::protocol;
using worker::WorkerError;

namespace {

PrepareParams paramsFor(const QString &operation, const std::vector<std::int64_t> &dims)
{
    PrepareParams params;
    params.operation = operation.toStdString();
    params.dims = dims;
    params.seed = 1;
    params.implementation = "host";
    return params;
}

operations::InputSet inputsFor(const PrepareParams &params)
{
    return operations::generateInputs(*operations::findOperation(params.operation), params.dims, params.seed);
}

struct Samples : worker::SampleSink
{
    bool put(double us) override
    {
        if (std::ssize(all) == room)
            return false;
        all.push_back(us);
        if (std::ssize(all) == cancelAfter)
            cancel = true;
        return true;
    }
    std::vector<double> all;
    std::ptrdiff_t cancelAfter = -1, room = -1;
    std::atomic<bool> cancel = false;
};

} // namespace

class HostBackendTest : public QObject
{
    Q_OBJECT

private slots:
    void describesTheCpu();
    void computes_data();
    void computes();
    void seesAWrongReference();
    void measures();
    void cancelEndsWithTheNextSample();
    void aSampleThatIsNotTakenDoesNotCount();
    void cancelDuringWarmup();
    void hasNoRecords();
    void readsADirectory();
    void callsOnAColdCacheRotate();
    void tinyDimsCannotBeCold();
    void refuses_data();
    void refuses();
    void refusesADamagedDirectory();
    void refusesADirectoryOfSomethingElse();
    void checksHashes();
    void releases();

private:
    worker::HostBackend m_backend;
};

void HostBackendTest::describesTheCpu()
{
    const auto result = m_backend.describe({0});
    QCOMPARE(result.devices.size(), std::size_t{1});
    QVERIFY(!result.devices[0].name.empty());
    QVERIFY(result.devices[0].memoryBytes > 0);
    QVERIFY2(QString::fromStdString(result.platform).endsWith(QString::fromStdString(result.devices[0].name)),
             result.platform.c_str());
    QCOMPARE(result.implementations.size(), std::size_t{1});
    const auto &host = result.implementations[0];
    QCOMPARE(host.id, std::string("host"));
    QCOMPARE(host.timingSource, std::string("host"));
    QCOMPARE(host.operations, (std::vector<std::string>{"matmul", "gelu", "layernorm", "triangle", "neighbor"}));
    QVERIFY(host.available);
    QVERIFY2(QString::fromStdString(host.note).contains(QRegularExpression("Eigen 3\\.\\d+\\.\\d+, .*\\d+ threads?$")),
             host.note.c_str());
    QVERIFY(!result.capture.available);
    QVERIFY(!result.capture.reason.empty());
    QVERIFY(!result.counters);
    DescribeParams counters;
    counters.counters = true;
    const auto counted = m_backend.describe(counters).counters;
    QVERIFY(counted && !counted->available && !counted->reason.empty() && !counted->fix.empty());
    QVERIFY2(result.selfTest.passed, result.selfTest.reason.c_str());
    QVERIFY_EXCEPTION_THROWN(m_backend.describe({1}), WorkerError);
}

void HostBackendTest::computes_data()
{
    QTest::addColumn<QString>("operation");
    QTest::addColumn<operations::Dims>("dims");
    const auto row = [](const std::string &operation, const operations::Dims &dims) {
        QTest::addRow("%s %s", operation.c_str(), operations::dimsText(dims).c_str())
            << QString::fromStdString(operation) << dims;
    };
    for (const auto &operation : operations::catalogue()) {
#ifndef __SANITIZE_THREAD__ // takes minutes then
        row(operation.id, operation.defaultDims);
#endif
        row(operation.id, operation.minimumDims);
    }
    row("matmul", {127, 65, 33});
    row("matmul", {1, 1000, 1000});
    row("matmul", {1000, 1, 1});
    row("gelu", {1, 100'003});
    row("gelu", {1237, 101});
    row("layernorm", {1, 100'003});
    row("layernorm", {1237, 101});
    row("triangle", {1, 3});
    row("triangle", {61, 17});
    row("neighbor", {301, 7, 0});
    row("neighbor", {1, 7, 1000});
    row("neighbor", {1001, 33, 20'000});
}

void HostBackendTest::computes()
{
    QFETCH(QString, operation);
    QFETCH(operations::Dims, dims);
    const auto handle = m_backend.prepare(paramsFor(operation, dims)).handle;
    const auto result = m_backend.check({handle});
    m_backend.release(handle);
    QVERIFY2(result.passed, qPrintable(QString("%1 bad, first %2").arg(result.badElements).arg(*result.firstBad)));
    QCOMPARE(result.checkedElements,
             operations::outputElements(*operations::findOperation(operation.toStdString()), dims));
    QVERIFY2(*result.relError < 1e-5, qPrintable(QString::number(*result.relError)));
    QCOMPARE(result.rtol, 1e-4);
    QCOMPARE(result.atol, 1e-4);
    QCOMPARE(result.reference, std::string("fp64"));
}

// The gate itself: against a reference that is wrong in one element the check fails there.
void HostBackendTest::seesAWrongReference()
{
    auto params = paramsFor("gelu", {3, 5});
    const QTemporaryDir directory;
    params.directory = directory.path().toStdString();
    operations::writeInputDirectory(params.directory, inputsFor(params), 1, 1);
    QFile file(directory.filePath("reference.f64.bin"));
    QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(4 * 8));
    const double wrong = 5;
    QCOMPARE(file.write(reinterpret_cast<const char *>(&wrong), sizeof wrong), qint64{8});
    file.close();
    const auto handle = m_backend.prepare(params).handle;
    const auto result = m_backend.check({handle});
    m_backend.release(handle);
    QVERIFY(!result.passed);
    QCOMPARE(result.badElements, 1);
    QCOMPARE(result.firstBad.value(), 4);
    QCOMPARE(result.firstBadReference.value(), 5.0);
    QVERIFY(*result.maxAbsError > 3);
}

void HostBackendTest::measures()
{
    const auto handle = m_backend.prepare(paramsFor("matmul", {64, 64, 64})).handle;
    Samples samples;
    const auto result = m_backend.measure({handle, 0, 3, 20}, samples, samples.cancel);
    QCOMPARE(result.count, 20);
    QVERIFY(!result.cancelled);
    QCOMPARE(samples.all.size(), std::size_t{20});
    QVERIFY(std::ranges::all_of(samples.all, [](double us) { return us > 0; }));
}

void HostBackendTest::cancelEndsWithTheNextSample()
{
    const auto handle = m_backend.prepare(paramsFor("gelu", {8, 8})).handle;
    Samples samples;
    samples.cancelAfter = 7;
    const auto result = m_backend.measure({handle, 0, 0, 1000}, samples, samples.cancel);
    QCOMPARE(result.count, 7);
    QVERIFY(result.cancelled);
    QCOMPARE(samples.all.size(), std::size_t{7});
}

void HostBackendTest::aSampleThatIsNotTakenDoesNotCount()
{
    const auto handle = m_backend.prepare(paramsFor("gelu", {8, 8})).handle;
    Samples samples;
    samples.room = 5;
    const auto result = m_backend.measure({handle, 0, 0, 1000}, samples, samples.cancel);
    QCOMPARE(result.count, 5);
    QVERIFY(result.cancelled);
}

void HostBackendTest::cancelDuringWarmup()
{
    const auto handle = m_backend.prepare(paramsFor("gelu", {8, 8})).handle;
    Samples samples;
    samples.cancel = true;
    const auto result = m_backend.measure({handle, 0, 2'000'000'000, 1}, samples, samples.cancel);
    QCOMPARE(result.count, 0);
    QVERIFY(result.cancelled);
}

void HostBackendTest::hasNoRecords()
{
    const auto handle = m_backend.prepare(paramsFor("gelu", {1, 1})).handle;
    const std::atomic<bool> cancel = false;
    try {
        m_backend.capture({handle, 0, 0, 1}, cancel);
        QFAIL("captured");
    } catch (const WorkerError &error) {
        QCOMPARE(error.code, error::unavailable);
        QVERIFY2(QString(error.what()).startsWith("the CPU has no kernel records"), error.what());
    }
}

void HostBackendTest::readsADirectory()
{
    auto params = paramsFor("neighbor", {17, 3, 101});
    const QTemporaryDir directory;
    params.directory = directory.path().toStdString();
    auto inputs = inputsFor(params);
    inputs.a[0] = 0.5F; // not what the worker would generate itself
    params.sha256 = operations::hashes(inputs);
    operations::writeInputDirectory(params.directory, inputs, 1, 1);
    const auto handle = m_backend.prepare(params).handle;
    QVERIFY(m_backend.check({handle}).passed);
}

void HostBackendTest::callsOnAColdCacheRotate()
{
    const std::int64_t cache = worker::lastLevelCacheBytes();
    if (cache == 0 || worker::availableMemoryBytes() < 4 * cache)
        QSKIP("the processor's cache is unknown, or too large for the memory to hold copies that exceed it twice");
    // Inputs and output together are about a tenth of the cache.
    const std::int64_t rows = cache / 10 / (2 * 4 * 256);
    auto params = paramsFor("gelu", {rows, 256});
    params.cache = "cold";
    const auto prepared = m_backend.prepare(params);
    const std::int64_t copies = 2 * cache / ((2 * rows + 1) * 4 * 256) + 1;
    QVERIFY2(QString::fromStdString(prepared.note).contains(QStringLiteral("; cold: %1 copies of ").arg(copies)),
             prepared.note.c_str());
    QVERIFY2(prepared.note.find("rotate through a last-level cache of") != std::string::npos, prepared.note.c_str());
    QVERIFY(m_backend.check({prepared.handle}).passed);
    Samples samples;
    QCOMPARE(m_backend.measure({prepared.handle, 0, 1, 3}, samples, samples.cancel).count, 3);
    QVERIFY(m_backend.check({prepared.handle}).passed); // whatever the turn is
    m_backend.release(prepared.handle);
}

void HostBackendTest::tinyDimsCannotBeCold()
{
    auto params = paramsFor("gelu", {3, 5});
    params.cache = "cold";
    try {
        m_backend.prepare(params);
        QFAIL("no processor has a cache that 1024 times 140 bytes exceed twice");
    } catch (const WorkerError &error) {
        QCOMPARE(error.code, error::unavailable);
        QVERIFY2(QString(error.what()).startsWith("cold: "), error.what());
        QVERIFY2(error.fix.find("--cache warm") != std::string::npos, error.fix.c_str());
    }
}

void HostBackendTest::refuses_data()
{
    QTest::addColumn<PrepareParams>("params");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *title, auto change, int code, const char *said) {
        auto params = paramsFor("gelu", {3, 5});
        change(params);
        QTest::addRow("%s", title) << params << code << said;
    };
    row(
        "operation", [](auto &params) { params.operation = "conv"; }, error::invalid, "no operation is named \"conv\"");
    row(
        "dims",
        [](auto &params) {
            params.dims = {3, 0};
        },
        error::invalid, "width is 0");
    row(
        "implementation", [](auto &params) { params.implementation = "cuda"; }, error::unavailable,
        "no implementation \"cuda\"");
    row(
        "stage", [](auto &params) { params.stage = "gelu/x"; }, error::unavailable, "gelu/x");
    row(
        "device", [](auto &params) { params.device = 1; }, error::invalid, "device 1");
    row(
        "directory", [](auto &params) { params.directory = "/nowhere"; }, error::invalid, "input.json: cannot be read");
    row(
        "hash",
        [](auto &params) {
            params.sha256 = {{"a.bin", "00"}};
        },
        error::invalid, "a.bin has SHA-256");
    row(
        "hash of nothing",
        [](auto &params) {
            params.sha256 = {{"c.bin", "00"}};
        },
        error::invalid, "sha256/c.bin");
}

void HostBackendTest::refuses()
{
    QFETCH(PrepareParams, params);
    QFETCH(QString, said);
    try {
        m_backend.prepare(params);
        QFAIL("prepared");
    } catch (const WorkerError &error) {
        QTEST(error.code, "code");
        QVERIFY2(QString(error.what()).contains(said), error.what());
        QVERIFY(!error.fix.empty());
    }
}

void HostBackendTest::refusesADamagedDirectory()
{
    auto params = paramsFor("gelu", {3, 5});
    const QTemporaryDir directory;
    params.directory = directory.path().toStdString();
    operations::writeInputDirectory(params.directory, inputsFor(params), 1, 1);
    QFile file(directory.filePath("a.bin"));
    QVERIFY(file.open(QIODevice::ReadWrite) && file.putChar('x'));
    file.close();
    QVERIFY_EXCEPTION_THROWN(m_backend.prepare(params), WorkerError);
}

void HostBackendTest::refusesADirectoryOfSomethingElse()
{
    auto params = paramsFor("gelu", {3, 5});
    const QTemporaryDir directory;
    params.directory = directory.path().toStdString();
    operations::writeInputDirectory(params.directory, inputsFor(params), 1, 1);
    params.dims = {5, 3};
    QVERIFY_EXCEPTION_THROWN(m_backend.prepare(params), WorkerError);
}

void HostBackendTest::checksHashes()
{
    auto params = paramsFor("layernorm", {3, 5});
    params.sha256 = operations::hashes(inputsFor(params));
    QVERIFY(m_backend.prepare(params).handle > 0);
}

void HostBackendTest::releases()
{
    const auto first = m_backend.prepare(paramsFor("gelu", {1, 1})).handle;
    m_backend.release(first);
    QVERIFY_EXCEPTION_THROWN(m_backend.check({first}), WorkerError);
    QVERIFY_EXCEPTION_THROWN(m_backend.release(first), WorkerError);
    QVERIFY(m_backend.prepare(paramsFor("gelu", {1, 1})).handle != first);
}

QTEST_APPLESS_MAIN(HostBackendTest)
#include "tst_hostbackend.moc"
