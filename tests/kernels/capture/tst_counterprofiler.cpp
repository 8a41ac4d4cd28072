// SPDX-License-Identifier: GPL-3.0-or-later
#include "counterprofiler.h"
#include "cuptisession.h"
#include "cuptivariants.h"
#include "fakecupti.h"
#include "kernelrecorder.h"

#include <QTest>
#include <thread>

using namespace stagecraft::capture;

namespace {

// Bits of fakeCuptiActive().
constexpr int nothing = 0, subscribed = 1, profiling = 32 | 64 | 128 | 256;

const std::vector<std::string> twoMetrics{"a__inst.sum", "b__rate.pct"};

class Watcher final : public BracketWatcher
{
public:
    void profilerStarted() noexcept override {}
    void profilerStopping() noexcept override {}
};

} // namespace

// The counter profiler's whole path against a libcupti and a libcuda of the test's own (STAGECRAFT_FAKE_CUPTI, its
// soname; the folders of both).
class TestCounterProfiler : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void kernelsAreCountedInOrder();
    void theCallsAreInOrder();
    void nothingStaysOn();
    void canCountAgain();
    void aRecordingBeforeChangesNothing();
    void countsWhileAWatcherHasTheSubscription();
    void metricsThatAreNotThere();
    void noneOfTheMetrics();
    void valuesThatAreNone();
    void noKernel();
    void lostKernelsAreNoReading();
    void refusals_data();
    void refusals();
    void aReadingThatFails_data();
    void aReadingThatFails();
    void permissionIsExplained_data();
    void permissionIsExplained();
    void whatIsNotCounted_data();
    void whatIsNotCounted();
    void withoutAContext();
    void anOlderCupti();

private:
    QString refusal(const std::vector<std::string> &metrics = twoMetrics)
    {
        KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
        const auto profiler = recorder.openCounters();
        try {
            profiler->start(metrics);
        } catch (const CaptureError &error) {
            m_fix = QString::fromStdString(error.fix);
            return QString::fromUtf8(error.what());
        }
        return {};
    }

    SharedLibrary m_fake, m_driver;
    QString m_fix;
    decltype(&fakeCuptiRefuse) refuse = nullptr;
    decltype(&fakeCuptiCall) call = nullptr;
    decltype(&fakeCuptiKernel) kernel = nullptr;
    decltype(&fakeCuptiDrop) drop = nullptr;
    decltype(&fakeCuptiActive) active = nullptr;
    decltype(&fakeCuptiLack) lack = nullptr;
    decltype(&fakeCuptiTakeCalls) takeCalls = nullptr;
};

void TestCounterProfiler::initTestCase()
{
    m_fake = SharedLibrary::load(STAGECRAFT_FAKE_CUPTI, STAGECRAFT_FAKE_CUPTI_FOLDER);
    QVERIFY2(m_fake.loaded(), m_fake.problem().c_str());
    QVERIFY(m_fake.bind(refuse, "fakeCuptiRefuse") && m_fake.bind(call, "fakeCuptiCall") &&
            m_fake.bind(kernel, "fakeCuptiKernel") && m_fake.bind(drop, "fakeCuptiDrop") &&
            m_fake.bind(active, "fakeCuptiActive") && m_fake.bind(lack, "fakeCuptiLack") &&
            m_fake.bind(takeCalls, "fakeCuptiTakeCalls"));
    m_driver = SharedLibrary::load("libcuda.so.1", STAGECRAFT_FAKE_DRIVER_FOLDER);
    QVERIFY2(m_driver.loaded(), m_driver.problem().c_str());
    int (*initialize)(unsigned) = nullptr;
    QVERIFY(m_driver.bind(initialize, "cuInit"));
    QCOMPARE(initialize(0), 0);
}

void TestCounterProfiler::init()
{
    refuse(nullptr, 0);
    lack(nullptr);
    drop(0);
    takeCalls();
    qunsetenv("container");
}

