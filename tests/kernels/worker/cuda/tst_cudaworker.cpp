// SPDX-License-Identifier: GPL-3.0-or-later
#include "cudaworkerfixture.h"
#include "inputs.h"
#include "reference.h"

using namespace stagecraft::protocol;
using cudaworker::handleOnly;
using cudaworker::library;
using cudaworker::params;

namespace {

const Implementation &implementation(const DescribeResult &description, const std::string &id)
{
    return *std::ranges::find(description.implementations, id, &Implementation::id);
}

} // namespace

class TestCudaWorker : public cudaworker::Fixture
{
    Q_OBJECT

private slots:
    void withoutADriver();
    void describesTheMadeUpGpu();
    void aDriverThatDoesNotStart();
    void theProfilerIsLeftAlone();
    void spansAreTheEvents();
    void aSpanWithoutTimeIsAnError();
    void bracketIsTheTimedPart();
    void resultIsWritten();
    void recordsAreTheLaunches();
    void cublasIsRowMajor_data();
    void cublasIsRowMajor();
    void refusedRecordsCostOnlyRecords();
    void everythingIsReleased();
    void aLostContextEndsTheWorker();
    void whatIsNotThereIsRefused();
};

void TestCudaWorker::withoutADriver()
{
    startPlain();
    const auto description = m_client->get<DescribeResult>(method::describe);
    if (library(description, "libcuda").available)
        QSKIP("this machine has an NVIDIA driver");
    QVERIFY(description.devices.empty());
    QVERIFY(!description.platform.empty());
    const Library &driver = library(description, "libcuda");
    QVERIFY2(!driver.reason.empty() && driver.fix.find("install the NVIDIA driver") != std::string::npos,
             driver.reason.c_str());
    for (const Implementation &one : description.implementations) {
        QVERIFY(!one.available);
        QCOMPARE(one.reason, driver.reason);
        QCOMPARE(one.fix, driver.fix);
    }
    QCOMPARE(implementation(description, "cuda").operations.size(), std::size_t{5});
    QVERIFY(!description.capture.available && !description.capture.reason.empty());
    QVERIFY(!description.selfTest.passed && !description.selfTest.kernelUs);
    const auto refused = WorkerClient::errorOf(m_client->call(method::prepare, params("gelu", {1, 1}, "cuda")));
    QCOMPARE(refused.code, error::unavailable);
    QVERIFY(!refused.fix.empty());
    QVERIFY(!library(m_client->get<DescribeResult>(method::describe), "libcuda").available); // still answering
}

void TestCudaWorker::describesTheMadeUpGpu()
{
    startWithFakes();
    const auto description = m_client->get<DescribeResult>(method::describe);
    QCOMPARE(description.devices.size(), std::size_t{1});
    const Device &gpu = description.devices.front();
    QCOMPARE(gpu.name, std::string("Made-up GPU"));
    QCOMPARE(gpu.uuid, std::string("GPU-00112233-4455-6677-8899-aabbccddeeff"));
    QCOMPARE(gpu.computeCapability, std::string("9.0"));
    QCOMPARE(gpu.smCount, 132);
    QCOMPARE(gpu.maxThreadsPerSm, 2048);
    QCOMPARE(library(description, "libcuda").version, std::string("CUDA 13.0"));
    QCOMPARE(library(description, "cuBLAS").version, std::string("7.8.9"));
    QVERIFY(implementation(description, "cublas").available);
    if (!library(description, "NVRTC").available)
        QSKIP("libnvrtc is not on this machine");
    QVERIFY(implementation(description, "cuda").available);
    QVERIFY2(description.selfTest.passed, description.selfTest.reason.c_str());
    QVERIFY2(description.capture.available, description.capture.reason.c_str());
    QCOMPARE(description.selfTest.kernelUs.value_or(0), 1.5);
    QCOMPARE(description.capture.backend, std::string("cupti"));
    QVERIFY(!description.capture.timestampMode.empty());
    QCOMPARE(WorkerClient::errorOf(m_client->call(method::describe, {{"device", 1}})).code, error::invalid);
}

void TestCudaWorker::aDriverThatDoesNotStart()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUDA_INIT", "100"}}); // CUDA_ERROR_NO_DEVICE
    const auto description = m_client->get<DescribeResult>(method::describe);
    QVERIFY(description.devices.empty());
    const Library &driver = library(description, "libcuda");
    QVERIFY(!driver.available);
    QVERIFY2(driver.reason.find("does not start") != std::string::npos, driver.reason.c_str());
    QVERIFY2(driver.fix.find("CUDA_VISIBLE_DEVICES") != std::string::npos, driver.fix.c_str());
    QCOMPARE(implementation(description, "cublas").reason, driver.reason);
}

