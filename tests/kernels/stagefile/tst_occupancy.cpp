// SPDX-License-Identifier: GPL-3.0-or-later
#include "occupancy.h"

#include <QTest>

using namespace stagecraft::stagefile;

// Resident threads worked out by hand from the limits that CUDA's programming guide gives for each compute capability.
class TestOccupancy : public QObject
{
    Q_OBJECT

private slots:
    void limitsByEitherName()
    {
        const auto hopper = smLimits("9.0");
        QVERIFY(hopper);
        QCOMPARE(hopper->threads, 2048);
        QCOMPARE(hopper->blocks, 32);
        QCOMPARE(hopper->sharedBytes, 233472);
        for (const char *name : {"sm_90", "sm_90a", "9.0"}) {
            QVERIFY2(smLimits(name), name);
            QCOMPARE(smLimits(name)->threads, 2048);
        }
        QCOMPARE(smLimits("sm_120")->threads, 1536);
        QCOMPARE(smLimits("sm_103")->blocks, 32);
        QCOMPARE(smLimits("7.5")->threads, 1024);
    }

    void unknownIsUnknown()
    {
        for (const char *name : {"", "1.0", "sm_", "sm_9", "sm_90ab", "compute_90", "9", "99.9", "sm_999"})
            QVERIFY2(!smLimits(name), name);
    }

    void theNotesKernels_data()
    {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("registers");
        QTest::addColumn<int>("shared");
        QTest::addColumn<int>("blocks");
        QTest::addColumn<int>("limit");
        // On an RTX 4090 (8.9): 1536 threads, 24 blocks, 65536 registers and 102400 B shared memory for each SM.
        QTest::newRow("tiled") << 256 << 37 << 2048 << 6 << int(Occupancy::Threads);        // 6 × 8 warps of 48
        QTest::newRow("registers") << 256 << 55 << 16384 << 4 << int(Occupancy::Registers); // 56 × 256 × 4 ≤ 65536
        QTest::newRow("k64") << 256 << 56 << 33792 << 2 << int(Occupancy::SharedMemory);    // 34816 × 2 ≤ 102400
        QTest::newRow("warp-per-row") << 256 << 40 << 0 << 6 << int(Occupancy::Threads);    // registers allow 6 too
        QTest::newRow("small blocks") << 32 << 16 << 0 << 24 << int(Occupancy::Blocks);
    }

    void theNotesKernels()
    {
        QFETCH(int, threads);
        QFETCH(int, registers);
        QFETCH(int, shared);
        const auto result = occupancy(*smLimits("8.9"), {threads, registers, shared});
        QVERIFY(result);
        QTEST(result->blocksPerSm, "blocks");
        QCOMPARE(result->residentThreads, result->blocksPerSm * threads);
        QTEST(int(result->limitedBy), "limit");
    }

    void whatCannotRunHasNoOccupancy()
    {
        const SmLimits limits = *smLimits("8.9");
        QVERIFY(occupancy(limits, {1024, 64, 0}));
        QVERIFY(!occupancy(limits, {1024, 65, 0})); // 72 × 1024 registers
        QVERIFY(occupancy(limits, {32, 32, 99 * 1024}));
        QVERIFY(!occupancy(limits, {32, 32, 99 * 1024 + 1}));
        for (const KernelShape &shape :
             {KernelShape{0, 32, 0}, {1025, 32, 0}, {-32, 32, 0}, {32, 256, 0}, {32, -1, 0}, {32, 32, -1}})
            QVERIFY(!occupancy(limits, shape));
    }

    void noRegistersAndNoSharedMemoryLimitNothing()
    {
        const auto result = occupancy(*smLimits("7.5"), {64, 0, 0});
        QVERIFY(result);
        QCOMPARE(result->blocksPerSm, 16);
        QCOMPARE(result->limitedBy, Occupancy::Threads); // as scarce as the blocks, and first in the order
    }
};

QTEST_APPLESS_MAIN(TestOccupancy)
#include "tst_occupancy.moc"
