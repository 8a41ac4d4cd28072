// SPDX-License-Identifier: GPL-3.0-or-later
#include "documents.h"
#include "evidencefixtures.h"
#include "evidencereader.h"
#include "evidencewriter.h"

#include <cmath>

using namespace stagecraft::evidence;
using fixtures::parsed;
using nlohmann::json;

// A namespace in mage's form: what its own scripts accept, and what is said of the rest.
class TestMageWriter : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_results = fixtures::results();
        m_profiles = fixtures::profiles();
        m_excluded.clear();
    }

    void itHasWhatMageReads()
    {
        QCOMPARE(writeMage(read(), {{"cuda", "rust"}, {"cublas", "python"}}, out(), m_excluded), QString());

        const json results = parsed(out("comparison-results.json"));
        QVERIFY(!results.contains("format"));
        const json round = results["results"][0]["rounds"][0];
        QCOMPARE(fixtures::text(round["order"]), fixtures::text(json({"rust", "python"})));
        const json rust = round["implementations"]["rust"];
        QCOMPARE(fixtures::text(rust["samples_us"]),
                 fixtures::text(m_results["results"][0]["rounds"][0]["implementations"]["cuda"]["samples_us"]));
        for (const char *key : {"state", "reason", "stage", "arithmetic", "source"})
            QVERIFY2(!rust.contains(key), key);
        QVERIFY(rust["correctness"]["passed"].get<bool>());
        QVERIFY(results["results"][0]["rounds"][2]["implementations"].contains("python"));
        QVERIFY(!results.contains("excluded") || results["excluded"].empty());
        QCOMPARE(m_excluded, QStringList());

        const json profiles = parsed(out("comparison-profiles.json"));
        QVERIFY(profiles["timing"].get<std::string>().find("requested_iterations") != std::string::npos);
        const json &captures = profiles["captures"];
        QCOMPARE(captures.size(), std::size_t(2));
        QCOMPARE(fixtures::text(captures[0]["language"]), fixtures::text(json("rust")));
        QCOMPARE(fixtures::text(captures[0]["launches"]), fixtures::text(json(30)));
        QCOMPARE(fixtures::text(captures[0]["requested_iterations"]), fixtures::text(json(30)));
        QCOMPARE(captures[0]["kernel_metrics"].size(), std::size_t(30));
        QCOMPARE(fixtures::text(captures[1]["kernel_names"]), fixtures::text(json({"kernel0", "kernel1"})));
        QCOMPARE(fixtures::text(captures[1]["launches"]), fixtures::text(json(60))); // three rounds of two kernels
        for (const char *key : {"round", "dims", "cache", "stage", "state", "timestamp_mode"})
            QVERIFY2(!captures[0].contains(key), key);
        QVERIFY(!captures[0]["kernel_metrics"][0].contains("iteration"));

        const Namespace back = readNamespace(out());
        QVERIFY2(!back.hasContradiction(), qPrintable(fixtures::described(back.problems)));
    }

    // mage's scripts count every round of whoever takes part.
    void itLeavesOutWhatLacksARound()
    {
        json &failed = m_results["results"][0]["rounds"][2]["implementations"]["cublas"];
        failed["state"] = "failed";
        failed["reason"] = "the worker ended";
        failed["samples_us"] = json::array();
        QCOMPARE(writeMage(read(), {{"cuda", "rust"}, {"cublas", "python"}}, out(), m_excluded), QString());
        const json results = parsed(out("comparison-results.json"));
        for (const json &round : results["results"][0]["rounds"]) {
            QVERIFY(!round["implementations"].contains("python"));
            QCOMPARE(fixtures::text(round["order"]), fixtures::text(json({"rust"})));
        }
        QCOMPARE(results["excluded"].size(), std::size_t(1));
        QCOMPARE(fixtures::text(results["excluded"][0]),
                 fixtures::text(json("matmul python, for want of round 2: failed: the worker ended")));
        QCOMPARE(m_excluded, QStringList({"matmul python, for want of round 2: failed: the worker ended"}));
        const json captures = parsed(out("comparison-profiles.json"))["captures"];
        QCOMPARE(captures.size(), std::size_t(1));
        QCOMPARE(fixtures::text(captures[0]["language"]), fixtures::text(json("rust")));
        const Namespace back = readNamespace(out());
        QVERIFY2(!back.hasContradiction(), qPrintable(fixtures::described(back.problems)));
    }

    // Spans and kernel records are of the same rounds.
    void itLeavesOutWhoseCapturesLackARound()
    {
        unavailable(5, "cublas", 2);
        m_profiles["captures"].erase(3);
        QCOMPARE(writeMage(read(), {{"cuda", "rust"}}, out(), m_excluded), QString());
        for (const json &round : parsed(out("comparison-results.json"))["results"][0]["rounds"])
            QVERIFY(!round["implementations"].contains("cublas"));
        QCOMPARE(parsed(out("comparison-profiles.json"))["captures"].size(), std::size_t(1));
        QCOMPARE(m_excluded, QStringList({"matmul cublas, for want of round 2: capture unavailable: no CUPTI; round 1: "
                                          "not captured"}));
    }

    void spansWithoutAnyRecordStandAlone()
    {
        for (int round = 0; round < 3; ++round)
            unavailable(static_cast<std::size_t>(2 * round + 1), "cublas", round);
        QCOMPARE(writeMage(read(), {}, out(), m_excluded), QString());
        QVERIFY(
            parsed(out("comparison-results.json"))["results"][0]["rounds"][0]["implementations"].contains("cublas"));
        QCOMPARE(parsed(out("comparison-profiles.json"))["captures"].size(), std::size_t(1));
        QCOMPARE(m_excluded, QStringList({"the kernel records of matmul cublas, for want of rounds 0, 1, 2: capture "
                                          "unavailable: no CUPTI"}));
    }

    void anOperationThatKeepsNoneGoesToo()
    {
        json gelu = m_results["results"][0];
        gelu["op"] = "gelu";
        gelu["dims"] = {8, 8};
        for (json &round : gelu["rounds"]) {
            for (json &entry : round["implementations"]) {
                entry["state"] = "failed";
                entry["reason"] = "lost";
            }
        }
        m_results["results"].push_back(gelu);
        QCOMPARE(writeMage(read(), {}, out(), m_excluded), QString());
        QCOMPARE(parsed(out("comparison-results.json"))["results"].size(), std::size_t(1));
        QCOMPARE(m_excluded, QStringList({"gelu cuda, for want of rounds 0, 1, 2: failed: lost",
                                          "gelu cublas, for want of rounds 0, 1, 2: failed: lost"}));
        m_results["results"].erase(0);
        m_excluded.clear();
        const QString error = writeMage(read(), {}, out("none"), m_excluded);
        QVERIFY2(error.contains("no implementation has every round"), qPrintable(error));
        QCOMPARE(m_excluded.size(), 2);
        QVERIFY(!QFile::exists(out("none")));
    }

    // Two kernels an iteration in one round, one in the others: no whole number for them together.
    void itJoinsWholeLaunchesOnly()
    {
        json &capture = m_profiles["captures"][2];
        const json again = capture["kernel_metrics"];
        for (const json &record : again)
            capture["kernel_metrics"].push_back(record);
        capture["launches"] = 2 * capture["launches"].get<int>();
        QCOMPARE(writeMage(read(), {{"cuda", "rust"}}, out(), m_excluded), QString());
        const json results = parsed(out("comparison-results.json"));
        QCOMPARE(results["excluded"].size(), std::size_t(1));
        QVERIFY(results["excluded"][0].get<std::string>().find("other launches per iteration") != std::string::npos);
        for (const json &joined : parsed(out("comparison-profiles.json"))["captures"])
            QCOMPARE(joined["launches"].get<int>() % joined["requested_iterations"].get<int>(), 0);
    }

    void itKnowsNoRuns()
    {
        m_results["runs"] = 3;
        m_results["rounds_per_run"] = 1;
        for (int r = 0; r < 3; ++r)
            m_results["results"][0]["rounds"][static_cast<std::size_t>(r)]["run"] = r;
        QCOMPARE(writeMage(read(), {{"cuda", "rust"}}, out(), m_excluded), QString());
        const json results = parsed(out("comparison-results.json"));
        QVERIFY(!results.contains("runs") && !results.contains("rounds_per_run"));
        QVERIFY(!results["results"][0]["rounds"][1].contains("run"));
        QCOMPARE(results["rounds"].get<int>(), 3);
    }

    void itRefusesTwoOfOneName()
    {
        const QString error = writeMage(read(), {{"cuda", "rust"}, {"cublas", "rust"}}, out(), m_excluded);
        QVERIFY2(error.contains("rust") && error.contains("cublas"), qPrintable(error));
        QVERIFY(!QFile::exists(out()));
    }

private:
    void unavailable(std::size_t capture, const char *language, int round)
    {
        m_profiles["captures"][capture] = {{"operation", "matmul"},
                                           {"language", language},
                                           {"round", round},
                                           {"state", "unavailable"},
                                           {"reason", "no CUPTI"}};
    }

    QString in(const QString &name = {}) const { return m_folder->filePath("in/" + name); }
    QString out(const QString &name = {}) const { return m_folder->filePath(name.isEmpty() ? "out" : "out/" + name); }

    Namespace read()
    {
        fixtures::write(in("comparison-results.json"), m_results);
        fixtures::write(in("comparison-profiles.json"), m_profiles);
        return readNamespace(in());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    json m_results, m_profiles;
    QStringList m_excluded;
};

QTEST_GUILESS_MAIN(TestMageWriter)
#include "tst_magewriter.moc"
