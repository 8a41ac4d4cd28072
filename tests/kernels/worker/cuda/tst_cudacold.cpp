// SPDX-License-Identifier: GPL-3.0-or-later
// A cold cache in the GPU worker: which copies the calls use, how many there are, and that each of them is checked.
#include "cudaworkerfixture.h"

using namespace stagecraft::protocol;
using cudaworker::handleOnly;
using cudaworker::params;

namespace {

// Of the made-up GPU: twice this is 2000 bytes. A gelu of 3 × 5 has 140 bytes, so 15 copies exceed it.
constexpr auto l2Bytes = "1000";

PrepareParams cold(PrepareParams prepare)
{
    prepare.cache = "cold";
    return prepare;
}

std::string stageText(const std::string &more = {})
{
    return R"(/* stage {"title": "t", "status": "retained", "launches": [
              {"entry": "mine", "block": 32, "grid": [{"cover": "rows"}]}])" +
           more + R"(} */
#include "stagecraft.cuh"
extern "C" __global__ void mine(STAGE_ARGS) { out[threadIdx.x] = a[threadIdx.x]; }
)";
}

} // namespace

class TestCudaCold : public cudaworker::Fixture
{
    Q_OBJECT

private slots:
    void consecutiveCallsUseConsecutiveCopies_data();
    void consecutiveCallsUseConsecutiveCopies();
    void aStageIsCompiledOnceAndLaunchedOnEveryCopy();
    void betweenTheEventsStandsTheCallAlone();
    void everyCopyIsChecked();
    void algorithmsAreSearchedOnce();
    void everyCopyIsPreprocessed();
    void largeDimsHaveTwoCopies();
    void limitsAreNamed_data();
    void limitsAreNamed();
    void unknownWordsAreInvalid();
    void everythingIsReleased();

private:
    void startCold(cudaworker::Environment more = {})
    {
        qputenv("STAGECRAFT_FAKE_CUDA_ARRAYS", "1"); // the worker inherits these
        qputenv("STAGECRAFT_FAKE_CUDA_L2", l2Bytes);
        startLogged(more);
        qunsetenv("STAGECRAFT_FAKE_CUDA_ARRAYS");
        qunsetenv("STAGECRAFT_FAKE_CUDA_L2");
    }

    // The arrays that the calls since the last clearLog() used, in order.
    QStringList arrays() const { return log().filter(QRegularExpression("^arrays ")); }

    void call(std::int64_t handle, int warmup, int iterations)
    {
        MeasureParams measure;
        measure.handle = handle;
        measure.warmup = warmup;
        measure.iterations = iterations;
        QCOMPARE(m_client->get<MeasureResult>(method::measure, measure).count, iterations);
    }

    void record(std::int64_t handle, int warmup, int iterations)
    {
        CaptureParams capture;
        capture.handle = handle;
        capture.warmup = warmup;
        capture.iterations = iterations;
        m_client->get<CaptureResult>(method::capture, capture);
    }
};

// Call i uses copy i mod copies, whatever the calls are for.
static void compareRotation(const QStringList &used, qsizetype copies)
{
    QCOMPARE(QSet<QString>(used.begin(), used.begin() + copies).size(), copies);
    for (qsizetype i = copies; i < used.size(); ++i)
        QCOMPARE(used[i], used[i - copies]);
}

void TestCudaCold::consecutiveCallsUseConsecutiveCopies_data()
{
    QTest::addColumn<QString>("implementation");
    QTest::addColumn<QString>("operation");
    QTest::addColumn<std::vector<std::int64_t>>("dims");
    QTest::addColumn<int>("copies");
    using Dims = std::vector<std::int64_t>;
    // (12 + 20 + 15) · 4 = 188 bytes, and 10 copies are 1880.
    QTest::newRow("cublas matmul") << "cublas"
                                   << "matmul" << Dims{3, 5, 4} << 11;
    QTest::newRow("cublaslt matmul") << "cublaslt"
                                     << "matmul" << Dims{3, 5, 4} << 11;
    // 3 · 16 · 4 = 192 bytes
    QTest::newRow("cublas triangle") << "cublas"
                                     << "triangle" << Dims{4, 1} << 11;
    // (10 + 5 + 6 + 5 + 10) · 4 = 144 bytes; no row has more entries than there are columns
    QTest::newRow("cusparse neighbor") << "cusparse"
                                       << "neighbor" << Dims{5, 2, 5} << 14;
    QTest::newRow("cuda gelu") << "cuda"
                               << "gelu" << Dims{3, 5} << 15;
}