void TestCounterProfiler::kernelsAreCountedInOrder()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    const auto profiler = recorder.openCounters();
    kernel("before", 1, 1, 2);
    profiler->start(twoMetrics);
    kernel("first", 2, 3, 4);
    kernel("second", 3, 5, 6);
    const CounterReading reading = profiler->stop();
    kernel("after", 4, 7, 8);
    QCOMPARE(reading.passes, 1);
    QCOMPARE(reading.metrics.size(), 2u);
    QCOMPARE(reading.metrics[0].name, std::string("a__inst.sum"));
    QCOMPARE(reading.metrics[0].unit, std::string("inst"));
    QCOMPARE(reading.metrics[1].unit, std::string("percent"));
    QVERIFY(reading.missing.empty());
    QCOMPARE(reading.kernels.size(), 2u);
    QCOMPARE(reading.kernels[0].at("a__inst.sum"), 1000.0);
    QCOMPARE(reading.kernels[0].at("b__rate.pct"), 1001.0);
    QCOMPARE(reading.kernels[1].at("a__inst.sum"), 2000.0);
}

// The fake itself refuses an image that another call has not made; what is asked here is what it cannot see.
void TestCounterProfiler::theCallsAreInOrder()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    const auto profiler = recorder.openCounters();
    QCOMPARE(QString(takeCalls()), QString());
    profiler->start({"a__inst.sum"});
    QStringList calls = QString(takeCalls()).split(' ');
    QVERIFY(calls.removeOne("cuptiDeviceGetChipName")); // before or after the availability
    calls.removeIf([](const QString &one) { return one.startsWith("cuptiProfilerHost"); });
    QCOMPARE(calls, QStringList({"cuptiProfilerInitialize", "cuptiProfilerDeviceSupported",
                                 "cuptiProfilerGetCounterAvailability", "cuptiProfilerGetCounterAvailability",
                                 "cuptiRangeProfilerEnable", "cuptiRangeProfilerGetCounterDataSize",
                                 "cuptiRangeProfilerCounterDataImageInitialize", "cuptiRangeProfilerSetConfig",
                                 "cuptiRangeProfilerStart"}));
    kernel("k", 1, 1, 2);
    profiler->stop();
    QCOMPARE(QString(takeCalls()).split(' '),
             QStringList({"cuptiRangeProfilerStop", "cuptiRangeProfilerDecodeData",
                          "cuptiRangeProfilerGetCounterDataInfo", "cuptiProfilerHostEvaluateToGpuValues",
                          "cuptiRangeProfilerDisable", "cuptiProfilerDeInitialize", "cuptiProfilerHostDeinitialize"}));
}

void TestCounterProfiler::nothingStaysOn()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    QCOMPARE(active(), nothing);
    const auto profiler = recorder.openCounters();
    QCOMPARE(active(), nothing);
    profiler->start(twoMetrics);
    QCOMPARE(active(), profiling);
    profiler->stop();
    QCOMPARE(active(), nothing);
    {
        const auto abandoned = recorder.openCounters();
        abandoned->start(twoMetrics);
    }
    QCOMPARE(active(), nothing);
}

void TestCounterProfiler::canCountAgain()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    const auto profiler = recorder.openCounters();
    for (const char *metric : {"a__inst.sum", "c__other.sum"}) {
        profiler->start({metric});
        kernel("k", 1, 1, 2);
        const CounterReading reading = profiler->stop();
        QCOMPARE(reading.kernels.size(), 1u);
        QCOMPARE(reading.kernels[0].size(), 1u);
        QCOMPARE(reading.kernels[0].at(metric), 1000.0);
    }
}

// A recording ends with cuptiFinalize, after which CUPTI comes back for whoever subscribes alone.
void TestCounterProfiler::aRecordingBeforeChangesNothing()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    for (int round = 0; round < 2; ++round) {
        recorder.start();
        recorder.setIteration(0);
        call(1, 0);
        kernel("k", 1, 5, 6);
        QCOMPARE(recorder.stop().kernels.size(), 1u);
        const auto profiler = recorder.openCounters();
        profiler->start(twoMetrics);
        QCOMPARE(active(), profiling | subscribed);
        kernel("k", 2, 7, 8);
        QCOMPARE(profiler->stop().kernels.size(), 1u);
        QCOMPARE(active(), nothing);
    }
}

void TestCounterProfiler::countsWhileAWatcherHasTheSubscription()
{
    Watcher watcher;
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    recorder.watch(watcher);
    const int watching = active();
    for (int round = 0; round < 2; ++round) {
        const auto profiler = recorder.openCounters();
        profiler->start(twoMetrics);
        kernel("k", 2, 7, 8);
        QCOMPARE(profiler->stop().kernels.size(), 1u);
        QCOMPARE(active(), watching);
        recorder.start();
        recorder.stop();
        recorder.rest();
    }
}

