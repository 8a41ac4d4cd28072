// SPDX-License-Identifier: GPL-3.0-or-later
#include "cudaworkerfixture.h"
#include "floorformulas.h"

using namespace stagecraft::protocol;
namespace operations = stagecraft::operations;
namespace worker = stagecraft::worker;

namespace {

// An L2 of 1 MiB: the made-up GPU's memory is this machine's.
constexpr std::pair<const char *, const char *> smallL2{"STAGECRAFT_FAKE_CUDA_L2", "1048576"};

worker::MeasuredRates rates()
{
    worker::MeasuredRates rates;
    rates.emptyKernelUs = 0.5;
    rates.ffmaTflops = 50;
    rates.ffma = "FFMA";
    rates.tf32Tflops = 400;
    rates.tf32 = "wgmma";
    rates.streamGbs = 5000;
    rates.stream = "warm copy";
    return rates;
}

std::vector<OperationFloor> floorsOf(const char *operation, const operations::Dims &dims,
                                     std::optional<double> copyUs = {}, const char *cache = "warm")
{
    return worker::operationFloors(*operations::findOperation(operation), dims, cache, rates(), copyUs);
}

bool isClose(double value, double expected)
{
    return std::abs(value - expected) <= 1e-9 * std::abs(expected);
}

} // namespace

// The benchmark on the made-up GPU, on which every kernel takes 1.5 µs, and the formulas on made-up rates.
class TestCudaFloors : public cudaworker::Fixture
{
    Q_OBJECT

private slots:
    void arithmeticDecidesLargeProducts();
    void bytesDecideSmallProducts();
    void copiesDecideRowOperations();
    void nothingIsShorterThanAnEmptyKernel();
    void withoutTensorCoresThereIsNoSplitFloor();
    void everythingIsMeasuredByRecords();
    void coldCopiesRotate();
    void coldNeedsTheSizeOfTheL2();
    void withoutRecordsThereAreNoFloors();
    void wrongWishesAreRefused();
};

// 2·1000³ operations at 50 TFLOP/s are 40 µs; three times as many at 400 are 15.
void TestCudaFloors::arithmeticDecidesLargeProducts()
{
    const auto floors = floorsOf("matmul", {1000, 1000, 1000}, 4.0);
    QCOMPARE(floors.size(), std::size_t{2});
    QCOMPARE(floors[0].arithmetic, std::string("fp32"));
    QVERIFY(isClose(floors[0].us, 40));
    QVERIFY(floors[0].what.find("FFMA") != std::string::npos);
    QCOMPARE(floors[1].arithmetic, std::string("3xtf32"));
    QVERIFY(isClose(floors[1].us, 15));
    QVERIFY(floors[1].what.find("wgmma") != std::string::npos);
    const auto triangle = floorsOf("triangle", {200, 50});
    QVERIFY(isClose(triangle[0].us, 2.0 * 200 * 200 * 200 * 50 / 50e6));
}

// a and b have 40,000 bytes each here and out 400,000,000, at 5000 GB/s.
void TestCudaFloors::bytesDecideSmallProducts()
{
    const auto floors = floorsOf("matmul", {10000, 10000, 1});
    QVERIFY(isClose(floors[0].us, 400'080'000.0 / 5e6));
    QVERIFY(floors[0].what.find("compulsory bytes") != std::string::npos);
}

void TestCudaFloors::copiesDecideRowOperations()
{
    for (const char *operation : {"gelu", "layernorm"}) {
        const auto floors = floorsOf(operation, {4096, 768}, 7.5, "cold");
        QCOMPARE(floors.size(), std::size_t{1});
        QVERIFY(floors[0].arithmetic.empty()); // of any
        QCOMPARE(floors[0].cache, std::string("cold"));
        QCOMPARE(floors[0].us, 7.5);
        QCOMPARE(floors[0].what, std::string("cold copy of the same bytes"));
    }
    const operations::Operation &gelu = *operations::findOperation("gelu");
    QCOMPARE(worker::copiedBytes(worker::compulsoryTraffic(gelu, {4096, 768})), 4096 * 768 * 4);
}

void TestCudaFloors::nothingIsShorterThanAnEmptyKernel()
{
    for (const auto &floor : floorsOf("neighbor", {4, 4, 4}))
        QCOMPARE(floor.us, 0.5);
}

void TestCudaFloors::withoutTensorCoresThereIsNoSplitFloor()
{
    worker::MeasuredRates older = rates();
    older.tf32Tflops.reset();
    const auto floors = worker::operationFloors(*operations::findOperation("matmul"), {64, 64, 64}, "warm", older, {});
    QCOMPARE(floors.size(), std::size_t{1});
    QCOMPARE(floors[0].arithmetic, std::string("fp32"));
}

