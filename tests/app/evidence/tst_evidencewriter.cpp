// SPDX-License-Identifier: GPL-3.0-or-later
#include "documents.h"
#include "evidencefixtures.h"
#include "evidencereader.h"
#include "evidencewriter.h"

#include <cmath>

using namespace stagecraft::evidence;
using fixtures::parsed;
using nlohmann::json;

class TestEvidenceWriter : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_results = fixtures::results();
        m_profiles = fixtures::profiles();
    }

    void whatIsReadIsWrittenAlike()
    {
        m_results["results"][0]["input_hashes"] = {{"seed", 20260910}, {"sha256", {{"a.bin", "00ff"}}}};
        m_results["source_sha256"] = {{"matmul/tiled", "abcd"}};
        m_results["excluded"] = json::array();
        json &cuda = m_results["results"][0]["rounds"][0]["implementations"]["cuda"];
        cuda["state"] = "throttled";
        cuda["reason"] = "power cap";
        cuda["samples_us"][0] = 0.1 + 0.2;
        const Namespace evidence = read();
        QVERIFY(!evidence.hasContradiction());
        QCOMPARE(writeNamespace(evidence, out()), QString());
        QCOMPARE(fixtures::text(parsed(out("comparison-results.json"))), fixtures::text(m_results));
        QCOMPARE(fixtures::text(parsed(out("comparison-profiles.json"))), fixtures::text(m_profiles));
        QVERIFY(!QFile::exists(out("summary.json")));
    }

    void notesAndTimestampModesAreWrittenAndNotInTheNotesForm()
    {
        for (json &round : m_results["results"][0]["rounds"])
            round["implementations"]["cublas"]["note"] = "workspace 32 MiB";
        for (json &capture : m_profiles["captures"])
            capture["timestamp_mode"] = "hardware";
        m_results["excluded"] = json::array();
        const Namespace evidence = read();
        QVERIFY(!evidence.hasContradiction());
        QCOMPARE(writeNamespace(evidence, out()), QString());
        QCOMPARE(fixtures::text(parsed(out("comparison-results.json"))), fixtures::text(m_results));
        QCOMPARE(fixtures::text(parsed(out("comparison-profiles.json"))), fixtures::text(m_profiles));
        QStringList excluded;
        QCOMPARE(writeMage(evidence, {}, out(), excluded), QString());
        QVERIFY(!fixtures::contents(out("comparison-results.json")).contains("workspace"));
        QVERIFY(!fixtures::contents(out("comparison-profiles.json")).contains("hardware"));
    }

    void unknownKeysAreKept()
    {
        m_results["weather"] = "rain";
        m_results["results"][0]["note"] = {1, 2};
        m_results["results"][0]["rounds"][1]["implementations"]["cuda"]["extra"] = true;
        m_profiles["captures"][3]["kernel_metrics"][2]["stream"] = 7;
        m_results["excluded"] = json::array();
        QCOMPARE(writeNamespace(read(), out()), QString());
        QCOMPARE(fixtures::text(parsed(out("comparison-results.json"))), fixtures::text(m_results));
        QCOMPARE(fixtures::text(parsed(out("comparison-profiles.json"))), fixtures::text(m_profiles));
    }

    void whatTheModelDroppedDoesNotComeBack()
    {
        Namespace evidence = read();
        evidence.gpuStateBefore.clear();
        evidence.results[0].rounds[0].gpuState.clear();
        evidence.results[0].rounds[0].implementations.remove("cublas");
        QCOMPARE(writeNamespace(evidence, out()), QString());
        const json round = parsed(out("comparison-results.json"))["results"][0]["rounds"][0];
        QVERIFY(!round.contains("gpu_state"));
        QVERIFY(!round["implementations"].contains("cublas"));
    }

    void bundledEvidenceSurvives_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"mage-001", "mage-002", "mage-003"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void bundledEvidenceSurvives()
    {
        QFETCH(QString, name);
        const Namespace evidence = readNamespace(bundledPath(name));
        QCOMPARE(writeNamespace(evidence, out()), QString());
        QCOMPARE(fixtures::text(parsed(out("summary.json"))), fixtures::text(evidence.summaryDocument));
        QCOMPARE(QFile::exists(out("progression.json")), evidence.progression.has_value());
        if (evidence.progression)
            QCOMPARE(fixtures::text(parsed(out("progression.json"))), fixtures::text(evidence.progressionDocument));
        QVERIFY(!QFile::exists(out("comparison-results.json")));
    }

    void floorsAreWrittenAndReadBack()
    {
        Namespace evidence = read();
        evidence.floors = {{"matmul", "fp32", "warm", "FFMA rate", 32.1, {8, 8, 8}},
                           {"matmul", "3xtf32", "warm", "wgmma rate", 12.4}};
        QCOMPARE(writeNamespace(evidence, out()), QString());
        const Namespace back = readNamespace(out());
        QCOMPARE(back.floors.size(), 2);
        QCOMPARE(back.floors[0].us, 32.1);
        QCOMPARE(back.floors[0].dims, QList<qint64>({8, 8, 8}));
        QCOMPARE(back.floors[1].arithmetic, QStringLiteral("3xtf32"));
        QVERIFY(back.floors[1].dims.isEmpty());
        QCOMPARE(fixtures::text(parsed(out("floors.json"))["format"]), fixtures::text(json(1)));
    }

    void whatFloorsComeFromIsWrittenAndReadBack()
    {
        Namespace evidence = read();
        evidence.floorMeasurements = {{"span of an empty kernel", "µs", 4.5, "its kernel included"}};
        evidence.floorsMissing = {"The TF32 peak is unknown."};
        evidence.floorsBackend = "cupti";
        evidence.floorsTimestampMode = "default";
        QCOMPARE(writeNamespace(evidence, out()), QString());
        Namespace back = readNamespace(out());
        QVERIFY(fixtures::contradictions(back).isEmpty());
        QCOMPARE(back.floorMeasurements.size(), 1);
        QCOMPARE(back.floorMeasurements[0].what, QStringLiteral("span of an empty kernel"));
        QCOMPARE(back.floorMeasurements[0].unit, QStringLiteral("µs"));
        QCOMPARE(back.floorMeasurements[0].value, 4.5);
        QCOMPARE(back.floorMeasurements[0].note, QStringLiteral("its kernel included"));
        QCOMPARE(back.floorsMissing, evidence.floorsMissing);
        QCOMPARE(back.floorsBackend, QStringLiteral("cupti"));
        QCOMPARE(back.floorsTimestampMode, QStringLiteral("default"));
        back.floorMeasurements.clear(); // what is gone from the model does not come back from the old document
        QCOMPARE(writeNamespace(back, out()), QString());
        QVERIFY(!parsed(out("floors.json")).contains("measurements"));
    }

    void aBenchmarkThatMakesNoSenseIsRefused()
    {
        const auto problemOf = [this](const QByteArray &text) {
            fixtures::write(in("floors.json"), text);
            return fixtures::contradictions(read()).value(0).pointer;
        };
        QCOMPARE(problemOf(R"({"format": 1, "floors": [], "measurements": [{"what": "copy", "value": "fast"}]})"),
                 QStringLiteral("/measurements/0/value"));
        QCOMPARE(problemOf(R"({"format": 1, "floors": [], "missing": 7})"), QStringLiteral("/missing"));
        nlohmann::json endless = {{"format", 1}, {"floors", nlohmann::json::array()}};
        endless["missing"] = std::vector<std::string>(1001, "more");
        QCOMPARE(problemOf(QByteArray::fromStdString(endless.dump())), QStringLiteral("/missing"));
        QVERIFY(read().floorsMissing.isEmpty());
        fixtures::write(in("floors.json"), QByteArray(R"({"format": 1, "floors": []})"));
        QVERIFY(fixtures::contradictions(read()).isEmpty());
    }

    void aBareListOfFloorsIsReadToo()
    {
        fixtures::write(in("floors.json"), QByteArray(R"([{"operation": "gelu", "what": "copy", "us": 4.06}])"));
        QCOMPARE(read().floors.value(0).us, 4.06);
    }

    void aValueThatIsNotFiniteIsNotHidden()
    {
        Namespace evidence = read();
        evidence.results[0].rounds[0].implementations["cuda"].samplesUs[5] = std::nan("");
        QCOMPARE(writeNamespace(evidence, out()), QString());
        const Namespace back = readNamespace(out());
        QCOMPARE(fixtures::contradictions(back).value(0).pointer,
                 QStringLiteral("/results/0/rounds/0/implementations/cuda/samples_us/5"));
    }

    void absolutePathsAreCut_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("path") << "cannot open /usr/lib/x86_64/libcupti.so.13: no"
                              << "cannot open libcupti.so.13: no";
        QTest::newRow("quoted") << "'/home/a/stage.cu' is gone"
                                << "'stage.cu' is gone";
        QTest::newRow("assigned") << "PATH=/opt/x:/opt/y/z"
                                  << "PATH=x:z";
        QTest::newRow("url of a file") << "see file:///home/a/b.txt"
                                       << "see b.txt";
        QTest::newRow("identifier") << "matmul/tiled"
                                    << "matmul/tiled";
        QTest::newRow("address") << "https://example.org/a/b"
                                 << "https://example.org/a/b";
        QTest::newRow("unit") << "3 µs/iteration, a / b"
                              << "3 µs/iteration, a / b";
        QTest::newRow("relative") << "./a/b and ../c/d"
                                  << "./a/b and ../c/d";
    }
    void absolutePathsAreCut()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(withoutAbsolutePaths(text), expected);
    }

    void noAbsolutePathIsWritten()
    {
        m_results["origin"] = "/home/someone/run";
        m_results["source_sha256"] = {{"/home/someone/stages/matmul/tiled.cu", "abcd"}};
        Namespace evidence = read();
        evidence.results[0].rounds[0].implementations["cuda"].state = State::Failed;
        evidence.results[0].rounds[0].implementations["cuda"].reason =
            QStringLiteral("/opt/cuda/lib64/libnvrtc.so is missing");
        QCOMPARE(writeNamespace(evidence, out()), QString());
        const QByteArray text = fixtures::contents(out("comparison-results.json"));
        QVERIFY(!text.contains("/home/") && !text.contains("/opt/"));
        QVERIFY(text.contains("libnvrtc.so is missing"));
        QVERIFY(!text.contains(m_folder->path().toUtf8()));
    }

    void aFailureNamesTheFile()
    {
        fixtures::write(out(), QByteArray("a file where the directory should be"));
        const QString error = writeNamespace(read(), out());
        QVERIFY2(error.contains("comparison-results.json"), qPrintable(error));
        QVERIFY(!error.contains(m_folder->path()));
    }

    void aFailedWriteLeavesTheOldFile()
    {
        QVERIFY(QDir().mkpath(out("comparison-results.json/occupied")));
        const QString error = writeNamespace(read(), out());
        QVERIFY2(error.contains("comparison-results.json"), qPrintable(error));
        QVERIFY(QDir(out("comparison-results.json/occupied")).exists());
        QCOMPARE(QDir(out()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 1);
    }

private:
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
};

QTEST_GUILESS_MAIN(TestEvidenceWriter)
#include "tst_evidencewriter.moc"