void TestCounterProfiler::metricsThatAreNotThere()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    const auto profiler = recorder.openCounters();
    profiler->start({"absent__x.sum", "a__inst.sum", "absent__y.sum", "b__rate.pct"});
    kernel("k", 1, 1, 2);
    const CounterReading reading = profiler->stop();
    QCOMPARE(reading.missing.size(), 2u);
    QCOMPARE(reading.missing[0].name, std::string("absent__x.sum"));
    QCOMPARE(reading.missing[1].reason, std::string("CUPTI does not count it on GF0 (CUPTI_ERROR_MADE_UP)"));
    QCOMPARE(reading.metrics.size(), 2u);
    QCOMPARE(reading.kernels.at(0).at("b__rate.pct"), 1001.0);
}

void TestCounterProfiler::noneOfTheMetrics()
{
    QCOMPARE(refusal({"absent__x.sum"}), QString("none of the 1 metrics can be counted on GF0"));
    QVERIFY(m_fix.contains("ncu --query-metrics"));
    QCOMPARE(active(), nothing);
}

// Unavailable is not 0.
void TestCounterProfiler::valuesThatAreNone()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    const auto profiler = recorder.openCounters();
    profiler->start({"nan__x.ratio", "a__inst.sum", "negative__y.sum"});
    kernel("k", 1, 1, 2);
    const CounterReading reading = profiler->stop();
    QCOMPARE(reading.metrics.size(), 3u);
    QCOMPARE(reading.kernels.at(0).size(), 1u);
    QCOMPARE(reading.kernels[0].at("a__inst.sum"), 1001.0);
}

void TestCounterProfiler::noKernel()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    const auto profiler = recorder.openCounters();
    profiler->start(twoMetrics);
    QVERIFY(profiler->stop().kernels.empty());
}

void TestCounterProfiler::lostKernelsAreNoReading()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    const auto profiler = recorder.openCounters();
    profiler->start(twoMetrics);
    kernel("k", 1, 1, 2);
    drop(3);
    try {
        profiler->stop();
        QFAIL("read");
    } catch (const CaptureError &error) {
        QVERIFY2(QString(error.what()).startsWith("counters of 3 kernels were lost; 512 kernels"), error.what());
        QVERIFY(!error.fix.empty());
    }
    QCOMPARE(active(), nothing);
}

void TestCounterProfiler::refusals_data()
{
    QTest::addColumn<QString>("function");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *function, int code, const char *reason) {
        QTest::newRow(function) << function << code << reason;
    };
    row("cuptiProfilerInitialize", 15, "could not initialize");
    row("cuptiProfilerDeviceSupported", 27, "has no hardware counters of this GPU");
    row("cuptiDeviceGetChipName", 999, "CUPTI failed");
    row("cuptiProfilerGetCounterAvailability", 26, "another program holds the hardware counters");
    row("cuptiProfilerHostInitialize", 1, "CUPTI failed");
    row("cuptiProfilerHostConfigAddMetrics", 1, "none of the 2 metrics can be counted on GF0");
    row("cuptiProfilerHostGetConfigImageSize", 999, "CUPTI failed");
    row("cuptiProfilerHostGetConfigImage", 999, "CUPTI failed");
    row("cuptiProfilerHostGetNumOfPasses", 999, "CUPTI failed");
    row("cuptiRangeProfilerEnable", 35, "does not let this user read hardware counters");
    row("cuptiRangeProfilerGetCounterDataSize", 1, "CUPTI failed");
    row("cuptiRangeProfilerCounterDataImageInitialize", 1, "CUPTI failed");
    row("cuptiRangeProfilerSetConfig", 1, "CUPTI failed");
    row("cuptiRangeProfilerStart", 26, "another program holds the hardware counters");
}

void TestCounterProfiler::refusals()
{
    QFETCH(QString, function);
    QFETCH(int, code);
    QFETCH(QString, reason);
    refuse(function.toUtf8(), code);
    const QString said = refusal();
    QVERIFY2(said.contains(reason), qPrintable(said));
    QVERIFY2(function == "cuptiProfilerHostConfigAddMetrics" ||
                 said.endsWith("(" + function + ": CUPTI_ERROR_MADE_UP)"),
             qPrintable(said));
    QVERIFY(!m_fix.isEmpty());
    QCOMPARE(active(), nothing);
    refuse(nullptr, 0);
    QCOMPARE(refusal(), QString()); // what was refused once can work later
    QCOMPARE(active(), nothing);
}

