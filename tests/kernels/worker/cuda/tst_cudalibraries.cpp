// SPDX-License-Identifier: GPL-3.0-or-later
// NVIDIA's libraries as implementations: what is asked of them, which algorithm is chosen, and that the layouts are
// right, since the made-up ones really compute.
#include "cudaworkerfixture.h"

using namespace stagecraft::protocol;
using cudaworker::handleOnly;
using cudaworker::library;
using cudaworker::params;

class TestCudaLibraries : public cudaworker::Fixture
{
    Q_OBJECT

private slots:
    void computesRowMajor_data();
    void computesRowMajor();
    void trianglesLayoutChangesAreCalls();
    void oneChannelNeedsNoLayoutChange();
    void scratchIsPoisoned();
    void layoutChangesAreRecorded();
    void heuristicIsAskedOnce();
    void fastestAlgorithmIsChosen_data();
    void fastestAlgorithmIsChosen();
    void noAlgorithmIsUnavailable_data();
    void noAlgorithmIsUnavailable();
    void spmmIsPreprocessedOnce();
    void fastestSpmmIsChosen_data();
    void fastestSpmmIsChosen();
    void aNanIsAResultAndNoLackOfOne();
    void noEdgesAreUnavailableWhereNotComputed_data();
    void noEdgesAreUnavailableWhereNotComputed();
    void aLibraryThatIsTooOldIsItsOwnLack();
    void rowsThatAreTooLongAreUnavailable();
    void cusparseOfTheOtherCuda();
    void everythingIsReleased();
};

void TestCudaLibraries::computesRowMajor_data()
{
    QTest::addColumn<QString>("implementation");
    QTest::addColumn<QString>("operation");
    QTest::addColumn<std::vector<std::int64_t>>("dims");
    const auto row = [](const char *implementation, const char *operation, const std::vector<std::int64_t> &dims) {
        std::string name = std::string(implementation) + " " + operation;
        for (const std::int64_t dim : dims)
            name += " " + std::to_string(dim);
        QTest::newRow(name.c_str()) << QString(implementation) << QString(operation) << dims;
    };
    for (const char *implementation : {"cublas", "cublaslt"}) {
        row(implementation, "matmul", {17, 19, 23});
        row(implementation, "matmul", {1, 1, 1});
        row(implementation, "matmul", {1, 33, 65});
        row(implementation, "matmul", {33, 1, 7});
    }
    for (const auto &dims : {std::vector<std::int64_t>{1, 1}, {7, 5}, {1, 64}, {33, 1}, {16, 33}, {5, 7}})
        row("cublas", "triangle", dims);
    for (const auto &dims : {std::vector<std::int64_t>{1, 1, 1}, {7, 9, 0}, {7, 9, 23}, {60, 64, 100}, {300, 1, 17}})
        row("cusparse", "neighbor", dims);
}

void TestCudaLibraries::computesRowMajor()
{
    QFETCH(QString, implementation);
    QFETCH(QString, operation);
    QFETCH(std::vector<std::int64_t>, dims);
    startWithFakes();
    const auto prepared = m_client->get<PrepareResult>(
        method::prepare, params(operation.toUtf8().constData(), dims, implementation.toUtf8().constData()));
    QCOMPARE(prepared.arithmetic, std::string("fp32"));
    QCOMPARE(prepared.timingSource, std::string("event"));
    QVERIFY(prepared.launches.empty() && prepared.stage.empty());
    const auto check = m_client->get<CheckResult>(method::check, handleOnly(prepared.handle));
    QVERIFY2(check.passed, qPrintable(QString("%1 of %2").arg(check.badElements).arg(check.checkedElements)));
}