void TestCudaCold::consecutiveCallsUseConsecutiveCopies()
{
    QFETCH(QString, implementation);
    QFETCH(QString, operation);
    QFETCH(std::vector<std::int64_t>, dims);
    QFETCH(int, copies);
    startCold();
    if (implementation == "cuda" && !hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto warm = params(operation.toUtf8().constData(), dims, implementation.toUtf8().constData());
    const auto handle = m_client->get<PrepareResult>(method::prepare, warm).handle;
    clearLog();
    call(handle, 2, 3);
    QStringList alike = arrays();
    QCOMPARE(alike.removeDuplicates(), qsizetype{4}); // five calls, one set of arrays

    const auto prepared = m_client->get<PrepareResult>(method::prepare, cold(warm));
    const QString note = QString("cold: %1 copies of ").arg(copies);
    QVERIFY2(QString::fromStdString(prepared.note).contains(note), prepared.note.c_str());
    QVERIFY2(QString::fromStdString(prepared.note).endsWith("rotate through an L2 of 1000 bytes"),
             prepared.note.c_str());
    clearLog();
    call(prepared.handle, 4, copies);
    record(prepared.handle, 3, 5);
    m_client->get<CheckResult>(method::check, handleOnly(prepared.handle));
    call(prepared.handle, 0, 2);
    const QStringList used = arrays();
    QCOMPARE(used.size(), 4 + copies + 3 + 5 + copies + 2);
    compareRotation(used, copies);
}

void TestCudaCold::aStageIsCompiledOnceAndLaunchedOnEveryCopy()
{
    startCold();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    clearLog();
    m_client->get<PrepareResult>(method::prepare,
                                 cold(params("gelu", {3, 5}, "cuda", "gelu/mine", stageText(R"(, "scratch": 16)"))));
    QCOMPARE(log().filter("cuModuleLoadData").size(), qsizetype{1});
    QVERIFY(arrays().isEmpty());
}

void TestCudaCold::betweenTheEventsStandsTheCallAlone()
{
    startCold();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto handle =
        m_client->get<PrepareResult>(method::prepare, cold(params("gelu", {3, 5}, "cuda", "gelu/mine", stageText())))
            .handle;
    clearLog();
    call(handle, 0, 2);
    const QStringList timed{"cuEventRecord", "launch mine", "cuEventRecord"};
    QCOMPARE(without(log(), "^arrays "), timed + timed);
}

// The made-up cuBLAS leaves one of its calls out: the fifth copy's transposition of the result.
void TestCudaCold::everyCopyIsChecked()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUDA_L2", l2Bytes}, {"STAGECRAFT_FAKE_CUBLAS_SKIPPED_GEAMS", ",15,"}});
    const auto handle =
        m_client->get<PrepareResult>(method::prepare, cold(params("triangle", {3, 2}, "cublas"))).handle;
    const auto first = m_client->get<CheckResult>(method::check, handleOnly(handle));
    QVERIFY(!first.passed);
    QCOMPARE(first.checkedElements, 18);
    QCOMPARE(first.badElements, 18);
    QVERIFY(!first.firstBadValue); // poisoned
    QVERIFY(m_client->get<CheckResult>(method::check, handleOnly(handle)).passed);
}

void TestCudaCold::algorithmsAreSearchedOnce()
{
    startCold({{"STAGECRAFT_FAKE_CUBLASLT", "30,10,20"}});
    const auto prepared = m_client->get<PrepareResult>(method::prepare, cold(params("matmul", {3, 5, 4}, "cublaslt")));
    QCOMPARE(log().filter("Heuristic").size(), qsizetype{1});
    compareRotation(arrays(), 11); // the search is as cold as what is measured
    clearLog();
    QVERIFY(m_client->get<CheckResult>(method::check, handleOnly(prepared.handle)).passed);
    QCOMPARE(without(log(), "^arrays "), QStringList(11, "launch fake_lt_2"));
}

// Their descriptions and buffers are their own; the made-up cuSPARSE refuses others.
void TestCudaCold::everyCopyIsPreprocessed()
{
    startCold();
    const auto prepared =
        m_client->get<PrepareResult>(method::prepare, cold(params("neighbor", {5, 2, 5}, "cusparse")));
    QCOMPARE(log().filter("preprocess CSR 6").size(), qsizetype{14});
    clearLog();
    QVERIFY(m_client->get<CheckResult>(method::check, handleOnly(prepared.handle)).passed);
    QVERIFY(log().filter("preprocess").isEmpty());
}

