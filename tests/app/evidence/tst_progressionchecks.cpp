// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "evidencereader.h"
#include "evidencewriter.h"

// What a progression says can be computed again: from its own numbers, and from the samples of the runs beside it.
using namespace stagecraft::evidence;
using nlohmann::json;

class TestProgressionChecks : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    // Two runs of two rounds: spans of 20 to 23 µs, kernel times of 12 to 15.
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_results = fixtures::results(4);
        m_results["runs"] = m_results["rounds_per_run"] = 2;
        for (int r = 0; r < 4; ++r)
            m_results["results"][0]["rounds"][static_cast<std::size_t>(r)]["run"] = r / 2;
        m_progression = {{"format", 1},
                         {"operations",
                          {{{"op", "matmul"},
                            {"dims", {8, 8, 8}},
                            {"stages",
                             {{{"id", "tiled"},
                               {"title", "tiles"},
                               {"retained_in", {"ns"}},
                               {"origin", "ns"},
                               {"span_us", 21.5},
                               {"kernel_state", "invalid"},
                               {"kernel_reason", "launches vary"}}}},
                            {"attempts",
                             {{{"id", "tiled"},
                               {"title", "itself"},
                               {"metric", "kernel time"},
                               {"range", {12.5, 14.5}},
                               {"evidence", "ns"}}}},
                            {"experiments",
                             {{{"title", "reads"},
                               {"counts", {{"reads", {{"a", 0.5}, {"b", 0.75}}}}},
                               {"metric", "span"},
                               {"values", {{"a", 100.0}, {"b", 145.0}}},
                               {"predicted", 1.5},
                               {"measured", 1.45}}}},
                            {"ab",
                             {{{"title", "tiles"},
                               {"stage", "matmul/tiled"},
                               {"metric", "span"},
                               {"runs", {20.5, 22.5}},
                               {"run_numbers", {0, 1}},
                               {"mean", 21.5}}}}}}}};
    }

    void whatAgreesIsSound()
    {
        const Namespace evidence = read();
        QVERIFY2(!evidence.hasContradiction(), qPrintable(fixtures::described(evidence.problems)));
        QCOMPARE(evidence.problems.size(), 1); // the recorded state of the kernel time
        QCOMPARE(evidence.problems[0].pointer, QString("/operations/0/stages/0/kernel_state"));
        const OperationProgression &matmul = evidence.progression->operations[0];
        QCOMPARE(matmul.stages[0].state, State::Ok);
        QCOMPARE(matmul.stages[0].kernelState, State::Invalid);
        QCOMPARE(matmul.stages[0].kernelReason, QString("launches vary"));
        QCOMPARE(matmul.ab[0].runNumbers, QList<int>({1, 2}));

        Namespace fresh = evidence;
        fresh.progressionDocument = nullptr;
        QCOMPARE(writeNamespace(fresh, m_folder->filePath("out")), QString());
        const auto written = json::parse(fixtures::contents(m_folder->filePath("out/progression.json")).toStdString());
        const json &entry = written["operations"][0];
        QCOMPARE(fixtures::text(entry["stages"]), fixtures::text(m_progression["operations"][0]["stages"]));
        QCOMPARE(fixtures::text(entry["ab"]), fixtures::text(m_progression["operations"][0]["ab"]));
    }

    void doctoredNumbersAreNamed_data()
    {
        QTest::addColumn<QString>("pointer"); // of what is changed, below the operation
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("problem"); // its pointer there
        QTest::addColumn<QString>("cause");
        const auto row = [](const char *name, const char *pointer, const char *value, const char *problem,
                            const char *cause) {
            QTest::newRow(name) << QString(pointer) << QByteArray(value) << QString(problem) << QString(cause);
        };
        row("range too wide", "/attempts/0/range", "[12.0, 15.0]", "/attempts/0/range", "ns records 12.5 to 14.5 µs");
        row("range too narrow", "/attempts/0/range", "[13.0, 14.0]", "/attempts/0/range", "ns records 12.5 to 14.5 µs");
        row("other runs", "/ab/0/runs", "[20.4, 22.6]", "/ab/0/runs", "the runs 0, 1 (from 0) give 20.5, 22.5 µs");
        row("other run numbers", "/ab/0/run_numbers", "[0, 2]", "/ab/0/runs", "the runs 0, 1 (from 0)");
        row("a number is missing", "/ab/0/run_numbers", "[0]", "/ab/0/run_numbers", "each of the 2 runs");
        row("a run twice", "/ab/0/run_numbers", "[1, 1]", "/ab/0/run_numbers", "the smaller ones first");
        row("another prediction", "/experiments/0/predicted", "1.6", "/experiments/0/predicted", "the counts give");
        row("other counts", "/experiments/0/counts/reads/b", "1.0", "/experiments/0/predicted", "2 (b to a)");
        row("another measurement", "/experiments/0/measured", "1.5", "/experiments/0/measured", "the values give 1.45");
        row("the wrong way round", "/experiments/0/measured", "0.69", "/experiments/0/measured", "1.45 (b to a)");
        row("other labels", "/experiments/0/values", R"({"a": 100.0, "c": 145.0})", "/experiments/0/values",
            "for each label");
        row("a kernel time that is not there", "/stages/0/kernel_us", "13.5", "/stages/0/kernel_state",
            "yet there is one");
        row("no reason", "/stages/0/kernel_reason", "\"\"", "/stages/0/kernel_reason", "a reason is expected");
    }
    void doctoredNumbersAreNamed()
    {
        QFETCH(QString, pointer);
        QFETCH(QByteArray, value);
        QFETCH(QString, problem);
        QFETCH(QString, cause);
        m_progression["operations"][0][json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
        const auto problems = fixtures::contradictions(read());
        QVERIFY(!problems.isEmpty());
        QCOMPARE(problems[0].pointer, "/operations/0" + problem);
        QVERIFY2(problems[0].cause.contains(cause), qPrintable(problems[0].cause));
    }

    void aRunLeftOutIsNamed()
    {
        json &ab = m_progression["operations"][0]["ab"][0];
        ab["runs"] = {20.5};
        ab["run_numbers"] = {0};
        ab["mean"] = 20.5;
        QCOMPARE(fixtures::contradictions(read()).value(0).pointer, QString("/operations/0/ab/0/runs"));
    }

    // Its samples are gone, its number says so.
    void aLostRunIsNone()
    {
        for (const std::size_t r : {0U, 1U}) {
            json &lost = m_results["results"][0]["rounds"][r]["implementations"]["cuda"];
            lost = {{"state", "failed"}, {"reason", "the worker was lost"}};
        }
        json &operation = m_progression["operations"][0];
        operation["stages"][0]["span_us"] = 22.5;
        operation["ab"][0]["runs"] = {22.5};
        operation["ab"][0]["run_numbers"] = {1};
        operation["ab"][0]["mean"] = 22.5;
        operation.erase("attempts");
        const Namespace evidence = read();
        QVERIFY2(!evidence.hasContradiction(), qPrintable(fixtures::described(evidence.problems)));
        QCOMPARE(evidence.progression->operations[0].ab[0].runNumbers, QList<int>({2}));
        operation["ab"][0]["run_numbers"] = {0};
        QCOMPARE(fixtures::contradictions(read()).value(0).pointer, QString("/operations/0/ab/0/runs"));
    }

    void theNotesExperimentIsComputedAgain_data()
    {
        QTest::addColumn<QString>("key");
        QTest::newRow("predicted") << "predicted"; // 0.75 ÷ 0.5
        QTest::newRow("measured") << "measured";   // 210.51 ÷ 145.61
    }
    void theNotesExperimentIsComputedAgain()
    {
        QFETCH(QString, key);
        const Namespace note = readNamespace(bundledPath("mage-003"));
        QVERIFY2(!note.hasContradiction(), qPrintable(fixtures::described(note.problems)));
        json doctored = note.progressionDocument;
        json &value = doctored["operations"][0]["experiments"][0][key.toStdString()];
        value = value.get<double>() + 0.1;
        const QString copy = m_folder->filePath("mage-003");
        fixtures::write(copy + "/progression.json", doctored);
        fixtures::write(copy + "/summary.json", note.summaryDocument);
        const auto problems = fixtures::contradictions(readNamespace(copy));
        QCOMPARE(problems.size(), 1);
        QCOMPARE(problems[0].pointer, "/operations/0/experiments/0/" + key);
    }

private:
    Namespace read()
    {
        fixtures::write(m_folder->filePath("ns/comparison-results.json"), m_results);
        fixtures::write(m_folder->filePath("ns/comparison-profiles.json"), fixtures::profiles(4));
        fixtures::write(m_folder->filePath("ns/progression.json"), m_progression);
        return readNamespace(m_folder->filePath("ns"));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    json m_results, m_progression;
};

QTEST_GUILESS_MAIN(TestProgressionChecks)
#include "tst_progressionchecks.moc"
