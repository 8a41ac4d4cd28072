// SPDX-License-Identifier: GPL-3.0-or-later
#include "cuptisession.h"
#include "fakecupti.h"
#include "kernelrecorder.h"

#include <QTest>

using namespace stagecraft::capture;

namespace {

// What the recorder tells of brackets: "start" and "stop".
class Told final : public BracketWatcher
{
public:
    void profilerStarted() noexcept override { calls.append("start"); }
    void profilerStopping() noexcept override { calls.append("stop"); }
    QStringList calls;
};

} // namespace

// The recorder against a libcupti of the test's own (STAGECRAFT_FAKE_CUPTI, its soname; STAGECRAFT_FAKE_CUPTI_FOLDER).
class TestKernelRecorder : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void aLoadedCopyIsUsed();
    void recordsOfIterations();
    void kernelsCanBeHeldApart();
    void nothingStaysOn();
    void canRecordAgain();
    void lostAndInvalidRecordsAreCounted();
    void lostMarksAreCounted();
    void refusals_data();
    void refusals();
    void recordsThatCannotBeRead();
    void oneAtATime();
    void watchingTellsOfProfilerCallsAlone();
    void recordsWhileItWatches();
    void restingCanBeRefused();
    void strangersAreKeptWhereAsked();
    void watchingCanBeRefused_data();
    void watchingCanBeRefused();
    void otherMajorsDoNotFit_data();
    void otherMajorsDoNotFit();
    void missingLibrary();

private:
    SharedLibrary m_fake;
    decltype(&fakeCuptiRefuse) refuse = nullptr;
    decltype(&fakeCuptiSetVersion) setVersion = nullptr;
    decltype(&fakeCuptiCall) call = nullptr;
    decltype(&fakeCuptiProfilerCall) profilerCall = nullptr;
    decltype(&fakeCuptiKernel) kernel = nullptr;
    decltype(&fakeCuptiDrop) drop = nullptr;
    decltype(&fakeCuptiActive) active = nullptr;
    decltype(&fakeCuptiSerialized) serialized = nullptr;
};

void TestKernelRecorder::initTestCase()
{
    m_fake = SharedLibrary::load(STAGECRAFT_FAKE_CUPTI, STAGECRAFT_FAKE_CUPTI_FOLDER);
    QVERIFY2(m_fake.loaded(), m_fake.problem().c_str());
    QVERIFY(m_fake.bind(refuse, "fakeCuptiRefuse") && m_fake.bind(setVersion, "fakeCuptiSetVersion") &&
            m_fake.bind(call, "fakeCuptiCall") && m_fake.bind(profilerCall, "fakeCuptiProfilerCall") &&
            m_fake.bind(kernel, "fakeCuptiKernel") && m_fake.bind(drop, "fakeCuptiDrop") &&
            m_fake.bind(active, "fakeCuptiActive") && m_fake.bind(serialized, "fakeCuptiSerialized"));
}

void TestKernelRecorder::init()
{
    refuse(nullptr, 0);
    setVersion(STAGECRAFT_FAKE_CUPTI_VERSION);
}

// It lies in no folder that is searched; only the copy that is in the process already can be found.
void TestKernelRecorder::aLoadedCopyIsUsed()
{
    const KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    QVERIFY2(recorder.support().available, recorder.support().reason.c_str());
    QCOMPARE(recorder.support().libraryPath, m_fake.path());
    QVERIFY(recorder.support().version.starts_with("API " + std::to_string(STAGECRAFT_FAKE_CUPTI_VERSION)));
    QVERIFY(!recorder.support().timestampMode.empty());
}

void TestKernelRecorder::recordsOfIterations()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    recorder.start();
    for (int iteration = 0; iteration < 3; ++iteration) {
        const auto id = static_cast<std::uint32_t>(100 + 10 * iteration);
        recorder.setIteration(iteration);
        call(id, 1);     // the runtime's launch, whose id the record carries …
        call(id + 1, 0); // … and the driver's below it
        kernel("first", id, 1000 + id, 3000 + id);
        call(id + 2, 0);
        kernel("second", id + 2, 4000 + id, 4500 + id);
        recorder.setIteration(-1);
    }
    call(500, 0); // outside of every iteration
    kernel("stranger", 500, 9000, 9001);
    const Recording recording = recorder.stop();
    QCOMPARE(recording.kernels.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
        const CapturedKernel &one = recording.kernels[i];
        QCOMPARE(one.iteration, static_cast<int>(i / 2));
        QCOMPARE(one.name, std::string(i % 2 ? "second" : "first"));
        QCOMPARE(one.durationUs, i % 2 ? 0.5 : 2.0);
        QVERIFY((one.grid == std::array<std::int64_t, 3>{3, 2, 1}));
        QVERIFY((one.block == std::array<std::int64_t, 3>{32, 4, 1}));
        QCOMPARE(one.registersPerThread, 40);
        QCOMPARE(one.sharedBytes, 1536);
        QCOMPARE(one.localBytesPerThread, 16);
    }
    QCOMPARE(recording.unmatched, 1);
    QCOMPARE(recording.firstUnmatched, std::string("stranger"));
}

