// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "evidencereader.h"
#include "imported.h"
#include "statistics.h"

#include <cmath>

// What a namespace declares about itself must hold in all of it.
using namespace stagecraft::evidence;
using nlohmann::json;

class TestDeclarationChecks : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_results = fixtures::results(3, 100);
        m_profiles = fixtures::profiles();
    }

    void bundledEvidenceIsSound()
    {
        for (const QString &name : bundledNames()) {
            m_read = readNamespace(bundledPath(name));
            QVERIFY2(!m_read.hasContradiction(), qPrintable(fixtures::described(m_read.problems)));
        }
    }

    void filesWithoutAFormatMayLackTheKeys()
    {
        m_results.erase("format");
        m_profiles.erase("format");
        implementation(0, "cuda").erase("correctness");
        m_results["results"][0]["rounds"][1]["implementations"].erase("cublas");
        m_profiles["captures"][0]["status"] = "failed";
        read();
        QVERIFY2(m_read.problems.isEmpty(), qPrintable(fixtures::described(m_read.problems)));
    }

    void ownResultsAreNoImport()
    {
        implementation(0, "cuda").erase("correctness");
        m_results["imported"] = json::object();
        read();
        QVERIFY2(m_read.hasContradiction(), "an empty word silences nothing");
        m_results["imported"] = {{"tool", "NVBench"}, {"files", {{{"id", "a"}}}}};
        QVERIFY2(!isImported(m_results), "the project's own keys stand beside it");
        read();
        QVERIFY(m_read.hasContradiction());
    }

    void importsNameToolAndFiles()
    {
        const json sound{{"format", 1}, {"imported", {{"tool", "NVBench"}, {"files", {{{"id", "a"}}}}}}};
        QVERIFY(isImported(sound));
        for (const char *patch :
             {R"([{"op":"replace","path":"/imported/tool","value":"Stagecraft"}])",
              R"([{"op":"replace","path":"/imported/files","value":[]}])",
              R"([{"op":"remove","path":"/imported/files/0/id"}])", R"([{"op":"add","path":"/rounds","value":3}])",
              R"([{"op":"add","path":"/results","value":[{"input_hashes":{}}]}])"})
            QVERIFY2(!isImported(sound.patch(json::parse(patch))), patch);
    }

    void oneContradiction_data()
    {
        QTest::addColumn<QString>("patch");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("cause");
        const auto row = [](const char *name, const char *patch, const char *pointer, const char *cause) {
            QTest::newRow(name) << QString(patch) << QString(pointer) << QString(cause);
        };
        // PATCH: file letter, operation, path, value of a JSON patch.
        row("absent implementation", R"([{"op":"remove","path":"/r/results/0/rounds/1/implementations/cuda"}])",
            "/results/0/rounds/1/implementations/cuda", "200 of 300 declared samples");
        row("one index twice", R"([{"op":"replace","path":"/r/results/0/rounds/1/index","value":0}])",
            "/results/0/rounds/1/index", "already at /results/0/rounds/0");
        row("order twice", R"([{"op":"add","path":"/r/results/0/rounds/1/order/-","value":"cuda"}])",
            "/results/0/rounds/1/order/2", "names cuda twice");
        row("order leaves out", R"([{"op":"remove","path":"/r/results/0/rounds/1/order/1"}])",
            "/results/0/rounds/1/order", "leaves out cublas");
        row("capture twice", R"([{"op":"copy","from":"/p/captures/0","path":"/p/captures/-"}])", "/captures/6",
            "/captures/0 already");
        row("capture's round", R"([{"op":"replace","path":"/p/captures/0/round","value":9}])", "/captures/0/round",
            "no round 9");
        row("capture's operation", R"([{"op":"replace","path":"/p/captures/0/operation","value":"zzz"}])",
            "/captures/0/operation", "operation zzz");
        row("capture's dims", R"([{"op":"replace","path":"/p/captures/0/dims/0","value":9}])", "/captures/0/dims",
            "these dims");
        row("capture's implementation", R"([{"op":"replace","path":"/p/captures/0/language","value":"zzz"}])",
            "/captures/0/language", "implementation zzz");
        row("path for a name", R"([{"op":"remove","path":"/p/captures/0"},{"op":"replace","path":"/p/captures",
            "value":[]},{"op":"replace","path":"/r/results/0/op","value":"../../x"}])",
            "/results/0/op", "no operation's name");
        row("dims", R"([{"op":"replace","path":"/p/captures","value":[]},
            {"op":"remove","path":"/r/results/0/dims/2"}])",
            "/results/0/dims", "matmul has 3 dims, 2");
        row("a case twice", R"([{"op":"copy","from":"/r/results/0","path":"/r/results/-"}])", "/results/1",
            "/results/0 already holds the same operation");
        row("a case twice, once in other words", R"([{"op":"copy","from":"/r/results/0","path":"/r/results/-"},
            {"op":"remove","path":"/r/results/1/cache"}])",
            "/results/1", "/results/0 already holds the same operation");
        row("capture twice, once in other words", R"([{"op":"copy","from":"/p/captures/0","path":"/p/captures/-"},
            {"op":"remove","path":"/p/captures/6/cache"}])",
            "/captures/6", "/captures/0 already");
        row("cache", R"([{"op":"replace","path":"/r/results/0/cache","value":"lukewarm"},
            {"op":"replace","path":"/p/captures","value":[]}])",
            "/results/0/cache", "warm or cold is expected, \"lukewarm\" found");
        row("capture's cache", R"([{"op":"replace","path":"/p/captures/0/cache","value":"lukewarm"}])",
            "/captures/0/cache", "lukewarm");
        row("another stage",
            R"([{"op":"replace","path":"/r/results/0/rounds/2/implementations/cuda/stage","value":"matmul/k64"}])",
            "/results/0/rounds/2/implementations/cuda/stage", "matmul/tiled at /results/0/rounds/0");
        row("another arithmetic",
            R"([{"op":"replace","path":"/r/results/0/rounds/1/implementations/cuda/arithmetic","value":"3xtf32"}])",
            "/results/0/rounds/1/implementations/cuda/arithmetic", "never one series");
        row("another source",
            R"([{"op":"replace","path":"/r/results/0/rounds/1/implementations/cuda/source","value":"host"}])",
            "/results/0/rounds/1/implementations/cuda/source", "host stands here");
        row("no time",
            R"([{"op":"replace","path":"/r/results/0/rounds/1/implementations/cuda/samples_us/7","value":0}])",
            "/results/0/rounds/1/implementations/cuda/samples_us/7", "0 µs");
        row("unchecked", R"([{"op":"remove","path":"/r/results/0/rounds/1/implementations/cuda/correctness"}])",
            "/results/0/rounds/1/implementations/cuda/correctness", "no correctness check");
        row("source",
            R"([{"op":"replace","path":"/r/results/0/rounds/1/implementations/cuda/source","value":"guess"}])",
            "/results/0/rounds/1/implementations/cuda/source", "guess");
        row("backend", R"([{"op":"replace","path":"/p/backend","value":"sorcery"}])", "/backend", "sorcery");
        row("capture's backend", R"([{"op":"replace","path":"/p/captures/1/backend","value":"sorcery"}])",
            "/captures/1/backend", "sorcery");
        row("empty state", R"([{"op":"add","path":"/r/results/0/rounds/1/implementations/cuda/state","value":""}])",
            "/results/0/rounds/1/implementations/cuda/state", "empty text");
        row("failed status", R"([{"op":"add","path":"/p/captures/1/status","value":"failed"}])", "/captures/1/status",
            "state is ok");
        row("grid", R"([{"op":"replace","path":"/p/captures/0/kernel_metrics/3/grid_size","value":"a,b"}])",
            "/captures/0/kernel_metrics/3/grid_size", "a,b");
        row("block", R"([{"op":"replace","path":"/p/captures/0/kernel_metrics/3/block_size","value":"-1,1,1"}])",
            "/captures/0/kernel_metrics/3/block_size", "-1,1,1");
    }
    void oneContradiction()
    {
        QFETCH(QString, patch);
        QFETCH(QString, pointer);
        QFETCH(QString, cause);
        const json changed = json{{"r", m_results}, {"p", m_profiles}}.patch(json::parse(patch.toStdString()));
        m_results = changed["r"];
        m_profiles = changed["p"];
        read();
        verifyOnly(pointer, cause);
    }

    void floorsNameWhatTheyAreOf_data()
    {
        QTest::addColumn<QByteArray>("floors");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("cause");
        const auto row = [](const char *name, const char *floors, const char *pointer, const char *cause) {
            QTest::newRow(name) << QByteArray(floors) << QString(pointer) << QString(cause);
        };
        row("dims", R"([{"operation": "matmul", "dims": [8, 8], "us": 1}])", "/0/dims", "matmul has 3 dims, 2");
        row("cache", R"({"format": 1, "floors": [{"operation": "gelu", "cache": "hot", "us": 1}]})", "/floors/0/cache",
            "warm or cold is expected");
        row("operation", R"([{"operation": "../x", "us": 1}])", "/0/operation", "no operation's name");
        row("zero", R"([{"operation": "matmul", "us": 0}])", "/0/us", "A floor of 0 µs");
        row("for ever", R"([{"operation": "matmul", "us": 1e300}])", "/0/us", "0.001 to 1e12 are possible");
        row("no time", R"([{"operation": "matmul", "us": 1e-300}])", "/0/us", "0.001 to 1e12 are possible");
        row("twice", R"([{"operation": "matmul", "us": 1}, {"operation": "matmul", "cache": "warm", "us": 2}])", "/1",
            "/0 is already the floor");
        row("another GPU", R"({"format": 1, "gpu": "NVIDIA L4", "floors": [{"operation": "matmul", "us": 1}]})", "/gpu",
            "these floors are not used");
    }
    void floorsNameWhatTheyAreOf()
    {
        QFETCH(QByteArray, floors);
        QFETCH(QString, pointer);
        QFETCH(QString, cause);
        fixtures::write(path("floors.json"), floors);
        read();
        verifyOnly(pointer, cause);
    }

    // It is listed, since nobody would find out otherwise why no line is drawn.
    void aFloorWhoseDimsNothingTellsIsListed()
    {
        json other = m_results["results"][0];
        other["dims"] = {16, 16, 16};
        m_results["results"].push_back(other);
        fixtures::write(path("floors.json"), QByteArray(R"([{"operation": "matmul", "us": 1},
            {"operation": "matmul", "dims": [8, 8, 8], "us": 1}, {"operation": "gelu", "us": 1}])"));
        read();
        QStringList listed;
        for (const Problem &problem : m_read.problems)
            if (problem.file == QLatin1String("floors.json"))
                listed.append(problem.pointer + QLatin1Char(' ') + problem.cause);
        QCOMPARE(listed.size(), 2);
        QVERIFY2(listed[0].startsWith("/0 This floor names no dims"), qPrintable(listed[0]));
        QVERIFY2(listed[1].startsWith("/2 This floor is of nothing measured here"), qPrintable(listed[1]));
        QVERIFY(!m_read.problems.last().fatal);
    }

    void captureStaysUnjudgedWithoutResults()
    {
        fixtures::write(path("comparison-profiles.json"), m_profiles);
        m_read = readNamespace(m_folder->path());
        QVERIFY2(m_read.problems.isEmpty(), qPrintable(fixtures::described(m_read.problems)));
    }

    void sumsThatOverflowAreNoValues()
    {
        implementation(1, "cuda")["samples_us"] = std::vector<double>(100, 1.7e308);
        read();
        verifyOnly("/results/0/rounds/1/implementations/cuda/samples_us", "sum is not");
        QCOMPARE(m_read.results[0].rounds[1].implementations["cuda"].state, State::Invalid);
        for (const ValueRow &row : valueRows(m_read))
            QVERIFY(!row.span.estimate || std::isfinite(row.span.estimate->mean));
    }

    void kernelTimesThatOverflowAreNoValues()
    {
        for (json &record : m_profiles["captures"][0]["kernel_metrics"])
            record["duration_us"] = 1.7e308;
        read();
        verifyOnly("/captures/0/kernel_metrics", "sum is not");
        QCOMPARE(m_read.captures[0].state, State::Invalid);
    }

    void whatIsLostBehindAStopIsNoSecondContradiction()
    {
        const QByteArray text = QByteArrayLiteral("{\"format\": 1, \"gpu\": \"H2");
        fixtures::write(path("comparison-results.json"), text);
        fixtures::write(path("comparison-profiles.json"), m_profiles);
        m_read = readNamespace(m_folder->path());
        verifyOnly("/gpu", "Reading stopped here");
    }

    void aNumberOutOfRangeSaysSo()
    {
        fixtures::write(path("comparison-results.json"), QByteArray("{\"rounds\": 1e999, \"results\": []}"));
        m_read = readNamespace(m_folder->path());
        verifyOnly("/rounds", "the number 1e999 is out of range");
    }

    void aLinkThatLeadsNowhereIsNotAbsent()
    {
        fixtures::write(path("comparison-profiles.json"), m_profiles);
        QVERIFY(QFile::link(path("nowhere"), path("comparison-results.json")));
        m_read = readNamespace(m_folder->path());
        verifyOnly("", "cannot be opened");
        QVERIFY(!m_read.missing.contains(QStringLiteral("comparison-results.json")));
    }

    void anotherStageIsNotPooled()
    {
        implementation(1, "cuda")["stage"] = "matmul/k64";
        read();
        QCOMPARE(m_read.results[0].rounds[1].implementations["cuda"].state, State::Invalid);
        for (const ValueRow &row : valueRows(m_read)) {
            if (row.implementation == "cuda")
                QCOMPARE(row.span.estimate->roundMeans.size(), 2);
        }
    }

private:
    QString path(const char *name) const { return m_folder->filePath(QLatin1String(name)); }

    json &implementation(int round, const char *id)
    {
        return m_results["results"][0]["rounds"][round]["implementations"][id];
    }

    void read()
    {
        fixtures::write(path("comparison-results.json"), m_results);
        fixtures::write(path("comparison-profiles.json"), m_profiles);
        m_read = readNamespace(m_folder->path());
    }

    void verifyOnly(const QString &pointer, const QString &cause)
    {
        const QList<Problem> problems = fixtures::contradictions(m_read);
        QVERIFY2(problems.size() == 1, qPrintable(fixtures::described(problems)));
        QCOMPARE(problems[0].pointer, pointer);
        QVERIFY2(problems[0].cause.contains(cause), qPrintable(problems[0].cause));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    json m_results, m_profiles;
    Namespace m_read;
};

QTEST_GUILESS_MAIN(TestDeclarationChecks)
#include "tst_declarationchecks.moc"
