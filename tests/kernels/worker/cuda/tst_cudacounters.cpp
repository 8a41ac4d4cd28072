// SPDX-License-Identifier: GPL-3.0-or-later
// Hardware counters in the GPU worker: the made-up libcupti counts what the made-up GPU launches.
#include "cudaworkerfixture.h"

using namespace stagecraft::protocol;
using cudaworker::params;

class TestCudaCounters : public cudaworker::Fixture
{
    Q_OBJECT

private slots:
    void countsTheKernelsOfOneCall();
    void countsTheUsualMetrics();
    void namesStages();
    void recordsAndSpansGoOn();
    void coldIsRefused();
    void refusalsCostOnlyCounters_data();
    void refusalsCostOnlyCounters();
    void theProfilerIsLeftAlone();
    void aHandleThatIsNotThere();
    void describesWhatThereIs();
    void describesWhatIsRefused();
    void describesWithoutAGpu();
    void refusedSamplesSayWhy();
    void whatIsWrongIsNotSampled();

private:
    std::int64_t prepared() { return m_client->prepare("matmul", {3, 4, 5}, "cublas"); }

    CountersResult counted(std::int64_t handle, const std::vector<std::string> &metrics, int warmup = 0)
    {
        return m_client->get<CountersResult>(method::counters, CountersParams{handle, warmup, metrics});
    }

    ErrorReply refused(std::int64_t handle)
    {
        return WorkerClient::errorOf(m_client->call(method::counters, CountersParams{handle, 0}));
    }

    std::optional<CaptureSupport> described(bool leaveProfiler = false)
    {
        return m_client->get<DescribeResult>(method::describe, DescribeParams{0, leaveProfiler, true}).counters;
    }
};

void TestCudaCounters::countsTheKernelsOfOneCall()
{
    startLogged();
    const auto handle = prepared();
    clearLog();
    const auto result = counted(handle, {"a__inst.sum", "absent__x.sum", "b__rate.pct"}, 3);
    // Warm-up, the call that is recorded, the call that is counted.
    QCOMPARE(log().filter("launch fake_sgemm").size(), 3 + 1 + 1);
    QCOMPARE(result.backend, std::string("cupti"));
    QCOMPARE(result.replayMode, std::string("kernel"));
    QCOMPARE(result.passes, 1);
    QVERIFY(!result.cancelled);
    QCOMPARE(result.metrics.size(), std::size_t{2});
    QCOMPARE(result.metrics[1].unit, std::string("percent"));
    QCOMPARE(result.missing.size(), std::size_t{1});
    QCOMPARE(result.missing[0].name, std::string("absent__x.sum"));
    QCOMPARE(result.kernels.size(), std::size_t{1});
    const CountedKernel &kernel = result.kernels[0];
    QCOMPARE(kernel.kernelName, std::string("fake_sgemm"));
    QCOMPARE(kernel.registersPerThread, 40);
    QCOMPARE(kernel.sharedMemBytes, 1536);
    QVERIFY((kernel.grid == std::array<std::int64_t, 3>{3, 2, 1}));
    QCOMPARE(kernel.values.at("a__inst.sum"), 1000.0);
    QCOMPARE(kernel.values.at("b__rate.pct"), 1001.0);
}

void TestCudaCounters::countsTheUsualMetrics()
{
    startWithFakes();
    const auto result = counted(prepared(), {});
    QVERIFY(result.metrics.size() > 20);
    QVERIFY(result.kernels.at(0).values.contains("smsp__inst_executed.sum"));
}

void TestCudaCounters::namesStages()
{
    startWithFakes();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto result = counted(m_client->prepare("gelu", {3, 257}, "cuda"), {"a__inst.sum"});
    QCOMPARE(result.kernels.at(0).kernelName, std::string("gelu_resident"));
}

void TestCudaCounters::recordsAndSpansGoOn()
{
    startWithFakes();
    const auto handle = prepared();
    for (int pass = 0; pass < 2; ++pass) {
        QCOMPARE(counted(handle, {"a__inst.sum"}).kernels.size(), std::size_t{1});
        QCOMPARE(m_client->get<CaptureResult>(method::capture, CaptureParams{handle, 0, 0, 3}).records.size(),
                 std::size_t{3});
        MeasureParams measure;
        measure.handle = handle;
        measure.iterations = 5;
        QCOMPARE(m_client->get<MeasureResult>(method::measure, measure).count, 5);
    }
}

void TestCudaCounters::coldIsRefused()
{
    qputenv("STAGECRAFT_FAKE_CUDA_L2", "1000"); // the worker inherits it
    startWithFakes();
    qunsetenv("STAGECRAFT_FAKE_CUDA_L2");
    auto cold = params("matmul", {3, 4, 5}, "cublas");
    cold.cache = "cold";
    const auto error = refused(m_client->get<PrepareResult>(method::prepare, cold).handle);
    QCOMPARE(error.code, error::unavailable);
    QVERIFY2(error.reason.starts_with("kernel replay runs each kernel several times on the same arrays"),
             error.reason.c_str());
    QVERIFY(error.fix.find("--cache warm") != std::string::npos);
}