void TestCudaLibraries::trianglesLayoutChangesAreCalls()
{
    startLogged();
    const auto prepared = m_client->get<PrepareResult>(method::prepare, params("triangle", {7, 5}, "cublas"));
    QVERIFY2(prepared.note.find("without TF32, workspace 32 MiB; 4 calls: cublasSgeam of a and of b to channel-major, "
                                "cublasSgemmStridedBatched over the channels, cublasSgeam back; scratch 2940 bytes") !=
                 std::string::npos,
             prepared.note.c_str());
    QCOMPARE(log(), QStringList{"cublasSetWorkspace 33554432"}); // preparing computes nothing
    clearLog();
    QVERIFY(m_client->get<CheckResult>(method::check, handleOnly(prepared.handle)).passed);
    const QStringList calls{"cublasSgeam T N 49 5 5 49 49", "cublasSgeam T N 49 5 5 49 49",
                            "cublasSgemmStridedBatched T N 7 7 7 7 49 7 49 7 49 5", "cublasSgeam T N 5 49 49 5 5"};
    QCOMPARE(without(log(), "^launch"), calls);
}

void TestCudaLibraries::oneChannelNeedsNoLayoutChange()
{
    startLogged();
    const auto prepared = m_client->get<PrepareResult>(method::prepare, params("triangle", {7, 1}, "cublas"));
    QVERIFY2(prepared.note.find("1 call: cublasSgemmStridedBatched") != std::string::npos, prepared.note.c_str());
    clearLog();
    QVERIFY(m_client->get<CheckResult>(method::check, handleOnly(prepared.handle)).passed);
    QCOMPARE(without(log(), "^launch"), QStringList{"cublasSgemmStridedBatched T N 7 7 7 7 49 7 49 7 49 1"});
}

// The second time the inputs' layout changes are left out: what the scratch held before would give the right result.
void TestCudaLibraries::scratchIsPoisoned()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUBLAS_SKIPPED_GEAMS", ",4,5,"}});
    const auto handle = m_client->prepare("triangle", {7, 5}, "cublas");
    QVERIFY(m_client->get<CheckResult>(method::check, handleOnly(handle)).passed);
    const auto check = m_client->get<CheckResult>(method::check, handleOnly(handle));
    QVERIFY(!check.passed);
    QCOMPARE(check.badElements, check.checkedElements);
    QVERIFY(!check.maxAbsError);
}

void TestCudaLibraries::layoutChangesAreRecorded()
{
    startWithFakes();
    CaptureParams capture;
    capture.handle = m_client->prepare("triangle", {3, 2}, "cublas");
    capture.warmup = 2;
    capture.iterations = 3;
    const auto records = m_client->get<CaptureResult>(method::capture, capture).records;
    QCOMPARE(records.size(), std::size_t{12});
    const char *names[]{"fake_sgeam", "fake_sgeam", "fake_sgemm_batched", "fake_sgeam"};
    for (std::size_t i = 0; i < records.size(); ++i) {
        QCOMPARE(records[i].kernelName, std::string(names[i % 4]));
        QCOMPARE(records[i].iteration, static_cast<int>(i / 4));
    }
}

void TestCudaLibraries::heuristicIsAskedOnce()
{
    startLogged({{"STAGECRAFT_FAKE_CUBLASLT", "30,10,20"}});
    const auto handle = m_client->prepare("matmul", {3, 4, 5}, "cublaslt");
    // bᵀ (4 × 5) times aᵀ (5 × 3) in column-major, with 32 MiB, at most 32 algorithms.
    QCOMPARE(log().filter("Heuristic"), QStringList{"cublasLtMatmulAlgoGetHeuristic 4 5 5 3 33554432 32"});
    clearLog();
    MeasureParams measure;
    measure.handle = handle;
    measure.warmup = 1;
    measure.iterations = 4;
    m_client->get<MeasureResult>(method::measure, measure);
    QVERIFY(m_client->waitForSamples(4));
    QVERIFY2(std::abs(m_client->samples().front() - 10) < 1e-4, qPrintable(QString::number(m_client->samples()[0])));
    QCOMPARE(without(log(), "^cuEvent"), QStringList(5, "launch fake_lt_2")); // the chosen one and nothing else
}

