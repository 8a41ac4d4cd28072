// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <algorithm>
#include <vector>

// What the microbenchmark's source needs of CUDA, on one thread of the host: the formula under test is the one that
// NVRTC compiles.
namespace {

struct float4
{
    float x, y, z, w;
};

struct Index
{
    unsigned x;
} threadIdx, blockIdx;

} // namespace

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define __CUDA_ARCH__ 0
#include "gathers.cu"

// A rate of bytes is one only if each of them is read.
class TestGatherPlaces : public QObject
{
    Q_OBJECT

private slots:
    void everyRunIsReadOnce();
    void theKernelReadsEveryQuadOnce();
    void neighboursLieApart();
};

void TestGatherPlaces::everyRunIsReadOnce()
{
    for (unsigned runs = 1; runs <= 1u << 22; runs *= 2) {
        std::vector<bool> seen(runs);
        for (unsigned number = 0; number < runs; ++number)
            seen[place(number, runs)] = true;
        QVERIFY2(std::ranges::count(seen, true) == runs, qPrintable(QString::number(runs)));
    }
}

void TestGatherPlaces::theKernelReadsEveryQuadOnce()
{
    constexpr unsigned runs = 1024;
    std::vector<int> reads(runs * 16);
    for (unsigned lane = 0; lane < 16; ++lane) {
        threadIdx.x = lane;
        for (unsigned number = 0; number < runs; ++number)
            ++reads[static_cast<std::size_t>(quadOf<16>(number, runs))];
    }
    QCOMPARE(std::ranges::count(reads, 1), std::ptrdiff_t(reads.size()));
    const std::vector<float4> zeros(runs * 16);
    float4 out{};
    for (blockIdx.x = 0; blockIdx.x < runs * 16 / (block * flight); ++blockIdx.x) {
        for (threadIdx.x = 0; threadIdx.x < block; ++threadIdx.x) {
            floor_gather_256(zeros.data(), &out, Size(zeros.size()));
            floor_gather_32(zeros.data(), &out, Size(zeros.size()));
        }
    }
    QCOMPARE(out.x, 0.0f);
}

// Runs that follow each other would be a stream, not a gather.
void TestGatherPlaces::neighboursLieApart()
{
    constexpr unsigned runs = 1u << 20;
    for (unsigned number = 0; number + 1 < runs; ++number) {
        const unsigned apart = (place(number + 1, runs) - place(number, runs)) & (runs - 1);
        QVERIFY(std::min(apart, runs - apart) > 64);
    }
}

QTEST_APPLESS_MAIN(TestGatherPlaces)
#include "tst_gatherplaces.moc"
