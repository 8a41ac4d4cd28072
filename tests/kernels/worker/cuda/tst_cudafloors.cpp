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
    rates.read = worker::StreamRate{4000, "warm gather"};
    rates.written = worker::StreamRate{2000, "warm write"};
    rates.moved = worker::StreamRate{5000, "warm copy"};
    return rates;
}

std::vector<OperationFloor> floorsOf(const char *operation, const operations::Dims &dims,
                                     std::optional<double> copyUs = {}, const char *cache = "warm",
                                     const worker::MeasuredRates &measured = rates())
{
    std::optional<worker::MeasuredCopy> copy;
    if (copyUs)
        copy = worker::MeasuredCopy{*copyUs, worker::copyName(100, cache, 1000)};
    return worker::operationFloors(*operations::findOperation(operation), dims, cache, measured, copy);
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
    void eachKindOfBytesHasItsRate();
    void coldOutputsMayStayInTheL2();
    void rowsWithoutEdgesAreNotRead();
    void copiesSayWhatTheyAre();
    void copiesDecideRowOperations();
    void nothingIsShorterThanAnEmptyKernel();
    void withoutTensorCoresThereIsNoSplitFloor();
    void everythingIsMeasuredByRecords();
    void coldCopiesRotate();
    void shortMemoryCostsOnlyWhatNeedsIt();
    void coldNeedsTheSizeOfTheL2();
    void withoutRecordsThereAreNoFloors();
    void wrongWishesAreRefused();
};

// 2·1000³ operations at 50 TFLOP/s are 40 µs; three times as many at 400 are 15.
void TestCudaFloors::arithmeticDecidesLargeProducts()
{
    const auto floors = floorsOf("matmul", {1000, 1000, 1000}, 4.0);
    QCOMPARE(floors.size(), std::size_t{3});
    QCOMPARE(floors[0].arithmetic, std::string("fp32"));
    QVERIFY(isClose(floors[0].us, 40));
    QVERIFY(floors[0].what.find("FFMA") != std::string::npos);
    QCOMPARE(floors[1].arithmetic, std::string("3xtf32"));
    QVERIFY(isClose(floors[1].us, 15));
    QVERIFY(floors[1].what.find("wgmma") != std::string::npos);
    QVERIFY(floors[2].arithmetic.empty()); // of TF32 or BF16 too
    QVERIFY(isClose(floors[2].us, 4));
    const auto triangle = floorsOf("triangle", {200, 50});
    QVERIFY(isClose(triangle[0].us, 2.0 * 200 * 200 * 200 * 50 / 50e6));
}

// a and b have 40,000 bytes each here and out 400,000,000, written at 2000 GB/s.
void TestCudaFloors::bytesDecideSmallProducts()
{
    const auto floors = floorsOf("matmul", {10000, 10000, 1});
    QVERIFY(isClose(floors[0].us, 400'000'000.0 / 2e6));
    QCOMPARE(floors[0].what, std::string("compulsory bytes written ÷ the rate of the fastest warm write"));
}

// Twice 16,000,000 bytes are read and 16,000 written: reading decides, as moving all of it could be faster.
void TestCudaFloors::eachKindOfBytesHasItsRate()
{
    const auto read = floorsOf("neighbor", {4, 1000, 4'000'000});
    QVERIFY(isClose(read[0].us, (2 * 16'000'000.0 + 4 * 4000 + 20) / 4e6));
    QCOMPARE(read[0].what, std::string("compulsory bytes read ÷ the rate of the fastest warm gather"));
    worker::MeasuredRates slow = rates();
    slow.moved->gbs = 1000;
    const auto moved = floorsOf("gelu", {1000, 1000}, {}, "warm", slow);
    QVERIFY(isClose(moved[0].us, 8'004'000 / 1e6));
    QCOMPARE(moved[0].what, std::string("all compulsory bytes ÷ the rate of the fastest warm copy"));
    worker::MeasuredRates unknown = rates();
    unknown.read.reset();
    unknown.written.reset();
    unknown.moved.reset();
    QCOMPARE(floorsOf("gelu", {1000, 1000}, {}, "warm", unknown)[0].what, std::string("an empty kernel"));
}

// What a cold kernel writes last can still be in the L2 when it ends, at whatever rate memory would take it.
void TestCudaFloors::coldOutputsMayStayInTheL2()
{
    // a and out have 4,000,000 bytes each, b 4,000.
    worker::MeasuredRates cold = rates();
    cold.keptBytes = 3'000'000;
    const auto decidedByReads = floorsOf("gelu", {1000, 1000}, {}, "cold", cold);
    QVERIFY(isClose(decidedByReads[0].us, 4'004'000 / 4e6));
    cold.keptBytes = 1'000'000;
    const auto decidedByWrites = floorsOf("gelu", {1000, 1000}, {}, "cold", cold);
    QVERIFY(isClose(decidedByWrites[0].us, 3'000'000 / 2e6));
    QVERIFY(decidedByWrites[0].what.find("what the L2 can keep") != std::string::npos);
    cold.keptBytes = 9'000'000; // more than there is
    QVERIFY(isClose(floorsOf("gelu", {1000, 1000}, {}, "cold", cold)[0].us, 4'004'000 / 4e6));
}