void TestCudaCounters::refusalsCostOnlyCounters_data()
{
    QTest::addColumn<QByteArray>("variable");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("reason");
    const QByteArray refuse = "STAGECRAFT_FAKE_CUPTI_REFUSE";
    QTest::newRow("permission") << refuse << QByteArray("cuptiRangeProfilerEnable=35")
                                << "the driver does not let this user read hardware counters";
    QTest::newRow("busy") << refuse << QByteArray("cuptiRangeProfilerStart=26") << "another program holds the hardware";
    QTest::newRow("no end") << refuse << QByteArray("cuptiRangeProfilerStop=999") << "cuptiRangeProfilerStop";
    QTest::newRow("virtual GPU") << QByteArray("STAGECRAFT_FAKE_CUPTI_LACKS") << QByteArray("vGpu")
                                 << "virtualized GPU has no hardware counters";
}

void TestCudaCounters::refusalsCostOnlyCounters()
{
    QFETCH(QByteArray, variable);
    QFETCH(QByteArray, value);
    QFETCH(QString, reason);
    startWithFakes({{variable.constData(), value.constData()}});
    const auto handle = prepared();
    const auto error = refused(handle);
    QCOMPARE(error.code, error::unavailable);
    QVERIFY2(QString::fromStdString(error.reason).contains(reason), error.reason.c_str());
    QVERIFY(!error.fix.empty());
    QCOMPARE(m_client->get<CaptureResult>(method::capture, CaptureParams{handle, 0, 0, 3}).records.size(),
             std::size_t{3});
}

void TestCudaCounters::theProfilerIsLeftAlone()
{
    startWithFakes();
    const auto counters = described(true);
    QVERIFY(counters && !counters->available);
    QVERIFY2(counters->reason.find("--no-capture") != std::string::npos, counters->reason.c_str());
    QCOMPARE(refused(prepared()).reason, counters->reason);
}

void TestCudaCounters::aHandleThatIsNotThere()
{
    startWithFakes();
    QCOMPARE(refused(7).code, error::invalid);
}

void TestCudaCounters::describesWhatThereIs()
{
    startWithFakes();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto counters = described();
    QVERIFY(counters.has_value());
    QVERIFY2(counters->available, counters->reason.c_str());
    QCOMPARE(counters->backend, std::string("cupti"));
    QVERIFY(!m_client->get<DescribeResult>(method::describe).counters); // nobody asked
    QCOMPARE(counted(prepared(), {"a__inst.sum"}).kernels.size(), std::size_t{1});
}

void TestCudaCounters::describesWhatIsRefused()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUPTI_REFUSE", "cuptiRangeProfilerEnable=35"}});
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto description = m_client->get<DescribeResult>(method::describe, DescribeParams{0, false, true});
    QVERIFY(description.counters && !description.counters->available);
    QCOMPARE(description.counters->reason, refused(prepared()).reason);
    QVERIFY2(description.capture.available, description.capture.reason.c_str()); // records are there all the same
}

void TestCudaCounters::describesWithoutAGpu()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUDA_INIT", "100"}}); // CUDA_ERROR_NO_DEVICE
    const auto counters = described();
    QVERIFY(counters && !counters->available);
    QVERIFY2(counters->reason.find("does not start") != std::string::npos, counters->reason.c_str());
    QVERIFY(!counters->fix.empty());
}

void TestCudaCounters::refusedSamplesSayWhy()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUPTI_REFUSE", "cuptiPCSamplingEnable=35"}});
    const SampleParams sample{params("gelu", {3, 257}, "cuda", "gelu/resident"), 2, {}};
    const auto error = WorkerClient::errorOf(m_client->call(method::sample, sample));
    QCOMPARE(error.code, error::unavailable);
    QVERIFY2(error.reason.starts_with("the driver does not let this user read hardware counters"),
             error.reason.c_str());
    QCOMPARE(counted(prepared(), {"a__inst.sum"}).kernels.size(), std::size_t{1});
}

// The made-up GPU computes no stage but the self-test's.
void TestCudaCounters::whatIsWrongIsNotSampled()
{
    startWithFakes();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const SampleParams sample{params("gelu", {3, 257}, "cuda", "gelu/resident"), 2, {}};
    for (int pass = 0; pass < 2; ++pass) { // the sampler of the first is gone
        const auto error = WorkerClient::errorOf(m_client->call(method::sample, sample));
        QCOMPARE(error.code, error::failed);
        QVERIFY2(error.reason.starts_with("its result is wrong"), error.reason.c_str());
    }
}

QTEST_GUILESS_MAIN(TestCudaCounters)
#include "tst_cudacounters.moc"
