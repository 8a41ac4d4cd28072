// SPDX-License-Identifier: GPL-3.0-or-later
#include "cuptisession.h"
#include "cuptivariants.h"
#include "fakecupti.h"
#include "kernelrecorder.h"

#include <QTest>
#include <thread>

using namespace stagecraft::capture;
using stagecraft::protocol::SampledKernel;
using stagecraft::protocol::SampleResult;

namespace {

constexpr int nothing = 0, sampling = 512; // of fakeCuptiActive()

} // namespace

// The sampler of where warps wait, against a libcupti and a libcuda of the test's own, as the counter profiler's test.
class TestPcSampler : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void samplesHaveKernelAddressAndReason();
    void nothingStaysOn();
    void aRecordingBeforeChangesNothing();
    void lostSamplesAreCounted();
    void aFullBufferIsNoResult();
    void refusals_data();
    void refusals();
    void withoutAContext();
    void anOlderCupti();

private:
    SampleResult sampled(const QList<const char *> &kernels)
    {
        const auto sampler = m_recorder->openSampler();
        kernel("before", 1, 1, 2);
        sampler->start();
        for (const char *name : kernels)
            kernel(name, 1, 1, 2);
        return sampler->stop();
    }

    QString refusal()
    {
        try {
            sampled({"k"});
        } catch (const CaptureError &error) {
            return error.fix.empty() ? QString() : QString::fromUtf8(error.what());
        }
        return {};
    }

    SharedLibrary m_fake, m_driver;
    std::unique_ptr<KernelRecorder> m_recorder;
    decltype(&fakeCuptiRefuse) refuse = nullptr;
    decltype(&fakeCuptiKernel) kernel = nullptr;
    decltype(&fakeCuptiDrop) drop = nullptr;
    decltype(&fakeCuptiActive) active = nullptr;
};

void TestPcSampler::initTestCase()
{
    m_fake = SharedLibrary::load(STAGECRAFT_FAKE_CUPTI, STAGECRAFT_FAKE_CUPTI_FOLDER);
    QVERIFY2(m_fake.loaded(), m_fake.problem().c_str());
    QVERIFY(m_fake.bind(refuse, "fakeCuptiRefuse") && m_fake.bind(kernel, "fakeCuptiKernel") &&
            m_fake.bind(drop, "fakeCuptiDrop") && m_fake.bind(active, "fakeCuptiActive"));
    m_driver = SharedLibrary::load("libcuda.so.1", STAGECRAFT_FAKE_DRIVER_FOLDER);
    QVERIFY2(m_driver.loaded(), m_driver.problem().c_str());
    int (*initialize)(unsigned) = nullptr;
    QVERIFY(m_driver.bind(initialize, "cuInit"));
    QCOMPARE(initialize(0), 0);
}

void TestPcSampler::init()
{
    refuse(nullptr, 0);
    drop(0);
    m_recorder = std::make_unique<KernelRecorder>(std::vector<std::string>{STAGECRAFT_FAKE_CUPTI});
}

// By address, though they do not come so; of each reason once, without the sums.
void TestPcSampler::samplesHaveKernelAddressAndReason()
{
    const SampleResult result = sampled({"first", "second"});
    QCOMPARE(result.periodCycles, 256);
    QCOMPARE(result.samples, 2 * 2 * 7);
    QCOMPARE(result.dropped, 0);
    QCOMPARE(result.kernels.size(), 2u);
    QCOMPARE(result.kernels[1].entry, std::string("second"));
    for (const SampledKernel &one : result.kernels) {
        QCOMPARE(one.instructions.size(), 2u);
        QCOMPARE(one.instructions[0].address, 0x10);
        QCOMPARE(one.instructions[1].address, 0x20);
        const std::map<std::string, std::int64_t> expected{{"long_scoreboard", 5}, {"selected", 2}};
        QVERIFY(one.instructions[0].samples == expected);
    }
    QVERIFY(sampled({}).kernels.empty());
}

void TestPcSampler::nothingStaysOn()
{
    const auto sampler = m_recorder->openSampler();
    QCOMPARE(active(), nothing);
    sampler->start();
    QCOMPARE(active(), sampling);
    sampler->stop();
    QCOMPARE(active(), nothing);
    {
        const auto abandoned = m_recorder->openSampler();
        abandoned->start();
    }
    QCOMPARE(active(), nothing);
}

void TestPcSampler::aRecordingBeforeChangesNothing()
{
    m_recorder->start();
    m_recorder->stop(); // CUPTI has left the process
    QCOMPARE(sampled({"k"}).kernels.size(), 1u);
    QCOMPARE(active(), nothing);
    m_recorder->start();
    m_recorder->stop();
}

void TestPcSampler::lostSamplesAreCounted()
{
    drop(3);
    QCOMPARE(sampled({"k"}).dropped, 3);
}

void TestPcSampler::aFullBufferIsNoResult()
{
    try {
        sampled({"overflow"});
        QFAIL("read");
    } catch (const CaptureError &error) {
        QCOMPARE(QString(error.what()), QString("the samples were more than their buffer holds"));
    }
    QCOMPARE(active(), nothing);
}

void TestPcSampler::refusals_data()
{
    QTest::addColumn<QString>("function");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *function, int code, const char *reason) {
        QTest::newRow(function) << function << code << reason;
    };
    row("cuptiPCSamplingEnable", 35, "does not let this user read hardware counters");
    row("cuptiPCSamplingGetNumStallReasons", 999, "CUPTI failed");
    row("cuptiPCSamplingGetStallReasons", 999, "CUPTI failed");
    row("cuptiPCSamplingSetConfigurationAttribute", 27, "has no hardware counters of this GPU");
    row("cuptiPCSamplingStart", 26, "another program holds the hardware counters");
    row("cuptiPCSamplingStop", 999, "CUPTI failed");
}

void TestPcSampler::refusals()
{
    QFETCH(QString, function);
    QFETCH(int, code);
    QFETCH(QString, reason);
    refuse(function.toUtf8(), code);
    const QString said = refusal();
    QVERIFY2(said.contains(reason) && said.endsWith("(" + function + ": CUPTI_ERROR_MADE_UP)"), qPrintable(said));
    QCOMPARE(active(), nothing);
    refuse(nullptr, 0);
    QCOMPARE(refusal(), QString()); // what was refused once can work later
}

void TestPcSampler::withoutAContext()
{
    QString said;
    std::thread([&] { said = refusal(); }).join();
    QVERIFY2(said.contains("no CUDA context"), qPrintable(said));
}

void TestPcSampler::anOlderCupti()
{
    const SharedLibrary older = SharedLibrary::load(STAGECRAFT_FAKE_CUPTI, STAGECRAFT_FAKE_OLDER_CUPTI_FOLDER);
    QVERIFY2(older.loaded(), older.problem().c_str());
    for (const CuptiVariant &variant : builtVariants()) {
        if (QString(STAGECRAFT_FAKE_CUPTI).endsWith(QString::number(variant.major)))
            QVERIFY_EXCEPTION_THROWN(variant.openSampler(older), CaptureError);
    }
}

QTEST_APPLESS_MAIN(TestPcSampler)
#include "tst_pcsampler.moc"