void TestKernelRecorder::kernelsCanBeHeldApart()
{
    for (const bool apart : {true, false}) {
        qputenv("STAGECRAFT_CAPTURE_KERNELS", apart ? "serialized" : "");
        KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
        recorder.start();
        QCOMPARE(serialized() == 1, apart);
        recorder.setIteration(0);
        call(100, 0);
        kernel("one", 100, 1000, 3000);
        recorder.setIteration(-1);
        QCOMPARE(recorder.stop().kernels.size(), 1u);
        QCOMPARE(recorder.support().timestampMode.find("kernels serialized") != std::string::npos, apart);
    }
    qunsetenv("STAGECRAFT_CAPTURE_KERNELS");
}

void TestKernelRecorder::nothingStaysOn()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    QCOMPARE(active(), 0);
    recorder.start();
    QCOMPARE(active(), 7 | 16);
    recorder.stop();
    QCOMPARE(active(), 0);
    {
        KernelRecorder abandoned({STAGECRAFT_FAKE_CUPTI});
        abandoned.start();
    }
    QCOMPARE(active(), 0);
}

void TestKernelRecorder::canRecordAgain()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    for (const int iteration : {0, 1}) {
        recorder.start();
        recorder.setIteration(iteration);
        call(7, 0);
        kernel("k", 7, 10, 20);
        const Recording recording = recorder.stop();
        QCOMPARE(recording.kernels.size(), 1u);
        QCOMPARE(recording.kernels[0].iteration, iteration);
    }
}

void TestKernelRecorder::lostAndInvalidRecordsAreCounted()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    recorder.start();
    recorder.setIteration(0);
    call(1, 0);
    kernel("no times", 1, 0, 0);
    kernel("good", 1, 5, 6);
    drop(3);
    const Recording recording = recorder.stop();
    QCOMPARE(recording.invalid, 1);
    QCOMPARE(recording.dropped, 3);
    QCOMPARE(recording.kernels.size(), 1u);
}

void TestKernelRecorder::lostMarksAreCounted()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    recorder.start();
    recorder.setIteration(0);
    for (std::uint32_t id = 0; id < maximumCalls + 2; ++id)
        call(id, 0);
    kernel("late", maximumCalls + 1, 5, 6);
    const Recording recording = recorder.stop(Unmatched::Kept);
    QCOMPARE(recording.dropped, 2);
    QCOMPARE(recording.kernels.at(0).iteration, -1);
}

void TestKernelRecorder::refusals_data()
{
    QTest::addColumn<QString>("function");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("reason");
    QTest::newRow("another profiler") << "cuptiSubscribe" << 39 << "another profiler";
    QTest::newRow("permissions") << "cuptiActivityEnable" << 35 << "does not let this user";
    QTest::newRow("callbacks") << "cuptiActivityRegisterCallbacks" << 1 << "CUPTI failed";
    QTest::newRow("domains") << "cuptiEnableDomain" << 15 << "could not initialize";
}

void TestKernelRecorder::refusals()
{
    QFETCH(QString, function);
    QFETCH(int, code);
    QFETCH(QString, reason);
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    refuse(function.toUtf8(), code);
    try {
        recorder.start();
        QFAIL("started");
    } catch (const CaptureError &error) {
        QVERIFY2(QString(error.what()).contains(reason) && QString(error.what()).contains(function), error.what());
        QVERIFY(!error.fix.empty());
    }
    QCOMPARE(active(), 0);
    refuse(nullptr, 0);
    recorder.start(); // what was refused once can work later
    recorder.stop();
}

// What was read before the error is not all that there was.
void TestKernelRecorder::recordsThatCannotBeRead()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    recorder.start();
    kernel("k", 1, 5, 6);
    refuse("cuptiActivityGetNextRecord", 1);
    QVERIFY_EXCEPTION_THROWN(recorder.stop(), CaptureError);
    QCOMPARE(active(), 0);
    refuse(nullptr, 0);
    recorder.start();
    QVERIFY(recorder.stop().kernels.empty());
}

void TestKernelRecorder::oneAtATime()
{
    KernelRecorder first({STAGECRAFT_FAKE_CUPTI});
    KernelRecorder second({STAGECRAFT_FAKE_CUPTI});
    first.start();
    QVERIFY_EXCEPTION_THROWN(second.start(), CaptureError);
    first.setIteration(0);
    call(1, 0);
    kernel("k", 1, 1, 2);
    QCOMPARE(first.stop().kernels.size(), 1u); // the second one has not ended CUPTI for it
}