void TestCudaLibraries::fastestAlgorithmIsChosen_data()
{
    QTest::addColumn<QByteArray>("algorithms");
    QTest::addColumn<QString>("launched");
    QTest::addColumn<QString>("note");
    QTest::newRow("the only one") << QByteArray("12.5") << "fake_lt_1"
                                  << "named 1 algorithms (at most 32 were asked for), 1 ran and were timed before the "
                                     "spans, fastest was number 1 with a workspace of 1024 bytes (at most 32 MiB)";
    QTest::newRow("the last") << QByteArray("30,20,10") << "fake_lt_3"
                              << "3 ran and were timed before the spans, fastest was number 3 with a workspace of 3072";
    QTest::newRow("a tie goes to the rank") << QByteArray("30,10.1,10,10.15") << "fake_lt_2"
                                            << "fastest was number 2";
    QTest::newRow("no tie") << QByteArray("10.3,10") << "fake_lt_2"
                            << "fastest was number 2";
    QTest::newRow("failures are passed over") << QByteArray("fails,greedy,20,refused,10,fails") << "fake_lt_5"
                                              << "named 6 algorithms (at most 32 were asked "
                                                 "for), 2 ran and were timed before the spans, fastest was number 5";
    QTest::newRow("hopeless ones") << QByteArray("1000,1000,10,15") << "fake_lt_3"
                                   << "4 ran";
    QTest::newRow("more than are asked for") << QByteArray("30,").repeated(33) + "1"
                                             << "fake_lt_1"
                                             << "named 32 algorithms";
}

void TestCudaLibraries::fastestAlgorithmIsChosen()
{
    QFETCH(QByteArray, algorithms);
    QFETCH(QString, launched);
    QFETCH(QString, note);
    startLogged({{"STAGECRAFT_FAKE_CUBLASLT", algorithms.constData()}});
    const auto prepared = m_client->get<PrepareResult>(method::prepare, params("matmul", {5, 3, 4}, "cublaslt"));
    QVERIFY2(QString::fromStdString(prepared.note).contains(note), prepared.note.c_str());
    QVERIFY2(prepared.note.starts_with("cuBLASLt 8.9.10, FP32 without TF32; "), prepared.note.c_str());
    clearLog();
    QVERIFY(m_client->get<CheckResult>(method::check, handleOnly(prepared.handle)).passed);
    QCOMPARE(log(), QStringList{"launch " + launched});
}

void TestCudaLibraries::noAlgorithmIsUnavailable_data()
{
    QTest::addColumn<QByteArray>("algorithms");
    QTest::addColumn<QString>("said");
    QTest::newRow("none") << QByteArray("none") << "heuristic names no algorithm for these dims";
    QTest::newRow("none that runs") << QByteArray("fails,greedy")
                                    << "cuBLASLt's algorithm 1: CUBLAS_STATUS_NOT_SUPPORTED (in cublasLtMatmul)";
    QTest::newRow("none with little enough")
        << QByteArray("greedy") << "cuBLASLt's algorithm 1: it wants a workspace of 33554433 bytes";
}

void TestCudaLibraries::noAlgorithmIsUnavailable()
{
    QFETCH(QByteArray, algorithms);
    QFETCH(QString, said);
    startWithFakes({{"STAGECRAFT_FAKE_CUBLASLT", algorithms.constData()}});
    const auto refused =
        WorkerClient::errorOf(m_client->call(method::prepare, params("matmul", {5, 3, 4}, "cublaslt")));
    QCOMPARE(refused.code, error::unavailable);
    QVERIFY2(QString::fromStdString(refused.reason).contains(said), refused.reason.c_str());
    QVERIFY(!refused.fix.empty());
    m_client->prepare("matmul", {5, 3, 4}, "cublas"); // and lives on
}