void TestCounterProfiler::aReadingThatFails_data()
{
    QTest::addColumn<QString>("function");
    for (const char *function : {"cuptiRangeProfilerStop", "cuptiRangeProfilerDecodeData",
                                 "cuptiRangeProfilerGetCounterDataInfo", "cuptiProfilerHostEvaluateToGpuValues"})
        QTest::newRow(function) << function;
}

void TestCounterProfiler::aReadingThatFails()
{
    QFETCH(QString, function);
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    const auto profiler = recorder.openCounters();
    profiler->start(twoMetrics);
    kernel("k", 1, 1, 2);
    refuse(function.toUtf8(), 999);
    try {
        profiler->stop();
        QFAIL("read");
    } catch (const CaptureError &error) {
        QVERIFY2(QString(error.what()).contains(function), error.what());
    }
    QCOMPARE(active(), nothing);
}

void TestCounterProfiler::permissionIsExplained_data()
{
    QTest::addColumn<QByteArray>("container");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("fix");
    QTest::newRow("the driver's setting") << QByteArray() << 35 << "NVreg_RestrictProfilingToAdminUsers=0";
    QTest::newRow("in a container") << QByteArray("docker") << 35 << "--cap-add=SYS_ADMIN";
    QTest::newRow("on a virtual GPU") << QByteArray("docker") << 40 << "--cap-add=SYS_ADMIN";
}

void TestCounterProfiler::permissionIsExplained()
{
    QFETCH(QByteArray, container);
    QFETCH(int, code);
    QFETCH(QString, fix);
    if (!container.isEmpty())
        qputenv("container", container);
    refuse("cuptiRangeProfilerEnable", code);
    const QString said = refusal();
    QVERIFY2(said.startsWith("the driver does not let this user read hardware counters"), qPrintable(said));
    QVERIFY2(m_fix.contains(fix), qPrintable(m_fix));
}

void TestCounterProfiler::whatIsNotCounted_data()
{
    QTest::addColumn<QString>("reason");
    QTest::newRow("architecture") << "compute capability 7.0 and above, and this one is older";
    QTest::newRow("wsl") << "WSL2";
    QTest::newRow("vGpu") << "virtualized GPU has no hardware counters";
    QTest::newRow("confidentialCompute") << "confidential computing";
    QTest::newRow("cmp") << "mining GPU";
    QTest::newRow("sli") << "joined by SLI";
    QTest::newRow("something else") << "does not say why";
}

void TestCounterProfiler::whatIsNotCounted()
{
    QFETCH(QString, reason);
    lack(QTest::currentDataTag());
    const QString said = refusal();
    QVERIFY2(said.contains(reason), qPrintable(said));
    QVERIFY(!m_fix.isEmpty());
    QCOMPARE(active(), nothing);
}

void TestCounterProfiler::withoutAContext()
{
    QString said;
    std::thread([&] { said = refusal(); }).join();
    QVERIFY2(said.contains("no CUDA context"), qPrintable(said));
    QVERIFY(m_fix.contains("on the thread that launches"));
    QCOMPARE(QString(takeCalls()), QString()); // CUPTI was not asked
}

// Records are there, counters are not.
void TestCounterProfiler::anOlderCupti()
{
    const SharedLibrary older = SharedLibrary::load(STAGECRAFT_FAKE_CUPTI, STAGECRAFT_FAKE_OLDER_CUPTI_FOLDER);
    QVERIFY2(older.loaded(), older.problem().c_str());
    const QString soname = STAGECRAFT_FAKE_CUPTI;
    for (const CuptiVariant &variant : builtVariants()) {
        if (!soname.endsWith(QString::number(variant.major)))
            continue;
        QVERIFY(variant.open(older) != nullptr);
        try {
            variant.openCounters(older);
            QFAIL("opened");
        } catch (const CaptureError &error) {
            QVERIFY2(QString(error.what()).contains(" has no cupti"), error.what());
            QVERIFY(!error.fix.empty());
        }
        return;
    }
    QFAIL("no variant fits");
}

QTEST_APPLESS_MAIN(TestCounterProfiler)
#include "tst_counterprofiler.moc"