// Of more than twice the L2 each: the next call must not find what the last one wrote.
void TestCudaCold::largeDimsHaveTwoCopies()
{
    startCold();
    const auto prepared = m_client->get<PrepareResult>(method::prepare, cold(params("matmul", {20, 20, 20}, "cublas")));
    QVERIFY2(prepared.note.ends_with("cold: 2 copies of 4800 bytes rotate through an L2 of 1000 bytes"),
             prepared.note.c_str());
    call(prepared.handle, 0, 4);
    compareRotation(arrays(), 2);
}

void TestCudaCold::limitsAreNamed_data()
{
    QTest::addColumn<QByteArray>("l2");
    QTest::addColumn<QByteArray>("free");
    QTest::addColumn<QString>("said");
    QTest::newRow("no size of the L2") << QByteArray("0") << QByteArray("0")
                                       << "cold: the system does not say how large the L2 is";
    QTest::newRow("tiny dims") << QByteArray("62914560") << QByteArray("0")
                               << "cold: the inputs and the output are 188 bytes, so 669304 copies would exceed twice "
                                  "the L2 of 62.9 MB; at most 1024 are made";
    QTest::newRow("memory is short")
        << QByteArray("1000") << QByteArray("2000")
        << "cold: 11 copies of 188 bytes do not fit into the 2000 bytes of GPU memory that "
           "are free";
}

void TestCudaCold::limitsAreNamed()
{
    QFETCH(QByteArray, l2);
    QFETCH(QByteArray, free);
    QFETCH(QString, said);
    startWithFakes({{"STAGECRAFT_FAKE_CUDA_L2", l2.constData()}, {"STAGECRAFT_FAKE_CUDA_FREE", free.constData()}});
    const auto refused =
        WorkerClient::errorOf(m_client->call(method::prepare, cold(params("matmul", {3, 5, 4}, "cublas"))));
    QCOMPARE(refused.code, error::unavailable);
    QCOMPARE(QString::fromStdString(refused.reason), said);
    QVERIFY2(refused.fix.find("--cache warm") != std::string::npos, refused.fix.c_str());
    m_client->prepare("matmul", {3, 5, 4}, "cublas"); // and warm goes on
}

void TestCudaCold::unknownWordsAreInvalid()
{
    startWithFakes();
    auto prepare = params("matmul", {3, 5, 4}, "cublas");
    prepare.cache = "lukewarm";
    const auto cache = WorkerClient::errorOf(m_client->call(method::prepare, prepare));
    QCOMPARE(cache.code, error::invalid);
    QCOMPARE(cache.reason, std::string("cache: there is no \"lukewarm\""));
    QVERIFY(!cache.fix.empty());
    prepare.cache = "warm";
    prepare.arithmetic = "tf32";
    const auto arithmetic = WorkerClient::errorOf(m_client->call(method::prepare, prepare));
    QCOMPARE(arithmetic.code, error::invalid);
    QCOMPARE(arithmetic.reason, std::string("arithmetic: there is no \"tf32\""));
    prepare.arithmetic = "fp32";
    QCOMPARE(m_client->get<PrepareResult>(method::prepare, prepare).arithmetic, std::string("fp32"));
}

void TestCudaCold::everythingIsReleased()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUDA_L2", l2Bytes}});
    for (const auto &[operation, dims, implementation] :
         {std::tuple{"triangle", std::vector<std::int64_t>{3, 2}, "cublas"},
          {"matmul", {3, 5, 4}, "cublaslt"},
          {"neighbor", {5, 2, 5}, "cusparse"}}) {
        const auto prepare = cold(params(operation, dims, implementation));
        m_client->get<PrepareResult>(method::prepare, prepare); // left to the worker's end
        const auto handle = m_client->get<PrepareResult>(method::prepare, prepare).handle;
        m_client->call(method::release, handleOnly(handle));
    }
    m_client->call(method::shutdown);
    QVERIFY(m_client->waitForEnd());
    QCOMPARE(m_client->process().readAllStandardError(), QByteArray("fake libcuda: 0 objects live at release\n"));
}

QTEST_GUILESS_MAIN(TestCudaCold)
#include "tst_cudacold.moc"
