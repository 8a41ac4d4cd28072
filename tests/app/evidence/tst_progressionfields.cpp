// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "evidencereader.h"
#include "evidencewriter.h"
#include "statistics.h"

// What a run with stages writes into progression.json, and what is wrong with a damaged one.
using namespace stagecraft::evidence;
using nlohmann::json;

class TestProgressionFields : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_results = fixtures::results();
        m_profiles = fixtures::profiles();
        m_progression = {
            {"format", 1},
            {"device",
             {{"name", "NVIDIA H200"}, {"compute_capability", "9.0"}, {"sms", 132}, {"max_threads_per_sm", 2048}}},
            {"limits", json::array()},
            {"operations",
             {{{"op", "matmul"},
               {"dims", {8, 8, 8}},
               {"cache", "warm"},
               {"stages",
                {{{"id", "tiled"},
                  {"title", "tiles"},
                  {"retained_in", {"ns"}},
                  {"origin", "ns"},
                  {"kernel_us", 13.0},
                  {"span_us", 21.0},
                  {"arithmetic", "fp32"},
                  {"source_sha256", "abcd"},
                  {"resources", {{"blocks", 64}, {"counts", {{"reads", 2}}}}}},
                 {{"id", "broken"},
                  {"title", "broken"},
                  {"retained_in", {"ns"}},
                  {"origin", "ns"},
                  {"state", "failed"},
                  {"reason", "it does not compile"}}}},
               {"attempts",
                {{{"id", "other"},
                  {"title", "another"},
                  {"change", "it differs"},
                  {"arithmetic", "3xtf32"},
                  {"metric", "span"},
                  {"state", "failed"},
                  {"reason", "the result is wrong"},
                  {"compared_with", "tiles, same run"},
                  {"compared_with_stage", "matmul/tiled"},
                  {"evidence", "ns"}},
                 {{"id", "tiled"},
                  {"title", "itself"},
                  {"metric", "kernel time"},
                  {"range", {12.5, 13.5}},
                  {"value_of_that", 13.0},
                  {"compared_with_stage", "matmul/tiled"},
                  {"evidence", "ns"},
                  {"resources", {{"launches", {{{"blocks", 1}}, {{"blocks", 2}}}}}}}}},
               {"experiments",
                {{{"title", "reads"},
                  {"counts", {{"reads", {{"a", 0.5}, {"b", 0.75}}}}},
                  {"metric", "span"},
                  {"values", {{"a", 100.0}, {"b", 145.0}}},
                  {"predicted", 1.5},
                  {"measured", 1.45},
                  {"conclusion", "follows"}}}},
               {"ab",
                {{{"title", "tiles"},
                  {"stage", "matmul/tiled"},
                  {"metric", "span"},
                  {"runs", {1.0, 2.0}},
                  {"mean", 1.5}},
                 {{"title", "tiles"},
                  {"stage", "matmul/tiled"},
                  {"metric", "kernel time"},
                  {"runs", {2.0, 3.0}},
                  {"mean", 2.5}}}}}}}};
    }

    void everyFieldIsReadAndWritten()
    {
        const Namespace evidence = read();
        QVERIFY2(!evidence.hasContradiction(), qPrintable(fixtures::described(evidence.problems)));
        const Progression &progression = *evidence.progression;
        QCOMPARE(progression.deviceName, QString("NVIDIA H200"));
        QCOMPARE(progression.deviceComputeCapability, QString("9.0"));
        const OperationProgression &matmul = progression.operations[0];
        QCOMPARE(matmul.dims, QList<qint64>({8, 8, 8}));
        QCOMPARE(matmul.stages[0].arithmetic, QString("fp32"));
        QCOMPARE(matmul.stages[0].sourceSha256, QString("abcd"));
        QCOMPARE(matmul.stages[0].state, State::Ok);
        QCOMPARE(matmul.stages[1].state, State::Failed);
        QCOMPARE(matmul.stages[1].reason, QString("it does not compile"));
        QVERIFY(!matmul.stages[1].kernelUs);
        QCOMPARE(matmul.attempts[0].id, QString("other"));
        QCOMPARE(matmul.attempts[0].change, QString("it differs"));
        QCOMPARE(matmul.attempts[0].arithmetic, QString("3xtf32"));
        QCOMPARE(matmul.attempts[0].state, State::Failed);
        QCOMPARE(matmul.attempts[0].comparedWithStage, QString("matmul/tiled"));
        QCOMPARE(matmul.attempts[1].high, 13.5);
        QCOMPARE(matmul.attempts[1].resources["launches"].size(), std::size_t(2));
        QCOMPARE(matmul.experiments[0].metric, QString("span"));
        QCOMPARE(matmul.experiments[0].values["b"].get<double>(), 145.0);
        QCOMPARE(matmul.experiments[0].conclusion, QString("follows"));
        QCOMPARE(matmul.ab[1].stage, QString("matmul/tiled"));

        // Written without the document that was read, so that nothing comes back as an unknown key.
        Namespace fresh = evidence;
        fresh.progressionDocument = nullptr;
        QCOMPARE(writeNamespace(fresh, m_folder->filePath("out")), QString());
        const auto written = json::parse(fixtures::contents(m_folder->filePath("out/progression.json")).toStdString());
        QCOMPARE(fixtures::text(written), fixtures::text(m_progression));
    }

    void recordedStatesAreListed()
    {
        const Namespace evidence = read();
        QCOMPARE(evidence.problems.size(), 2);
        QCOMPARE(evidence.problems[0].pointer, QString("/operations/0/stages/1/state"));
        QVERIFY(evidence.problems[0].cause.contains("it does not compile"));
        QCOMPARE(evidence.problems[1].pointer, QString("/operations/0/attempts/0/state"));
    }

    void damageIsNamed_data()
    {
        QTest::addColumn<QString>("pointer"); // of what is changed, and of the problem
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("cause");
        const auto row = [](const char *pointer, const char *value, const char *cause) {
            QTest::newRow(pointer) << QString(pointer) << QByteArray(value) << QString(cause);
        };
        row("/operations/0/stages/0/resources/blocks", "-1", "not negative");
        row("/operations/0/stages/0/resources/spill_bytes", "\"none\"", "whole number");
        row("/operations/0/stages/0/resources/grid", "[1, 2]", "Text");
        row("/operations/0/stages/0/resources/counts/reads", "-2", "not negative");
        row("/operations/0/attempts/1/resources/launches/1/blocks", "0.5", "whole number");
        row("/operations/0/stages/0/state", "\"fine\"", "no state");
        row("/operations/0/stages/0/kernel_us", "13.06", "ns records 13 µs");
        row("/operations/0/attempts/1/range", "[11.0, 12.9]", "ns records 13 µs");
        row("/operations/0/attempts/1/value_of_that", "14.0", "ns records 13 µs");
        row("/operations/0/experiments/0/values/a", "\"fast\"", "number");
        row("/operations/0/ab/0/mean", "1.6", "the runs give 1.5");
        row("/device/compute_capability", "9", "Text");
    }
    void damageIsNamed()
    {
        QFETCH(QString, pointer);
        QFETCH(QByteArray, value);
        QFETCH(QString, cause);
        m_progression[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
        const auto problems = fixtures::contradictions(read());
        QVERIFY2(problems.size() == 1, qPrintable(fixtures::described(problems)));
        QCOMPARE(problems[0].pointer, pointer);
        QVERIFY2(problems[0].cause.contains(cause), qPrintable(problems[0].cause));
    }

    void aValueIsNeededUnlessThereIsAState()
    {
        m_progression["operations"][0]["attempts"][0].erase("state");
        m_progression["operations"][0]["attempts"][0].erase("reason");
        QCOMPARE(fixtures::contradictions(read()).value(0).pointer, QString("/operations/0/attempts/0/value"));
    }

    // Nothing that lacks its number is a 0; what has a state keeps it, the rest is left out, and all of it is listed.
    void aMissingNumberIsNoZero()
    {
        const Namespace evidence = alone(R"({"format": 1, "operations": [{"op": "matmul",
            "stages": [{"id": "a", "label": "l", "title": "t", "change": "c", "kernel_us": 5}],
            "attempts": [{"title": "x", "metric": "span"}, {"title": "y", "metric": "span", "range": [0, 1]},
                         {"title": "z", "metric": "span", "value": -1}, 3,
                         {"title": "w", "metric": "span", "value": 2}],
            "steps": [{"title": "y"}, {"title": "z", "metric": "span", "value": 4}],
            "experiments": [{"title": "z", "counts": {"r": {"a": 0, "b": 0}}, "values": {"a": 0, "b": 0}},
                            {"title": "e"}, {"title": "f", "predicted": 2, "measured": 3}],
            "ab": [{"runs": [], "mean": -3}, {"runs": [], "mean": 0}, {"runs": [2, 4], "mean": 3}]}]})");
        const OperationProgression &matmul = evidence.progression->operations[0];
        QCOMPARE(matmul.attempts.size(), 5);
        for (qsizetype i = 0; i < 4; ++i) {
            QCOMPARE(matmul.attempts[i].state, State::Invalid);
            QVERIFY(!matmul.attempts[i].reason.isEmpty());
        }
        QCOMPARE(matmul.attempts[4].state, State::Ok);
        QCOMPARE(matmul.attempts[4].low, 2.0);
        QCOMPARE(matmul.steps.size(), 1);
        QCOMPARE(matmul.steps[0].value, 4.0);
        QCOMPARE(matmul.experiments.size(), 1);
        QCOMPARE(matmul.experiments[0].title, QString("f"));
        QCOMPARE(matmul.ab.size(), 1);
        QCOMPARE(matmul.ab[0].mean, 3.0);
        QStringList pointers;
        for (const Problem &problem : fixtures::contradictions(evidence))
            pointers.append(problem.pointer);
        for (const char *pointer :
             {"attempts/0/value", "attempts/1/range", "attempts/2/value", "attempts/3", "steps/0/value",
              "experiments/0/predicted", "experiments/0/measured", "experiments/1/predicted", "ab/0/mean", "ab/1/mean"})
            QVERIFY2(pointers.contains(QString("/operations/0/") + pointer), qPrintable(pointers.join('\n')));
    }

    void aTimeIsAboveZero()
    {
        const Namespace evidence = alone(R"({"format": 1, "operations": [{"op": "matmul", "stages": [
            {"id": "a", "label": "l", "title": "t", "change": "c", "kernel_us": 0},
            {"id": "b", "label": "l", "title": "t", "change": "c", "kernel_us": -3, "span_us": 7},
            {"id": "c", "label": "l", "title": "t", "kernel_us": 5, "span_us": 0},
            {"id": "d", "label": "l", "title": "t"}]}]})");
        const QList<ProgressionStage> &stages = evidence.progression->operations[0].stages;
        QVERIFY(!stages[0].kernelUs);
        QCOMPARE(stages[0].state, State::Invalid);
        QCOMPARE(stages[0].reason, QString("kernel_us is no time above 0"));
        QVERIFY(!stages[1].kernelUs);
        QCOMPARE(stages[1].state, State::Ok);
        QCOMPARE(stages[1].spanUs, std::optional(7.0));
        QCOMPARE(stages[1].kernelState, State::Invalid);
        QCOMPARE(stages[1].kernelReason, QString("kernel_us is no time above 0"));
        QCOMPARE(stages[2].kernelUs, std::optional(5.0));
        QVERIFY(!stages[2].spanUs);
        QCOMPARE(stages[2].state, State::Ok);
        QCOMPARE(stages[2].kernelState, State::Ok);
        QCOMPARE(stages[2].reason, QString("span_us is no time above 0"));
        QCOMPARE(stages[3].state, State::Ok); // not recorded, which is no contradiction
        QCOMPARE(fixtures::contradictions(evidence).size(), 3);
    }

    // The pointers of the checks are those of the file, whatever was left out.
    void whatIsLeftOutMovesNoPointer()
    {
        m_progression["operations"][0].erase("attempts");
        json &ab = m_progression["operations"][0]["ab"];
        m_results["runs"] = 3;
        m_results["rounds_per_run"] = 1;
        for (int r = 0; r < 3; ++r)
            m_results["results"][0]["rounds"][static_cast<std::size_t>(r)]["run"] = r;
        ab[0].erase("mean");
        const auto problems = fixtures::contradictions(read());
        QCOMPARE(problems.size(), 2);
        QCOMPARE(problems[0].pointer, QString("/operations/0/ab/0/mean"));
        QCOMPARE(problems[1].pointer, QString("/operations/0/ab/1/runs"));
    }

    // The directory was renamed after the run.
    void theOwnNameMayBeThatOfTheFile()
    {
        m_results["experiment_id"] = m_profiles["experiment_id"] = "ns";
        m_progression["operations"][0]["stages"][0]["kernel_us"] = 13.5;
        const auto problems = fixtures::contradictions(read("renamed"));
        QCOMPARE(problems.size(), 1);
        QVERIFY2(problems[0].cause.contains("ns records 13 µs"), qPrintable(problems[0].cause));
    }

    void tablesFollowTheProgression()
    {
        QCOMPARE(implementationOrder({"cuda/b", "host", "cuda/a", "triton", "cuda"}),
                 QStringList({"triton", "host", "cuda", "cuda/a", "cuda/b"}));
        QCOMPARE(implementationLabel("cuda/k64"), QString("CUDA · k64"));
        for (json &round : m_results["results"][0]["rounds"]) {
            for (const char *id : {"cuda/broken", "cuda/zeta", "cuda/other", "cuda/alpha", "cuda/tiled"}) {
                round["implementations"][id] = fixtures::measurement(101, 30);
                round["order"].push_back(id);
            }
        }
        QStringList order;
        for (const ValueRow &row : valueRows(read()))
            order.append(row.implementation);
        QCOMPARE(order,
                 QStringList({"cublas", "cuda", "cuda/tiled", "cuda/broken", "cuda/other", "cuda/alpha", "cuda/zeta"}));
    }

    void runsAreChecked()
    {
        m_progression["operations"][0].erase("ab"); // of other runs, as the range is
        m_progression["operations"][0]["attempts"][1]["range"] = {12.0, 14.0};
        m_results["runs"] = 3;
        m_results["rounds_per_run"] = 1;
        for (int r = 0; r < 3; ++r)
            m_results["results"][0]["rounds"][static_cast<std::size_t>(r)]["run"] = r;
        const Namespace evidence = read();
        QVERIFY2(!evidence.hasContradiction(), qPrintable(fixtures::described(evidence.problems)));
        QCOMPARE(evidence.runs, 3);
        QCOMPARE(evidence.roundsPerRun, 1);
        QCOMPARE(evidence.results[0].rounds[2].run, 2);
        m_results["results"][0]["rounds"][2]["run"] = 1;
        QCOMPARE(fixtures::contradictions(read()).value(0).pointer, QString("/results/0/rounds/2/run"));
        m_results["results"][0]["rounds"][2].erase("run");
        QCOMPARE(fixtures::contradictions(read()).value(0).pointer, QString("/results/0/rounds/2/run"));
        m_results["results"][0]["rounds"][2]["run"] = 2;
        m_results["rounds_per_run"] = 2;
        QCOMPARE(fixtures::contradictions(read()).value(0).pointer, QString("/rounds"));
    }

private:
    Namespace alone(const QByteArray &text) // a progression that lies by itself
    {
        fixtures::write(m_folder->filePath("alone/progression.json"), text);
        return readNamespace(m_folder->filePath("alone"));
    }

    Namespace read(const QString &name = QStringLiteral("ns"))
    {
        fixtures::write(m_folder->filePath(name + "/comparison-results.json"), m_results);
        fixtures::write(m_folder->filePath(name + "/comparison-profiles.json"), m_profiles);
        fixtures::write(m_folder->filePath(name + "/progression.json"), m_progression);
        return readNamespace(m_folder->filePath(name));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    json m_results, m_profiles, m_progression;
};

QTEST_GUILESS_MAIN(TestProgressionFields)
#include "tst_progressionfields.moc"
