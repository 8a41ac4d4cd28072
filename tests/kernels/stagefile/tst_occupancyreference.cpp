// SPDX-License-Identifier: GPL-3.0-or-later
#include "occupancy.h"

#include <cuda_occupancy.h>
#include <QTest>

using namespace stagecraft::stagefile;

namespace {

cudaOccDeviceProp properties(int major, int minor, const SmLimits &limits)
{
    cudaOccDeviceProp device;
    device.computeMajor = major;
    device.computeMinor = minor;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = limits.threads;
    device.regsPerBlock = device.regsPerMultiprocessor = limits.registers;
    device.warpSize = 32;
    device.sharedMemPerBlock = 48 * 1024;
    device.sharedMemPerMultiprocessor = static_cast<size_t>(limits.sharedBytes);
    device.sharedMemPerBlockOptin = static_cast<size_t>(limits.sharedBytesPerBlock);
    device.reservedSharedMemPerBlock = static_cast<size_t>(limits.reservedSharedBytes);
    device.numSms = 1;
    return device;
}

// By CUDA's own header; nullopt where it does not know the device.
std::optional<cudaOccResult> reference(const cudaOccDeviceProp &device, const KernelShape &kernel)
{
    cudaOccFuncAttributes function;
    function.maxThreadsPerBlock = 1024;
    function.numRegs = kernel.registersPerThread;
    function.partitionedGCConfig = PARTITIONED_GC_OFF;
    function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    function.maxDynamicSharedSizeBytes = static_cast<size_t>(kernel.sharedBytes);
    function.numBlockBarriers = 1;
    const cudaOccDeviceState state;
    cudaOccResult result;
    const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state,
                                                                       static_cast<int>(kernel.threadsPerBlock),
                                                                       static_cast<size_t>(kernel.sharedBytes));
    return error == CUDA_OCC_SUCCESS ? std::optional(result) : std::nullopt;
}

unsigned limitFactor(Occupancy::Limit limit)
{
    switch (limit) {
    case Occupancy::Threads:
        return OCC_LIMIT_WARPS;
    case Occupancy::Blocks:
        return OCC_LIMIT_BLOCKS;
    case Occupancy::Registers:
        return OCC_LIMIT_REGISTERS;
    case Occupancy::SharedMemory:
        break;
    }
    return OCC_LIMIT_SHARED_MEMORY;
}

} // namespace

// Every shape of a grid, on every compute capability that is known, against the calculation in CUDA's Toolkit.
class TestOccupancyReference : public QObject
{
    Q_OBJECT

private slots:
    void agreesWithCuda_data()
    {
        QTest::addColumn<int>("major");
        QTest::addColumn<int>("minor");
        for (const auto &[major, minor] :
             {std::pair{7, 5}, {8, 0}, {8, 6}, {8, 7}, {8, 9}, {9, 0}, {10, 0}, {10, 3}, {12, 0}})
            QTest::addRow("%d.%d", major, minor) << major << minor;
    }

    void agreesWithCuda()
    {
        QFETCH(int, major);
        QFETCH(int, minor);
        const auto limits = smLimits(QStringLiteral("%1.%2").arg(major).arg(minor).toStdString());
        QVERIFY(limits);
        const cudaOccDeviceProp device = properties(major, minor, *limits);
        if (!reference(device, {32, 32, 0}))
            QSKIP("this Toolkit's header does not know the compute capability");
        for (std::int64_t threads = 1; threads <= 1024; threads += threads < 64 ? 21 : 29)
            for (int registers = 0; registers <= 255; registers += 5)
                for (const std::int64_t shared : sharedSizes(*limits)) {
                    compareShape(device, *limits, {threads, registers, shared});
                    if (QTest::currentTestFailed())
                        return; // the first difference says enough
                }
    }

private:
    static QList<std::int64_t> sharedSizes(const SmLimits &limits)
    {
        QList<std::int64_t> sizes{0, 1, 64, 1024, 2048, 4095, 16384, 33792, 49152};
        for (const std::int64_t part : {1, 2, 3, 5, 7, 12})
            sizes << limits.sharedBytes / part << limits.sharedBytes / part - limits.reservedSharedBytes
                  << limits.sharedBytes / part - limits.reservedSharedBytes - 127;
        return sizes;
    }

    static void compareShape(const cudaOccDeviceProp &device, const SmLimits &limits, const KernelShape &kernel)
    {
        const auto result = occupancy(limits, kernel);
        const auto expected = reference(device, kernel);
        QVERIFY(expected);
        const int blocks = result ? result->blocksPerSm : 0;
        if (blocks == expected->activeBlocksPerMultiprocessor &&
            (!result || expected->limitingFactors & limitFactor(result->limitedBy)))
            return;
        QFAIL(qPrintable(QStringLiteral("%1 threads, %2 registers, %3 B: %4 blocks by limit %5, CUDA says %6, %7")
                             .arg(kernel.threadsPerBlock)
                             .arg(kernel.registersPerThread)
                             .arg(kernel.sharedBytes)
                             .arg(blocks)
                             .arg(result ? result->limitedBy : -1)
                             .arg(expected->activeBlocksPerMultiprocessor)
                             .arg(expected->limitingFactors)));
    }
};

QTEST_APPLESS_MAIN(TestOccupancyReference)
#include "tst_occupancyreference.moc"