void TestCudaLibraries::spmmIsPreprocessedOnce()
{
    startLogged();
    const auto prepared = m_client->get<PrepareResult>(method::prepare, params("neighbor", {7, 9, 23}, "cusparse"));
    QCOMPARE(log().filter("preprocess"), (QStringList{"cusparseSpMM_preprocess CSR 6", "cusparseSpMM_preprocess CSR 4",
                                                      "cusparseSpMM_preprocess CSR 12"}));
    clearLog();
    MeasureParams measure;
    measure.handle = prepared.handle;
    measure.iterations = 2;
    QVERIFY(m_client->get<CheckResult>(method::check, handleOnly(prepared.handle)).passed);
    m_client->get<MeasureResult>(method::measure, measure);
    const QStringList call{"cusparseSpMM CSR 6", "launch fake_spmm"};
    QCOMPARE(without(log(), "^cuEvent"), call + call + call);
}

void TestCudaLibraries::fastestSpmmIsChosen_data()
{
    QTest::addColumn<QByteArray>("algorithms"); // CSR_ALG2, CSR_ALG1, CSR_ALG3
    QTest::addColumn<QString>("note");
    QTest::newRow("for row-major") << QByteArray("10,20,30")
                                   << "SpMM by CSR_ALG2, the fastest of 3 that "
                                      "ran of 3 algorithms, timed before the spans; buffer 600 bytes, preprocessed "
                                      "before the spans";
    QTest::newRow("the older") << QByteArray("20,10,30") << "SpMM by CSR_ALG1, ";
    QTest::newRow("the third") << QByteArray("30,20,10") << "SpMM by CSR_ALG3, ";
    QTest::newRow("a tie") << QByteArray("10.1,10,10") << "CSR_ALG2";
    QTest::newRow("one that runs") << QByteArray("fails,20,fails")
                                   << "SpMM by CSR_ALG1, the fastest of 1 that ran of 3";
}

void TestCudaLibraries::fastestSpmmIsChosen()
{
    QFETCH(QByteArray, algorithms);
    QFETCH(QString, note);
    startWithFakes({{"STAGECRAFT_FAKE_CUSPARSE", algorithms.constData()}});
    const auto prepared = m_client->get<PrepareResult>(method::prepare, params("neighbor", {7, 9, 23}, "cusparse"));
    QVERIFY2(QString::fromStdString(prepared.note).contains(note), prepared.note.c_str());
    QVERIFY2(prepared.note.starts_with("cuSPARSE 12.6.3, FP32, "), prepared.note.c_str());
    QVERIFY(m_client->get<CheckResult>(method::check, handleOnly(prepared.handle)).passed);
}

// The check is for that to say.
void TestCudaLibraries::aNanIsAResultAndNoLackOfOne()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUSPARSE_RESULT", "nan"}});
    const auto handle = m_client->prepare("neighbor", {7, 9, 23}, "cusparse");
    const auto checked = m_client->get<CheckResult>(method::check, handleOnly(handle));
    QVERIFY(!checked.passed);
    QCOMPARE(checked.badElements, 7 * 9);
}

void TestCudaLibraries::noEdgesAreUnavailableWhereNotComputed_data()
{
    QTest::addColumn<QByteArray>("empty");
    QTest::addColumn<QString>("said");
    QTest::newRow("refused") << QByteArray("refused") << "(in cusparseCreateConstCsr)";
    QTest::newRow("unwritten") << QByteArray("unwritten")
                               << "cuSPARSE's CSR_ALG2: it leaves elements of the result unwritten";
}

void TestCudaLibraries::noEdgesAreUnavailableWhereNotComputed()
{
    QFETCH(QByteArray, empty);
    QFETCH(QString, said);
    startWithFakes({{"STAGECRAFT_FAKE_CUSPARSE_EMPTY", empty.constData()}});
    const auto refused =
        WorkerClient::errorOf(m_client->call(method::prepare, params("neighbor", {7, 9, 0}, "cusparse")));
    QCOMPARE(refused.code, error::unavailable);
    QVERIFY2(QString::fromStdString(refused.reason).contains(said), refused.reason.c_str());
    QVERIFY(!refused.fix.empty());
    m_client->prepare("neighbor", {7, 9, 1}, "cusparse"); // and lives on
}

