// SPDX-License-Identifier: GPL-3.0-or-later
#include "valuefixture.h"
#include "valueparts.h"

#include <cmath>

using namespace stagecraft::evidence;
using nlohmann::json;

// What becomes of samples and kernel records: one row for each implementation of an operation.
class TestValueRows : public ValueFixture
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }
    void init() { reset(); }

    void meanAndMedian()
    {
        QVERIFY(std::isnan(mean({})));
        QVERIFY(std::isnan(median({})));
        QCOMPARE(mean(QList<double>{1, 2, 6}), 3.0);
        QCOMPARE(median(QList<double>{6, 1, 2}), 2.0);
        QCOMPARE(median(QList<double>{6, 1, 2, 4}), 3.0);
        QCOMPARE(median(QList<double>{5}), 5.0);
    }

    void spanIsTheMeanOfAllSamples()
    {
        const ValueRow cuda = row("cuda");
        QCOMPARE(cuda.span.state, State::Ok);
        QCOMPARE(cuda.span.source, QStringLiteral("event"));
        const Estimate &span = *cuda.span.estimate;
        QCOMPARE(span.mean, 21.0);
        QCOMPARE(span.median.value_or(0), 21.0);
        QCOMPARE(span.samples, 303);
        QCOMPARE(span.roundMeans, QList<double>({20, 21, 22}));
        QCOMPARE(span.roundMedians, QList<double>({20, 21, 22}));
        QCOMPARE(span.low, 20.0);
        QCOMPARE(span.high, 22.0);
        QVERIFY(cuda.flags.isEmpty());
        QCOMPARE(cuda.stage, QStringLiteral("matmul/tiled"));
        QCOMPARE(cuda.arithmetic, QStringLiteral("fp32"));
        QCOMPARE(cuda.dims, QList<qint64>({8, 8, 8}));
        QCOMPARE(cuda.cache, QStringLiteral("warm"));
        QVERIFY(cuda.correctness && cuda.correctness->passed);
    }

    void kernelTimeIsTheSumPerIteration()
    {
        const ValueRow cublas = row("cublas");
        QCOMPARE(cublas.kernel.estimate->mean, 6.0); // two kernels of 3 µs
        QCOMPARE(cublas.kernel.estimate->median.value_or(0), 6.0);
        QCOMPARE(cublas.kernel.source, QStringLiteral("cupti"));
        QCOMPARE(cublas.launches.estimate->mean, 2.0);
        QCOMPARE(cublas.kernelNames, QStringList({"kernel0", "kernel1"}));
        QCOMPARE(cublas.firstKernel->gridSize, QStringLiteral("4,1,1"));
        const ValueRow cuda = row("cuda");
        QCOMPARE(cuda.kernel.estimate->mean, 13.0);
        QCOMPARE(cuda.kernel.estimate->low, 12.0);
        QCOMPARE(cuda.kernel.estimate->high, 14.0);
        QCOMPARE(cuda.kernel.estimate->samples, 30);
    }

    void theMedianIsOverTheIterations()
    {
        json &records = m_profiles["captures"][1]["kernel_metrics"]; // cublas, round 0: pairs of records
        records[0]["duration_us"] = 50.0;
        m_profiles["captures"] = json::array({m_profiles["captures"][1]});
        const Estimate kernel = *row("cublas").kernel.estimate;
        QCOMPARE(kernel.mean, (9 * 6.0 + 53.0) / 10);
        QCOMPARE(kernel.median.value_or(0), 6.0);
    }

    void aRoundWithoutAMeasurementCostsThatRoundOnly()
    {
        json &cuda = implementation(1, "cuda");
        cuda["state"] = "failed";
        cuda["reason"] = "the worker ended";
        cuda["samples_us"] = json::array();
        const ValueRow value = row("cuda");
        QCOMPARE(value.span.state, State::Ok);
        QCOMPARE(value.span.reason, QStringLiteral("2 of 3 rounds: the worker ended"));
        QCOMPARE(value.span.estimate->roundMeans, QList<double>({20, 22}));
        QCOMPARE(value.span.estimate->lostRounds, 1);
        QCOMPARE(value.flags, QList<Flag>({Flag::RoundsMissing}));
        QCOMPARE(value.kernel.state, State::Ok);
        QCOMPARE(value.kernel.reason, QString());
    }

    void noSoundRoundFailsTheValue()
    {
        for (int r = 0; r < 3; ++r)
            implementation(r, "cuda") = {{"state", "failed"}, {"reason", "the worker ended"}};
        QCOMPARE(row("cuda").span.state, State::Failed);
        QCOMPARE(row("cuda").span.reason, QStringLiteral("the worker ended"));
        QVERIFY(!row("cuda").span.estimate);
    }

    void aFailedCheckFailsTheWholeRow()
    {
        json &cuda = implementation(1, "cuda");
        cuda["correctness"]["passed"] = false;
        cuda["state"] = "failed";
        cuda["reason"] = "3 elements outside the tolerance";
        const ValueRow value = row("cuda");
        for (const Value &part : {value.span, value.kernel, value.launches}) {
            QCOMPARE(part.state, State::Failed);
            QCOMPARE(part.reason, QStringLiteral("3 elements outside the tolerance"));
            QVERIFY(!part.estimate);
        }
        QVERIFY(!value.correctness->passed);
        QCOMPARE(row("cublas").kernel.state, State::Ok);
        m_profiles = nullptr;
        QCOMPARE(row("cuda").kernel.state, State::Unavailable);
    }

    void roundsStillToComeDoNotHideTheResult()
    {
        json &cuda = implementation(2, "cuda");
        cuda = {{"state", "not run"}};
        QCOMPARE(row("cuda").span.state, State::Ok);
        QCOMPARE(row("cuda").span.estimate->mean, 20.5);
        for (int r = 0; r < 3; ++r)
            implementation(r, "cuda") = {{"state", "not run"}};
        QCOMPARE(row("cuda").span.state, State::NotRun);
        QVERIFY(!row("cuda").span.estimate);
    }

    void anUnavailableCaptureKeepsItsReason()
    {
        for (json &capture : m_profiles["captures"])
            capture = {{"operation", "matmul"},
                       {"language", capture["language"]},
                       {"round", capture["round"]},
                       {"state", "unavailable"},
                       {"reason", "another profiler holds the device"}};
        const ValueRow value = row("cuda");
        QCOMPARE(value.kernel.state, State::Unavailable);
        QCOMPARE(value.kernel.reason, QStringLiteral("another profiler holds the device"));
        QVERIFY(!value.kernel.estimate);
        QCOMPARE(value.launches.state, State::Unavailable);
        QCOMPARE(value.span.state, State::Ok);
    }

    void aMissingFileIsNamed()
    {
        m_profiles = nullptr;
        QCOMPARE(row("cuda").kernel.state, State::Unavailable);
        QVERIFY(row("cuda").kernel.reason.contains("comparison-profiles.json"));
    }

    void anImplementationWithoutCaptures()
    {
        m_profiles["captures"].erase(1);
        m_profiles["captures"].erase(2);
        m_profiles["captures"].erase(3);
        QCOMPARE(row("cublas").kernel.state, State::NotRun);
        QCOMPARE(row("cublas").span.state, State::Ok);
    }

    void lostRecordsOfSeveralKernelsAreInvalid()
    {
        m_profiles["captures"] = json::array({m_profiles["captures"][0], m_profiles["captures"][1]});
        m_profiles["captures"][1]["kernel_metrics"][3]["duration_us"] = nullptr;
        const ValueRow cublas = row("cublas");
        QCOMPARE(cublas.kernel.state, State::Invalid);
        QVERIFY(cublas.kernel.reason.contains("1 of 20 kernel records"));
    }

    void samplesComeBeforeASummary()
    {
        fixtures::write(m_folder->filePath("summary.json"), fixtures::summary());
        QCOMPARE(row("cuda").span.estimate->mean, 21.0);
        QVERIFY(row("cuda").span.estimate->median);
    }

    void aSummaryHasNoSamples()
    {
        fixtures::write(m_folder->filePath("h.json"), fixtures::summary());
        const QList<ValueRow> rows = valueRows(readNamespace(m_folder->filePath("h.json")));
        QCOMPARE(rows.size(), 1);
        const Estimate &span = *rows[0].span.estimate;
        QCOMPARE(span.mean, 20.0);
        QCOMPARE(span.low, 19.0);
        QCOMPARE(span.high, 21.0);
        QCOMPARE(span.samples, 300);
        QVERIFY(!span.median && span.roundMeans.isEmpty());
        QCOMPARE(rows[0].kernel.estimate->mean, 12.0);
        QCOMPARE(rows[0].launches.estimate->mean, 1.0);
        QVERIFY(rows[0].flags.isEmpty());
    }

    void magesCapturesBelongToTheOperation()
    {
        for (json &capture : m_profiles["captures"])
            for (const char *key : {"dims", "cache", "round"})
                capture.erase(key);
        m_results["results"][0].erase("cache");
        const QList<ValueRow> rows = read();
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[1].kernel.estimate->mean, 13.0);
    }

    // What says nothing of the cache is warm: pooled with what says so, never with a cold one.
    void coldAndWhatSaysNothingStayApart()
    {
        json cold = m_results["results"][0];
        cold["cache"] = "cold";
        m_results["results"][0].erase("cache");
        for (const bool coldFirst : {false, true}) {
            m_results["results"].push_back(cold);
            if (coldFirst)
                std::swap(m_results["results"][0], m_results["results"][1]);
            for (const char *captured : {"warm", "", "cold"}) {
                for (json &capture : m_profiles["captures"])
                    capture["cache"] = *captured ? json(captured) : json(nullptr);
                const QList<ValueRow> rows = read();
                QCOMPARE(rows.size(), 4);
                for (const ValueRow &row : rows) {
                    QCOMPARE(row.span.estimate->samples, 303);
                    const bool isCold = row.cache == QLatin1String("cold");
                    QCOMPARE(row.kernel.estimate.has_value(), isCold == (QLatin1String(captured) == "cold"));
                    const ValueRow single =
                        valueRow(m_read, m_read.results[isCold == coldFirst ? 0 : 1], row.implementation);
                    QCOMPARE(single.kernel.estimate.has_value(), row.kernel.estimate.has_value());
                }
            }
            m_results["results"].erase(coldFirst ? 0 : 1);
        }
        m_results["results"][0] = cold;
        for (json &capture : m_profiles["captures"])
            capture.erase("cache");
        const QList<ValueRow> rows = read(); // mage's captures name no state: they are of the only one
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[1].kernel.estimate->mean, 13.0);
    }

    void twoCasesOfOneOperationStayApart()
    {
        json other = m_results["results"][0];
        other["dims"] = {16, 16, 16};
        m_results["results"].push_back(other);
        const QList<ValueRow> rows = read();
        QCOMPARE(rows.size(), 4);
        QCOMPARE(rows[0].kernel.state, State::Ok);
        QCOMPARE(rows[2].dims, QList<qint64>({16, 16, 16}));
        QCOMPARE(rows[2].kernel.state, State::NotRun);
    }

    // Helpers are kernels of the operation too: named and counted, in the order of their first launch.
    void everyKernelIsCountedByName()
    {
        const ValueRow cublas = row("cublas");
        QCOMPARE(cublas.kernels.size(), 2);
        QCOMPARE(cublas.kernels[0].name, QStringLiteral("kernel0"));
        QCOMPARE(cublas.kernels[1].name, QStringLiteral("kernel1"));
        QCOMPARE(cublas.kernels[1].perIteration.value_or(0), 1.0);
        m_profiles["captures"][3]["invalid_records"] = 2;
        QCOMPARE(row("cublas").kernels.size(), 2);
        QVERIFY(!row("cublas").kernels[0].perIteration); // some are not there: how many it were is not known
        for (int capture : {1, 3, 5}) {
            m_profiles["captures"][capture]["state"] = "invalid";
            m_profiles["captures"][capture]["reason"] = "3 kernel records were lost by the instrument";
        }
        QVERIFY(row("cublas").kernels.isEmpty());
        QCOMPARE(row("cublas").kernel.reason, QStringLiteral("3 kernel records were lost by the instrument"));
    }

    // Three records over two iterations that none of them names: a mean, but no median of the round.
    void aCaptureWithoutWholeIterationsHasNoMedian()
    {
        auto &capture = m_profiles["captures"][2];
        capture["requested_iterations"] = 2;
        while (capture["kernel_metrics"].size() > 3)
            capture["kernel_metrics"].erase(3);
        capture["launches"] = 3;
        const ValueRow cuda = row("cuda");
        QVERIFY(cuda.flags.contains(Flag::LaunchesVary));
        QCOMPARE(cuda.kernel.estimate->roundMeans.size(), 3);
        QCOMPARE(cuda.kernel.estimate->roundMedians.size(), 3); // so that each stands at its round's place
        QVERIFY(std::isnan(cuda.kernel.estimate->roundMedians[1]));
        QVERIFY(!cuda.kernel.estimate->median);
    }

    void notesOfTheWorkersAreReadOnce()
    {
        auto &rounds = m_results["results"][0]["rounds"];
        for (auto &round : rounds)
            round["implementations"]["cublas"]["note"] = "cuBLAS 13.0, workspace 32 MiB";
        rounds[2]["implementations"]["cublas"]["note"] = "cuBLAS 13.1, workspace 32 MiB";
        QCOMPARE(row("cublas").note, QString("cuBLAS 13.0, workspace 32 MiB; cuBLAS 13.1, workspace 32 MiB"));
        QVERIFY(row("cuda").note.isEmpty());
    }

    void operationsInCatalogueOrder()
    {
        json &results = m_results["results"];
        for (const char *operation : {"zeta", "neighbor", "gelu"}) {
            json other = results[0];
            other["op"] = operation;
            results.push_back(other);
        }
        QStringList order;
        for (const ValueRow &value : read()) {
            if (!order.contains(value.operation))
                order.append(value.operation);
        }
        QCOMPARE(order, QStringList({"matmul", "gelu", "neighbor", "zeta"}));
    }
};

QTEST_GUILESS_MAIN(TestValueRows)
#include "tst_valuerows.moc"