void TestCudaWorker::theProfilerIsLeftAlone()
{
    startWithFakes();
    const auto description = m_client->get<DescribeResult>(method::describe, DescribeParams{0, true});
    QVERIFY(description.selfTest.passed);
    QVERIFY(!description.selfTest.kernelUs);
    QVERIFY(!description.capture.available);
    QVERIFY2(description.capture.reason.find("--no-capture") != std::string::npos, description.capture.reason.c_str());
    QVERIFY(library(description, "CUPTI").path.empty());
    const auto handle = m_client->prepare("matmul", {3, 4, 5}, "cublas");
    QCOMPARE(WorkerClient::errorOf(m_client->call(method::capture, CaptureParams{handle, 0, 0, 3})).code,
             error::unavailable);
    QVERIFY(m_client->get<DescribeResult>(method::describe, DescribeParams{}).capture.available);
}

void TestCudaWorker::spansAreTheEvents()
{
    startWithFakes();
    const auto handle = m_client->prepare("matmul", {3, 4, 5}, "cublas");
    MeasureParams measure;
    measure.handle = handle;
    measure.warmup = 3;
    measure.iterations = 200;
    const auto result = m_client->get<MeasureResult>(method::measure, measure);
    QCOMPARE(result.count, 200);
    QVERIFY(!result.cancelled);
    QVERIFY(m_client->waitForSamples(200));
    for (const double us : m_client->samples())
        QVERIFY2(std::abs(us - 12.5) < 1e-4, qPrintable(QString::number(us))); // 0.0125 ms, as a float
}

void TestCudaWorker::aSpanWithoutTimeIsAnError()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUDA_INSTANT", "1"}});
    MeasureParams measure;
    measure.handle = m_client->prepare("matmul", {3, 4, 5}, "cublas");
    measure.iterations = 3;
    const auto refused = WorkerClient::errorOf(m_client->call(method::measure, measure));
    QCOMPARE(refused.code, error::failed);
    QVERIFY2(refused.reason.find("less than one tick") != std::string::npos, refused.reason.c_str());
    QVERIFY(!refused.fix.empty());
    QVERIFY(m_client->samples().empty());
}

void TestCudaWorker::bracketIsTheTimedPart()
{
    startLogged();
    MeasureParams measure;
    measure.handle = m_client->prepare("matmul", {3, 4, 5}, "cublas");
    measure.warmup = 2;
    measure.iterations = 3;
    const QString launch = "launch fake_sgemm";
    const QStringList timed{"cuEventRecord", launch, "cuEventRecord"};
    for (const bool bracket : {false, true}) {
        clearLog();
        measure.bracket = bracket;
        m_client->get<MeasureResult>(method::measure, measure);
        const QStringList start{"cuProfilerStart"}, stop{"cuProfilerStop"}, none;
        QCOMPARE(without(log(), "^cublas"), QStringList({launch, launch}) + (bracket ? start : none) + timed + timed +
                                                timed + (bracket ? stop : none));
    }
}

void TestCudaWorker::resultIsWritten()
{
    using namespace stagecraft;
    startWithFakes();
    CheckParams check;
    check.handle = m_client->prepare("matmul", {3, 4, 5}, "cublas");
    check.output = m_folder.filePath("result.bin").toStdString();
    QVERIFY(m_client->get<CheckResult>(method::check, check).passed);
    QFile file(QString::fromStdString(check.output));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QCOMPARE(bytes.size(), qsizetype{48});
    std::vector<float> values(12);
    std::memcpy(values.data(), bytes.constData(), 48);
    const auto inputs = operations::generateInputs(*operations::findOperation("matmul"), {3, 4, 5}, 1);
    QVERIFY(operations::compare(values, operations::reference(inputs)).passed);
    check.output = m_folder.filePath("absent/result.bin").toStdString();
    const auto refused = WorkerClient::errorOf(m_client->call(method::check, check));
    QVERIFY2(refused.reason.find("absent/result.bin") != std::string::npos, refused.reason.c_str());
}

void TestCudaWorker::recordsAreTheLaunches()
{
    startWithFakes();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto handle = m_client->prepare("gelu", {3, 257}, "cuda");
    CaptureParams captureParams;
    captureParams.handle = handle;
    captureParams.warmup = 5;
    captureParams.iterations = 10;
    for (int pass = 0; pass < 2; ++pass) {
        const auto capture = m_client->get<CaptureResult>(method::capture, captureParams);
        QCOMPARE(capture.backend, std::string("cupti"));
        QCOMPARE(capture.requestedIterations, 10);
        QCOMPARE(capture.records.size(), std::size_t{10}); // the warm-up is not recorded
        for (int i = 0; i < 10; ++i) {
            const KernelRecord &record = capture.records[static_cast<std::size_t>(i)];
            QCOMPARE(record.kernelName, std::string("gelu_resident"));
            QCOMPARE(record.iteration, i);
            QCOMPARE(record.durationUs, 1.5);
            QCOMPARE(record.sharedMemBytes, 1536);
            QCOMPARE(record.localBytesPerThread, 16);
        }
        QCOMPARE(capture.dropped + capture.invalid, 0);
    }
}

void TestCudaWorker::cublasIsRowMajor_data()
{
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("k");
    QTest::newRow("odd") << 17 << 19 << 23;
    QTest::newRow("one") << 1 << 1 << 1;
    QTest::newRow("one row") << 1 << 33 << 65;
    QTest::newRow("one column") << 33 << 1 << 7;
}

