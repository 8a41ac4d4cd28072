// SPDX-License-Identifier: GPL-3.0-or-later
#include "cuptirefusal.h"
#include "cuptivariants.h"
#include "iterationmatching.h"
#include "nvidialibraries.h"

#include <QTest>

using namespace stagecraft::capture;

namespace {

RawKernel kernel(const std::string &name, std::uint32_t correlationId, std::uint64_t start, std::uint64_t end)
{
    RawKernel raw;
    raw.name = name;
    raw.correlationId = correlationId;
    raw.start = start;
    raw.end = end;
    return raw;
}

} // namespace

class TestIterationMatching : public QObject
{
    Q_OBJECT

private slots:
    void recordsGoToTheirIterations();
    void missingTimesAreInvalid_data();
    void missingTimesAreInvalid();
    void strangersAreUnmatched();
    void refusalsSayWhatToDo_data();
    void refusalsSayWhatToDo();
    void everyRefusalNamesItsCall();
    void versionsOfCupti();
    void sonamesFollowTheDriver();
};

// As a library launches: two kernels in one call of ours, several calls into CUDA, records in no particular order.
void TestIterationMatching::recordsGoToTheirIterations()
{
    RawKernel first = kernel("_ZN3lib6kernelIfEEvPT_", 11, 2000, 3500);
    first.grid = {64, 2, 1};
    first.block = {256, 1, 1};
    first.registersPerThread = 37;
    first.staticSharedBytes = 2048;
    first.dynamicSharedBytes = 1024;
    first.localBytesPerThread = 8;
    const Recording recording =
        matchToIterations({kernel("plain", 22, 9000, 9250), kernel("plain", 12, 4000, 4001), first},
                          {{10, 0}, {11, 0}, {12, 0}, {21, 1}, {22, 1}});
    QCOMPARE(recording.kernels.size(), 3u);
    const CapturedKernel &a = recording.kernels[0];
    QCOMPARE(a.name, std::string("void lib::kernel<float>(float*)"));
    QCOMPARE(a.durationUs, 1.5);
    QCOMPARE(a.iteration, 0);
    QVERIFY(a.grid == first.grid && a.block == first.block);
    QCOMPARE(a.registersPerThread, 37);
    QCOMPARE(a.sharedBytes, 3072);
    QCOMPARE(a.localBytesPerThread, 8);
    QCOMPARE(recording.kernels[1].name, std::string("plain"));
    QCOMPARE(recording.kernels[1].durationUs, 0.001);
    QCOMPARE(recording.kernels[1].iteration, 0);
    QCOMPARE(recording.kernels[2].iteration, 1);
    QCOMPARE(recording.invalid + recording.unmatched, 0);
}

void TestIterationMatching::missingTimesAreInvalid_data()
{
    QTest::addColumn<quint64>("start");
    QTest::addColumn<quint64>("end");
    QTest::newRow("both missing") << quint64(0) << quint64(0);
    QTest::newRow("start missing") << quint64(0) << quint64(5);
    QTest::newRow("end missing") << quint64(5) << quint64(0);
    QTest::newRow("zero long") << quint64(5) << quint64(5);
    QTest::newRow("negative") << quint64(6) << quint64(5);
}

void TestIterationMatching::missingTimesAreInvalid()
{
    QFETCH(quint64, start);
    QFETCH(quint64, end);
    const Recording recording =
        matchToIterations({kernel("bad", 1, start, end), kernel("good", 2, 1, 2)}, {{1, 0}, {2, 1}});
    QCOMPARE(recording.invalid, 1);
    QCOMPARE(recording.kernels.size(), 1u);
    QCOMPARE(recording.kernels[0].name, std::string("good"));
}

void TestIterationMatching::strangersAreUnmatched()
{
    const Recording recording =
        matchToIterations({kernel("b", 8, 3, 4), kernel("_Z1av", 9, 1, 2), kernel("ours", 1, 5, 6)}, {{1, 0}});
    QCOMPARE(recording.unmatched, 2);
    QCOMPARE(recording.firstUnmatched, std::string("a()"));
    QCOMPARE(recording.kernels.size(), 1u);
}

void TestIterationMatching::refusalsSayWhatToDo_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("wsl");
    QTest::addColumn<bool>("container");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("fix");
    QTest::newRow("permission") << 35 << false << false << "does not let this user"
                                << "NVreg_RestrictProfilingToAdminUsers=0";
    QTest::newRow("permission, WSL2") << 35 << true << false << "does not let this user"
                                      << "NVIDIA Control Panel";
    QTest::newRow("permission, container") << 35 << false << true << "does not let this user"
                                           << "--cap-add=SYS_ADMIN";
    QTest::newRow("permission, virtual") << 40 << false << false << "does not let this user"
                                         << "root";
    QTest::newRow("profiler") << 39 << false << false << "another profiler"
                              << "--no-capture";
    QTest::newRow("WSL2") << 45 << true << false << "WSL2"
                          << "Windows driver";
    QTest::newRow("MIG") << 43 << false << false << "MIG"
                         << "whole GPU";
    QTest::newRow("not initialized") << 15 << false << false << "could not initialize"
                                     << "newer than the driver";
    QTest::newRow("unknown") << 999 << false << false << "CUPTI failed"
                             << "fits the driver";
}

void TestIterationMatching::refusalsSayWhatToDo()
{
    QFETCH(int, code);
    QFETCH(bool, wsl);
    QFETCH(bool, container);
    QFETCH(QString, reason);
    QFETCH(QString, fix);
    const Refusal refusal = explainRefusal(code, "NAME", "cuptiCall", {wsl, container});
    QVERIFY2(QString::fromStdString(refusal.reason).contains(reason), refusal.reason.c_str());
    QVERIFY2(QString::fromStdString(refusal.fix).contains(fix), refusal.fix.c_str());
}

void TestIterationMatching::everyRefusalNamesItsCall()
{
    for (int code = 1; code < 50; ++code) {
        const Refusal refusal = explainRefusal(code, "CUPTI_ERROR_X", "cuptiSubscribe", {});
        QVERIFY(refusal.reason.ends_with("(cuptiSubscribe: CUPTI_ERROR_X)"));
        QVERIFY(!refusal.fix.empty());
    }
}

void TestIterationMatching::versionsOfCupti()
{
    QCOMPARE(cudaMajorOfCupti(18), 0); // CUDA 11.8
    QCOMPARE(cudaMajorOfCupti(19), 12);
    QCOMPARE(cudaMajorOfCupti(28), 12);
    QCOMPARE(cudaMajorOfCupti(130001), 13);
    QCOMPARE(cudaMajorOfCupti(140000), 14);
    QCOMPARE(cudaMajorOfCupti(0), 0);
}

void TestIterationMatching::sonamesFollowTheDriver()
{
    const std::vector<std::string> newerFirst{"libx.so.13", "libx.so.12"}, olderFirst{"libx.so.12", "libx.so.13"};
    QVERIFY(sonamesFor("libx", 13000) == newerFirst);
    QVERIFY(sonamesFor("libx", 14000) == newerFirst);
    QVERIFY(sonamesFor("libx", 12080) == olderFirst);
    QVERIFY(sonamesFor("libx", 0) == newerFirst);
}

QTEST_APPLESS_MAIN(TestIterationMatching)
#include "tst_iterationmatching.moc"
