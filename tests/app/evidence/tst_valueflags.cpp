// SPDX-License-Identifier: GPL-3.0-or-later
#include "valuefixture.h"
#include "valueparts.h"

using namespace stagecraft::evidence;
using nlohmann::json;

// What is said beside a value: what makes it doubtful.
class TestValueFlags : public ValueFixture
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }
    void init() { reset(); }

    void spanBelowKernelInTheSameRound()
    {
        json records = m_profiles["captures"][0]["kernel_metrics"];
        for (json &record : records)
            record["duration_us"] = 100.0; // spans of round 0 end at 26.25
        m_profiles["captures"][0]["kernel_metrics"] = records;
        QCOMPARE(row("cuda").flags, QList<Flag>({Flag::SpanBelowKernel}));
        QVERIFY(row("cublas").flags.isEmpty());
        // Captures of a separate run say nothing about these spans.
        m_profiles["captures"][0].erase("round");
        QVERIFY(row("cuda").flags.isEmpty());
    }

    void overlappingRangesAreNoFlag()
    {
        for (json &record : m_profiles["captures"][0]["kernel_metrics"])
            record["duration_us"] = 26.0; // above the mean of 20, inside the range up to 26.25
        QVERIFY(row("cuda").flags.isEmpty());
    }

    void fasterThanTheFloor()
    {
        m_floors = {
            {"format", 1},
            {"floors",
             {{{"operation", "matmul"}, {"arithmetic", "fp32"}, {"cache", "warm"}, {"what", "rate"}, {"us", 12.5}},
              {{"operation", "matmul"}, {"arithmetic", "fp32"}, {"cache", "warm"}, {"what", "copy"}, {"us", 2.0}},
              {{"operation", "matmul"}, {"arithmetic", "fp32"}, {"cache", "cold"}, {"what", "copy"}, {"us", 90.0}},
              {{"operation", "gelu"}, {"us", 99.0}}}}};
        QCOMPARE(row("cublas").floorUs.value_or(0), 12.5);
        QCOMPARE(row("cublas").flags, QList<Flag>({Flag::FasterThanFloor}));
        QVERIFY(row("cuda").flags.isEmpty());
        const double kernel = row("cublas").kernel.estimate->mean;
        m_floors["floors"][0]["us"] = kernel / 0.985; // a floor is a measurement too
        QVERIFY(row("cublas").flags.isEmpty());
        m_floors["floors"][0]["us"] = kernel / 0.975;
        QCOMPARE(row("cublas").flags, QList<Flag>({Flag::FasterThanFloor}));
        m_floors["floors"][0]["arithmetic"] = "3xtf32";
        QCOMPARE(row("cublas").floorUs.value_or(0), 2.0);
        QVERIFY(row("cublas").flags.isEmpty());
    }

    // A copy bounds every arithmetic; a cache state that is not named is warm; the highest of them counts.
    void aFloorMayStandForAnyArithmetic()
    {
        m_floors = json::array({{{"operation", "matmul"}, {"what", "copy"}, {"us", 3.5}},
                                {{"operation", "matmul"}, {"arithmetic", "3xtf32"}, {"what", "rate"}, {"us", 12.4}}});
        QCOMPARE(row("cublas").floorUs.value_or(0), 3.5);
        QCOMPARE(row("cublas").floorWhat, QStringLiteral("copy"));
        QCOMPARE(row("cublas").floorArithmetic, QString());
        for (int round = 0; round < 3; ++round)
            implementation(round, "cublas")["arithmetic"] = "3xtf32";
        QCOMPARE(row("cublas").floorUs.value_or(0), 12.4);
        QCOMPARE(row("cublas").floorArithmetic, QStringLiteral("3xtf32"));
        QCOMPARE(row("cuda").floorUs.value_or(0), 3.5);
        m_floors[0]["cache"] = "cold";
        QVERIFY(!row("cuda").floorUs);
    }

    // What the files of this project's format do not name is not known; mage's name none, and theirs is FP32.
    void anArithmeticThatIsNotNamed()
    {
        m_floors = json::array({{{"operation", "matmul"}, {"arithmetic", "fp32"}, {"what", "rate"}, {"us", 1.5}}});
        for (int round = 0; round < 3; ++round)
            implementation(round, "cublas").erase("arithmetic");
        QVERIFY(!row("cublas").floorUs);
        m_results.erase("format");
        m_profiles.erase("format");
        QCOMPARE(row("cublas").floorUs.value_or(0), 1.5);
    }

    void theCpuHasNoFloor()
    {
        m_floors = json::array({{{"operation", "matmul"}, {"what", "copy"}, {"us", 500.0}}});
        for (int round = 0; round < 3; ++round)
            implementation(round, "cuda")["source"] = "host";
        QCOMPARE(row("cuda").floorUs.value_or(0), 500.0); // an external program's clock; its records are the GPU's
        json others = json::array();
        for (const json &capture : m_profiles["captures"])
            if (capture["language"] != "cuda")
                others.push_back(capture);
        m_profiles["captures"] = others;
        QVERIFY(!row("cuda").floorUs);
        QCOMPARE(row("cublas").floorUs.value_or(0), 500.0);
    }

    // Another cache state is no other dims; other dims need a floor that names its own.
    void aFloorIsOfItsDims()
    {
        json cold = m_results["results"][0];
        cold["cache"] = "cold";
        m_results["results"].push_back(cold);
        m_floors = json::array({{{"operation", "matmul"}, {"what", "copy"}, {"cache", "warm"}, {"us", 1.5}},
                                {{"operation", "matmul"}, {"what", "copy"}, {"cache", "cold"}, {"us", 2.5}}});
        const auto floors = [this] {
            QList<double> found;
            for (const ValueRow &value : read())
                if (value.implementation == QLatin1String("cublas"))
                    found.append(value.floorUs.value_or(0));
            return found;
        };
        QCOMPARE(floors(), QList<double>({1.5, 2.5}));
        m_results["results"][1]["cache"] = "warm";
        m_results["results"][1]["dims"] = {16, 16, 16};
        QCOMPARE(floors(), QList<double>({0, 0}));
        m_floors[0]["dims"] = {16, 16, 16};
        QCOMPARE(floors(), QList<double>({0, 1.5}));
    }

    void withoutAFloorItIsUnknown() { QVERIFY(!row("cuda").floorUs); }

    // Eleven launches over ten iterations: no whole number, but each record names its iteration.
    void launchesThatVaryWithinACapture()
    {
        nlohmann::json varying = fixtures::capture("cuda", 1, 10, 6.0);
        auto &records = varying["kernel_metrics"];
        for (size_t i = 0; i < records.size(); ++i)
            records[i]["iteration"] = i;
        records.push_back(records.back());
        varying["launches"] = records.size();
        m_profiles["captures"][2] = varying;
        const ValueRow cuda = row("cuda");
        QCOMPARE(cuda.flags, QList<Flag>({Flag::LaunchesVary}));
        QCOMPARE(cuda.launches.estimate->high, 1.1);
        // The iteration with two launches took twice as long; the median is that of the others.
        QCOMPARE(cuda.kernel.estimate->roundMedians.at(1), 6.0);
        QCOMPARE(cuda.kernel.estimate->roundMeans.at(1), 6.6);
    }

    void launchesThatVary()
    {
        m_profiles["captures"][2] = fixtures::capture("cuda", 1, 10, 6.0, 2);
        const ValueRow cuda = row("cuda");
        QCOMPARE(cuda.flags, QList<Flag>({Flag::LaunchesVary}));
        QCOMPARE(cuda.launches.estimate->low, 1.0);
        QCOMPARE(cuda.launches.estimate->high, 2.0);
    }

    void fewSamples()
    {
        m_results = fixtures::results(1, 4);
        m_profiles = fixtures::profiles(1, 10);
        QCOMPARE(row("cuda").flags, QList<Flag>({Flag::FewSamples}));
        m_results = fixtures::results(1, 5);
        QVERIFY(row("cuda").flags.isEmpty());
    }

    void throttledRounds()
    {
        m_results["results"][0]["rounds"][1]["gpu_state"] = "NVIDIA H200, 83, 1200 MHz, 0x0000000000000020";
        QCOMPARE(row("cuda").flags, QList<Flag>({Flag::Throttled}));
        QCOMPARE(row("cuda").span.state, State::Ok);
        QCOMPARE(row("cuda").throttleReasons, QStringList({"software thermal slowdown"}));
        m_results["results"][0]["rounds"][2]["gpu_state"] = "NVIDIA H200, 83, 1200 MHz, 0x0000000000000024";
        QCOMPARE(row("cuda").throttleReasons, QStringList({"software thermal slowdown", "software power cap"}));
        for (int r = 0; r < 3; ++r)
            implementation(r, "cuda")["source"] = "host";
        QVERIFY(row("cuda").flags.isEmpty());
        implementation(0, "cublas")["state"] = "throttled";
        implementation(0, "cublas")["reason"] = "power cap";
        QCOMPARE(row("cublas").span.state, State::Throttled);
        QVERIFY(row("cublas").span.estimate);
    }

    void throttleReasons_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("slow");
        QTest::newRow("nothing") << "" << false;
        QTest::newRow("idle") << "GPU-1, 0x0000000000000001" << false;
        QTest::newRow("power cap") << "GPU-1, 0x0000000000000004" << true;
        QTest::newRow("hardware slowdown") << "GPU-1, 0x0000000000000048" << true;
        QTest::newRow("application clocks") << "GPU-1, 0x0000000000000002" << false;
        QTest::newRow("columns")
            << "name, clocks_event_reasons.gpu_idle, clocks_event_reasons.hw_slowdown\nH200, Not Active, Active"
            << true;
        QTest::newRow("idle column")
            << "name, clocks_event_reasons.gpu_idle, clocks_event_reasons.hw_slowdown\nH200, Active, Not Active"
            << false;
        QTest::newRow("older names") << "name, clocks_throttle_reasons.sw_power_cap\nRTX 4090, Active" << true;
    }

    void throttleReasons()
    {
        QFETCH(QString, text);
        QFETCH(bool, slow);
        QCOMPARE(!::stagecraft::evidence::throttleReasons(text).isEmpty(), slow);
    }
};

QTEST_GUILESS_MAIN(TestValueFlags)
#include "tst_valueflags.moc"