void TestKernelRecorder::watchingTellsOfProfilerCallsAlone()
{
    Told told;
    {
        KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
        recorder.watch(told);
        QCOMPARE(active(), 1 | 8);
        call(1, 0);
        for (const int runtime : {0, 1}) {
            for (const int start : {1, 0}) {
                profilerCall(runtime, start, 0);
                QCOMPARE(told.calls, start ? QStringList() : QStringList{"stop"}); // it is over before it is left …
                profilerCall(runtime, start, 1);
                QCOMPARE(told.calls, QStringList{start ? "start" : "stop"}); // … and begins when it is entered
                told.calls.clear();
            }
        }
    }
    QCOMPARE(active(), 0);
}

void TestKernelRecorder::recordsWhileItWatches()
{
    Told told;
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    recorder.watch(told);
    for (const int iteration : {0, 1}) {
        recorder.start();
        QCOMPARE(active() & 7, 7);
        recorder.setIteration(iteration);
        call(7, 0);
        kernel("k", 7, 10, 20);
        const Recording recording = recorder.stop();
        QCOMPARE(recording.kernels.size(), 1u);
        QCOMPARE(recording.kernels[0].iteration, iteration);
        QCOMPARE(active(), 1 | 8 | 16); // and the next bracket is seen
    }
    recorder.rest();
    QCOMPARE(active(), 1 | 8);
    profilerCall(0, 1, 1);
    QCOMPARE(told.calls, QStringList{"start"});
    refuse("cuptiActivityEnable", 35);
    QVERIFY_EXCEPTION_THROWN(recorder.start(), CaptureError);
    QCOMPARE(active(), 1 | 8);
}

void TestKernelRecorder::restingCanBeRefused()
{
    Told told;
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    recorder.watch(told);
    refuse("cuptiSubscribe", 39);
    recorder.rest(); // nothing was recorded: CUPTI need not leave
    QCOMPARE(active(), 1 | 8);
    recorder.start();
    recorder.stop();
    QVERIFY_EXCEPTION_THROWN(recorder.rest(), CaptureError);
    QCOMPARE(active(), 0);
}

void TestKernelRecorder::strangersAreKeptWhereAsked()
{
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    recorder.start();
    recorder.setIteration(0);
    call(1, 0);
    recorder.setIteration(-1);
    kernel("late", 9, 40, 50);
    kernel("no times", 9, 0, 0);
    kernel("ours", 1, 20, 30);
    kernel("early", 8, 5, 6);
    const Recording recording = recorder.stop(Unmatched::Kept);
    QCOMPARE(recording.unmatched, 0);
    QCOMPARE(recording.invalid, 1);
    QStringList kernels;
    for (const CapturedKernel &one : recording.kernels)
        kernels.append(QString("%1 %2").arg(QString::fromStdString(one.name)).arg(one.iteration));
    QCOMPARE(kernels, QStringList({"early -1", "ours 0", "late -1"}));
}

void TestKernelRecorder::watchingCanBeRefused_data()
{
    QTest::addColumn<QString>("function");
    QTest::addColumn<int>("code");
    QTest::newRow("another profiler") << "cuptiSubscribe" << 39;
    QTest::newRow("callbacks") << "cuptiEnableCallback" << 15;
}

void TestKernelRecorder::watchingCanBeRefused()
{
    QFETCH(QString, function);
    QFETCH(int, code);
    Told told;
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    refuse(function.toUtf8(), code);
    QVERIFY_EXCEPTION_THROWN(recorder.watch(told), CaptureError);
    QCOMPARE(active(), 0);
}

void TestKernelRecorder::otherMajorsDoNotFit_data()
{
    QTest::addColumn<quint32>("version");
    QTest::newRow("CUDA 11") << quint32(18);
    QTest::newRow("CUDA 14") << quint32(140000);
    QTest::newRow("it does not say") << quint32(0);
}

void TestKernelRecorder::otherMajorsDoNotFit()
{
    QFETCH(quint32, version);
    setVersion(version);
    KernelRecorder recorder({STAGECRAFT_FAKE_CUPTI});
    QVERIFY(!recorder.support().available);
    QVERIFY(recorder.support().reason.find("this build reads the records of CUDA 1") == 0);
    QVERIFY(!recorder.support().fix.empty());
    QVERIFY_EXCEPTION_THROWN(recorder.start(), CaptureError);
}

void TestKernelRecorder::missingLibrary()
{
    KernelRecorder recorder({"libcupti.so.7", "libcupti.so.8"});
    QVERIFY(!recorder.support().available);
    QCOMPARE(recorder.support().reason, std::string("libcupti.so.7 or libcupti.so.8 was not found"));
    QVERIFY(recorder.support().fix.find("nvidia-cuda-cupti") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestKernelRecorder)
#include "tst_kernelrecorder.moc"