void TestCudaFloors::everythingIsMeasuredByRecords()
{
    startLogged({smallL2});
    if (!m_client->get<DescribeResult>(method::describe).capture.available || !hasNvrtc())
        QSKIP("libnvrtc or the made-up libcupti is not on this machine");
    clearLog();
    const auto result = m_client->get<FloorsResult>(
        method::floors, FloorsParams{0, "", {{"gelu", {64, 64}}, {"matmul", {256, 256, 256}}}});
    QCOMPARE(result.backend, std::string("cupti"));
    QVERIFY(result.missing.empty());
    const auto value = [&](const std::string &what) {
        const auto found = std::ranges::find(result.measurements, what, &FloorMeasurement::what);
        return found == result.measurements.end() ? -1 : found->value;
    };
    QCOMPARE(value("empty kernel"), 1.5);
    QVERIFY(value("span of an empty kernel") > 0);
    QCOMPARE(value("warm copy of 16384 bytes"), 1.5);
    QVERIFY(value("FP32 multiply-add peak") > 0);
    QVERIFY(value("mma.sync m16n8k8 TF32 peak") > 0);
    QVERIFY(value("wgmma m64n64k8 TF32 peak") > 0); // the made-up GPU has compute capability 9.0
    QVERIFY(isClose(value("warm read of 2097152 bytes"), 2097152 / 1.5e3));
    QCOMPARE(result.floors.size(), std::size_t{3}); // gelu's, and matmul's in both arithmetics
    QCOMPARE(result.floors[0].us, 1.5);
    // Nothing but launches, of which the empty kernel's alone stand between events, and no profiler calls.
    QVERIFY(without(log(), "^launch floor_|^cuEventRecord$").isEmpty());
    QCOMPARE(log().count("cuEventRecord"), 2 * log().join(" ").count("cuEventRecord launch floor_empty cuEventRecord"));
    QVERIFY(log().count("launch floor_copy_quads_4") >= 25);
}

void TestCudaFloors::coldCopiesRotate()
{
    startWithFakes({smallL2});
    if (!m_client->get<DescribeResult>(method::describe).capture.available || !hasNvrtc())
        QSKIP("libnvrtc or the made-up libcupti is not on this machine");
    const auto result =
        m_client->get<FloorsResult>(method::floors, FloorsParams{0, "cold", {{"gelu", {64, 64}}, {"gelu", {1, 4}}}});
    QCOMPARE(result.floors.size(), std::size_t{2});
    QCOMPARE(result.floors[0].cache, std::string("cold"));
    // Sixteen bytes each way would take 65,537 copies: an empty kernel is what is known of them.
    QCOMPARE(result.missing.size(), std::size_t{1});
    QVERIFY2(result.missing[0].find("more than 1024 copies") != std::string::npos, result.missing[0].c_str());
}

// A stream through one copy, or as many as somebody guessed, would be no cold one.
void TestCudaFloors::coldNeedsTheSizeOfTheL2()
{
    startWithFakes({{"STAGECRAFT_FAKE_CUDA_L2", "0"}});
    if (!m_client->get<DescribeResult>(method::describe).capture.available || !hasNvrtc())
        QSKIP("libnvrtc or the made-up libcupti is not on this machine");
    const auto refused = WorkerClient::errorOf(m_client->call(method::floors, FloorsParams{0, "cold", {}}));
    QCOMPARE(refused.code, error::unavailable);
    QVERIFY2(refused.reason.find("does not say how large it is") != std::string::npos, refused.reason.c_str());
    QVERIFY2(refused.fix.find("--cache warm") != std::string::npos, refused.fix.c_str());
}

void TestCudaFloors::withoutRecordsThereAreNoFloors()
{
    startWithFakes();
    m_client->get<DescribeResult>(method::describe, DescribeParams{0, true});
    const auto refused = WorkerClient::errorOf(m_client->call(method::floors, FloorsParams{0, "", {}}));
    QCOMPARE(refused.code, error::unavailable);
    QVERIFY(!refused.reason.empty() && !refused.fix.empty());
}

void TestCudaFloors::wrongWishesAreRefused()
{
    startWithFakes();
    const auto code = [&](const FloorsParams &params) {
        return WorkerClient::errorOf(m_client->call(method::floors, params)).code;
    };
    QCOMPARE(code({0, "tepid", {}}), error::invalid);
    QCOMPARE(code({0, "", {{"sum", {1}}}}), error::invalid);
    QCOMPARE(code({0, "", {{"matmul", {1, 2}}}}), error::invalid);
}

QTEST_GUILESS_MAIN(TestCudaFloors)
#include "tst_cudafloors.moc"