void TestCudaWorker::cublasIsRowMajor()
{
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(int, k);
    startWithFakes();
    const auto prepared = m_client->get<PrepareResult>(method::prepare, params("matmul", {m, n, k}, "cublas"));
    QCOMPARE(prepared.arithmetic, std::string("fp32"));
    QVERIFY2(prepared.note.find("without TF32, workspace 32 MiB") != std::string::npos, prepared.note.c_str());
    QVERIFY(prepared.launches.empty());
    const auto check = m_client->get<CheckResult>(method::check, handleOnly(prepared.handle));
    QVERIFY2(check.passed, qPrintable(QString::number(check.badElements)));
    QCOMPARE(check.checkedElements, m * n);
}

void TestCudaWorker::refusedRecordsCostOnlyRecords()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUPTI_REFUSE", "cuptiSubscribe=39"}});
    const auto description = m_client->get<DescribeResult>(method::describe);
    QVERIFY(implementation(description, "cublas").available);
    const auto handle = m_client->prepare("matmul", {3, 4, 5}, "cublas");
    CaptureParams captureParams;
    captureParams.handle = handle;
    captureParams.iterations = 10;
    const auto refused = WorkerClient::errorOf(m_client->call(method::capture, captureParams));
    QCOMPARE(refused.code, error::unavailable);
    QVERIFY2(refused.reason.find("another profiler") != std::string::npos, refused.reason.c_str());
    QVERIFY2(refused.fix.find("--no-capture") != std::string::npos, refused.fix.c_str());
    MeasureParams measure;
    measure.handle = handle;
    measure.iterations = 10;
    QCOMPARE(m_client->get<MeasureResult>(method::measure, measure).count, 10);
    if (!library(description, "NVRTC").available)
        QSKIP("libnvrtc is not on this machine");
    QVERIFY(!description.capture.available);
    QCOMPARE(description.capture.reason, refused.reason);
    QVERIFY(description.selfTest.passed && !description.selfTest.kernelUs);
}

void TestCudaWorker::everythingIsReleased()
{
    startWithFakes();
    const bool stagesToo = hasNvrtc();
    for (int i = 0; i < 3; ++i) {
        if (stagesToo)
            m_client->prepare("neighbor", {7, 9, 0}, "cuda"); // left to the worker's end
        const auto handle = m_client->prepare("matmul", {3, 4, 5}, "cublas");
        QVERIFY(m_client->get<CheckResult>(method::check, handleOnly(handle)).passed);
        m_client->call(method::release, handleOnly(handle));
        QCOMPARE(WorkerClient::errorOf(m_client->call(method::check, handleOnly(handle))).code, error::invalid);
    }
    m_client->call(method::shutdown);
    QVERIFY(m_client->waitForEnd());
    QCOMPARE(m_client->process().exitCode(), 0);
    QCOMPARE(m_client->process().readAllStandardError(), QByteArray("fake libcuda: 0 objects live at release\n"));
}

void TestCudaWorker::aLostContextEndsTheWorker()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUDA_FAULT", "700"}}); // CUDA_ERROR_ILLEGAL_ADDRESS
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto handle = m_client->prepare("triangle", {7, 5}, "cuda");
    const auto reply = WorkerClient::errorOf(m_client->call(method::check, handleOnly(handle)));
    QCOMPARE(reply.code, error::failed);
    QVERIFY2(reply.reason.find("CUDA_ERROR_ILLEGAL_ADDRESS") != std::string::npos, reply.reason.c_str());
    QVERIFY2(reply.reason.find("cuStreamSynchronize") != std::string::npos, reply.reason.c_str());
    QVERIFY2(reply.fix.find("outside its buffers") != std::string::npos, reply.fix.c_str());
    QVERIFY(m_client->waitForEnd());
}

void TestCudaWorker::whatIsNotThereIsRefused()
{
    startWithFakes();
    const auto code = [&](const nlohmann::json &prepare) {
        return WorkerClient::errorOf(m_client->call(method::prepare, prepare)).code;
    };
    QCOMPARE(code(params("gelu", {4, 8}, "cublas")), error::unavailable);
    QCOMPARE(code(params("gelu", {4, 8}, "host")), error::unavailable);
    QCOMPARE(code(params("gelu", {4, 8}, "cuda", "gelu/absent")), error::invalid);
    QCOMPARE(code(params("gelu", {4}, "cuda")), error::invalid);
    QCOMPARE(code(params("nothing", {4}, "cuda")), error::invalid);
    auto elsewhere = params("gelu", {4, 8}, "cuda");
    elsewhere.device = 7;
    QCOMPARE(code(elsewhere), error::invalid);
    auto otherInputs = params("gelu", {4, 8}, "cuda");
    otherInputs.sha256 = {{"a.bin", std::string(64, '0')}};
    QCOMPARE(code(otherInputs), error::invalid);
}

QTEST_GUILESS_MAIN(TestCudaWorker)
#include "tst_cudaworker.moc"