void TestCudaLibraries::rowsThatAreTooLongAreUnavailable()
{
    startWithFakes();
    const auto refused =
        WorkerClient::errorOf(m_client->call(method::prepare, params("neighbor", {1, 64, 100}, "cusparse")));
    QCOMPARE(refused.code, error::unavailable);
    QVERIFY2(refused.reason.starts_with("a node has 100 edges and there are 1 nodes"), refused.reason.c_str());
    QVERIFY(!refused.fix.empty());
}

// A libcusparse without its functions, named before the others.
void TestCudaLibraries::aLibraryThatIsTooOldIsItsOwnLack()
{
    QVERIFY(QFile::copy(STAGECRAFT_FAKE_CUDA "/libcublas.so.13", m_folder.filePath("libcusparse.so.12")));
    const QByteArray folders = m_folder.path().toUtf8() + ":" STAGECRAFT_FAKE_CUDA;
    startWithFakes({{"STAGECRAFT_CUDA_LIBRARIES", folders.constData()}});
    const auto description = m_client->get<DescribeResult>(method::describe);
    const Library &lacking = library(description, "cuSPARSE");
    QVERIFY(!lacking.available);
    QVERIFY2(lacking.reason.find("has no cusparseGetErrorName") != std::string::npos, lacking.reason.c_str());
    for (const char *name : {"cuBLAS", "cuBLASLt"})
        QVERIFY2(library(description, name).available, name);
    for (const Implementation &one : description.implementations) {
        if (one.id != "cuda")
            QCOMPARE(one.available, one.id != "cusparse");
    }
    const auto refused =
        WorkerClient::errorOf(m_client->call(method::prepare, params("neighbor", {7, 9, 3}, "cusparse")));
    QCOMPARE(refused.code, error::unavailable);
    QCOMPARE(refused.reason, "cuSPARSE: " + lacking.reason);
    QVERIFY(m_client->get<CheckResult>(method::check, handleOnly(m_client->prepare("matmul", {2, 3, 4}, "cublaslt")))
                .passed);
}

void TestCudaLibraries::cusparseOfTheOtherCuda()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUDA_VERSION", "12080"}});
    const Library lacking = library(m_client->get<DescribeResult>(method::describe), "cuSPARSE");
    QVERIFY(!lacking.available);
    QCOMPARE(lacking.version, std::string("12.6.3"));
    QVERIFY2(lacking.reason.find("is cuSPARSE 12.6.3 of CUDA 13, and the driver serves CUDA 12.8") != std::string::npos,
             lacking.reason.c_str());
    QVERIFY2(lacking.fix.find("STAGECRAFT_CUDA_LIBRARIES") != std::string::npos, lacking.fix.c_str());
}

void TestCudaLibraries::everythingIsReleased()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUBLASLT", "20,fails,10"}});
    for (const auto &[operation, dims, implementation] :
         {std::tuple{"triangle", std::vector<std::int64_t>{3, 2}, "cublas"},
          {"matmul", {2, 3, 4}, "cublaslt"},
          {"neighbor", {7, 9, 23}, "cusparse"}}) {
        m_client->prepare(operation, dims, implementation); // left to the worker's end
        const auto handle = m_client->prepare(operation, dims, implementation);
        m_client->call(method::release, handleOnly(handle));
    }
    m_client->call(method::shutdown);
    QVERIFY(m_client->waitForEnd());
    QCOMPARE(m_client->process().readAllStandardError(), QByteArray("fake libcuda: 0 objects live at release\n"));
}

QTEST_GUILESS_MAIN(TestCudaLibraries)
#include "tst_cudalibraries.moc"