// Nodes whose row no edge can name are not read.
void TestCudaFloors::rowsWithoutEdgesAreNotRead()
{
    const operations::Operation &neighbor = *operations::findOperation("neighbor");
    const auto read = [&](std::int64_t edges) { return worker::compulsoryTraffic(neighbor, {1000, 64, edges}).read; };
    QCOMPARE(read(0), 1001 * 4);
    QCOMPARE(read(10), 1001 * 4 + 10 * (64 + 2) * 4);
    QCOMPARE(read(1000), 1001 * 4 + 1000 * (64 + 2) * 4);
    QCOMPARE(read(5000), 1001 * 4 + 1000 * 64 * 4 + 5000 * 2 * 4);
    QCOMPARE(worker::compulsoryTraffic(neighbor, {1000, 64, 0}).written, 1000 * 64 * 4);
}

void TestCudaFloors::copiesSayWhatTheyAre()
{
    QCOMPARE(worker::copyName(500, "warm", 1000), std::string("L2-warm copy of 500 bytes"));
    QCOMPARE(worker::copyName(501, "warm", 1000), std::string("warm copy of 501 bytes"));
    QCOMPARE(worker::copyName(500, "warm", 0), std::string("warm copy of 500 bytes")); // the L2's size is not known
    QCOMPARE(worker::copyName(500, "cold", 1000), std::string("cold copy of 500 bytes"));
}

void TestCudaFloors::copiesDecideRowOperations()
{
    for (const char *operation : {"gelu", "layernorm"}) {
        const auto floors = floorsOf(operation, {4096, 768}, 7.5, "cold");
        QCOMPARE(floors.size(), std::size_t{1});
        QVERIFY(floors[0].arithmetic.empty()); // of any
        QCOMPARE(floors[0].cache, std::string("cold"));
        QCOMPARE(floors[0].us, 7.5);
        QCOMPARE(floors[0].what, std::string("cold copy of 100 bytes"));
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
    QCOMPARE(floors.size(), std::size_t{2});
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
    QCOMPARE(value("L2-warm copy of 16384 bytes"), 1.5);
    const auto highest = [&](std::initializer_list<const char *> variants) {
        double most = 0;
        for (const char *variant : variants)
            most = std::max(most, value(std::string("peak of ") + variant));
        return most;
    };
    QVERIFY(value("FP32 multiply-add peak") > 0);
    QCOMPARE(value("FP32 multiply-add peak"), highest({"FFMA, blocks of 256", "FFMA, blocks of 1024"}));
    QVERIFY(value("peak of mma.sync m16n8k8 TF32, blocks of 128") > 0);
    QVERIFY(value("peak of wgmma m64n64k8 TF32, blocks of 512") > 0); // the made-up GPU has compute capability 9.0
    QCOMPARE(value("TF32 peak"),
             highest({"mma.sync m16n8k8 TF32, blocks of 128", "mma.sync m16n8k8 TF32, blocks of 256",
                      "wgmma m64n64k8 TF32, blocks of 512", "wgmma m64n128k8 TF32, blocks of 512"}));
    QVERIFY(isClose(value("warm gather of 16777216 bytes"), 16777216 / 1.5e3)); // a power of two, of 20971520
    QVERIFY(isClose(value("warm read of 2097152 bytes"), 2097152 / 1.5e3));
    QCOMPARE(result.floors.size(), std::size_t{4}); // gelu's, and matmul's in both arithmetics and in any
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

void TestCudaFloors::shortMemoryCostsOnlyWhatNeedsIt()
{
    startWithFakes({smallL2, {"STAGECRAFT_FAKE_CUDA_FREE", "8000000"}});
    if (!m_client->get<DescribeResult>(method::describe).capture.available || !hasNvrtc())
        QSKIP("libnvrtc or the made-up libcupti is not on this machine");
    const auto result =
        m_client->get<FloorsResult>(method::floors, FloorsParams{0, "", {{"gelu", {64, 64}}, {"gelu", {1024, 1024}}}});
    QCOMPARE(result.floors.size(), std::size_t{2});
    QCOMPARE(result.missing.size(), std::size_t{2}); // streams of four times the L2, and the larger copy
    QCOMPARE(result.missing[0],
             std::string("The warm streams of 20971520 bytes could not be measured: this takes 41943040 "
                         "bytes of GPU memory, and 8000000 are free."));
    QVERIFY2(result.missing[1].starts_with("The warm copy of 4194304 bytes"), result.missing[1].c_str());
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
