// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "evidencereader.h"

// A progression's values must agree with the namespaces they name: own, loaded, sibling, then bundled ones.
using namespace stagecraft::evidence;
using nlohmann::json;

class TestProgressionOrigins : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_summary = fixtures::summary();
        m_summary["rows"][0]["measurements"]["cuda"]["stage"] = "matmul/tiled";
        m_progression = {{"format", 1},
                         {"operations",
                          {{{"op", "matmul"},
                            {"stages",
                             {{{"id", "tiled"},
                               {"title", "tiles"},
                               {"kernel_us", 12.0},
                               {"span_us", 20.0},
                               {"origin", "base"}}}}}}}};
    }

    void agrees()
    {
        write("base");
        QVERIFY2(read().problems.isEmpty(), qPrintable(fixtures::described(read().problems)));
    }

    void withinARounding()
    {
        stage()["kernel_us"] = 12.05;
        write("base");
        QVERIFY(read().problems.isEmpty());
    }

    void beyondTheTolerance()
    {
        stage()["kernel_us"] = 12.06;
        write("base");
        expect("/operations/0/stages/0/kernel_us", "base records 12 µs", true);
    }

    void theSpanIsComparedToo()
    {
        stage()["span_us"] = 21.0;
        write("base");
        expect("/operations/0/stages/0/span_us", "base records 20 µs", true);
    }

    void ownNamespace()
    {
        stage()["origin"] = "mine";
        stage()["kernel_us"] = 13.0;
        fixtures::write(m_folder->filePath("mine/summary.json"), m_summary);
        write({});
        expect("/operations/0/stages/0/kernel_us", "mine records 12 µs", true);
    }

    void aLoadedNamespaceComesBeforeASibling()
    {
        write("base");
        Namespace loaded;
        loaded.name = "base";
        loaded.summary = Summary{
            "NVIDIA H200", 3, 300, {{"matmul", {}, {8, 8, 8}, {{"cuda", {20, 19, 21, 99, 1, "matmul/tiled"}}}}}};
        const Namespace evidence = readNamespace(m_folder->filePath("mine"), {&loaded});
        QCOMPARE(evidence.problems.size(), 1);
        QVERIFY(evidence.problems[0].cause.contains("base records 99 µs"));
    }

    void aColdValueIsNotAWarmOnes()
    {
        Measurement measured;
        measured.samplesUs = {20, 20};
        measured.stage = "matmul/tiled";
        OperationResult result;
        result.operation = "matmul";
        result.dims = {8, 8, 8};
        result.cache = "cold";
        result.rounds = {Round()};
        result.rounds[0].implementations.insert("cuda", measured);
        Namespace loaded;
        loaded.name = "base";
        loaded.results = {result};
        stage().erase("kernel_us");
        m_progression["operations"][0]["cache"] = "cold";
        fixtures::write(m_folder->filePath("mine/progression.json"), m_progression);
        QCOMPARE(fixtures::described(readNamespace(m_folder->filePath("mine"), {&loaded}).problems), QString());
        m_progression["operations"][0]["cache"] = "warm";
        fixtures::write(m_folder->filePath("mine/progression.json"), m_progression);
        const Namespace evidence = readNamespace(m_folder->filePath("mine"), {&loaded});
        QCOMPARE(evidence.problems.size(), 1);
        QVERIFY(evidence.problems[0].cause.contains("base has no such value of matmul/tiled"));
    }

    void bundledNamespace()
    {
        stage() = {{"id", "tiled"}, {"title", "x"}, {"kernel_us", 343.99}, {"span_us", 326.0}, {"origin", "mage-001"}};
        write({});
        expect("/operations/0/stages/0/span_us", "mage-001 records 326.71947 µs", true);
    }

    void notFoundIsNotChecked()
    {
        stage().erase("span_us");
        write({});
        expect("/operations/0/stages/0/kernel_us", "Not checked", false);
    }

    void theStageIsNotInTheNamespace()
    {
        stage()["id"] = "other";
        stage().erase("span_us");
        write("base");
        expect("/operations/0/stages/0/kernel_us", "base has no such value of matmul/other", true);
    }

    void documentedIsNotCompared()
    {
        stage()["origin"] = "documented";
        write({});
        QVERIFY(read().problems.isEmpty());
    }

    void anOriginIsNoPath()
    {
        stage()["origin"] = "../base";
        stage().erase("span_us");
        write("base");
        expect("/operations/0/stages/0/kernel_us", "no namespace's name", true);
    }

    void progressionsThatNameEachOtherEnd()
    {
        stage()["origin"] = "b";
        fixtures::write(m_folder->filePath("mine/progression.json"), m_progression);
        fixtures::write(m_folder->filePath("mine/summary.json"), m_summary);
        stage()["origin"] = "mine";
        fixtures::write(m_folder->filePath("b/progression.json"), m_progression);
        fixtures::write(m_folder->filePath("b/summary.json"), m_summary);
        QVERIFY(read().problems.isEmpty());
    }

    void unchangedOperationsAreCompared()
    {
        m_progression["implementation"] = "cuda";
        m_progression["unchanged"] = {{{"op", "matmul"}, {"kernel_us", {{"base", 12.5}}}}};
        write("base");
        expect("/unchanged/0/kernel_us/base", "12.5 µs stands here, base records 12 µs", true);
    }

    void theNotesProgressionIsCheckedAgainstItsNamespaces()
    {
        const QString copy = m_folder->filePath("mage-003");
        Namespace note = readNamespace(bundledPath("mage-003"));
        note.progressionDocument["operations"][0]["stages"][1]["kernel_us"] = 141.0;
        fixtures::write(copy + "/progression.json", note.progressionDocument);
        fixtures::write(copy + "/summary.json", note.summaryDocument);
        const Namespace evidence = readNamespace(copy);
        QCOMPARE(evidence.problems.size(), 1);
        QCOMPARE(evidence.problems[0].file, QStringLiteral("progression.json"));
        QCOMPARE(evidence.problems[0].pointer, QStringLiteral("/operations/0/stages/1/kernel_us"));
    }

    void aMeanOfRunsThatDisagrees()
    {
        m_progression["operations"][0]["ab"] = {{{"title", "x"}, {"metric", "span"}, {"runs", {1, 2}}, {"mean", 1.6}}};
        write("base");
        expect("/operations/0/ab/0/mean", "the runs give 1.5", true);
    }

    void aRangeTheWrongWayRound()
    {
        m_progression["operations"][0]["attempts"] = {{{"title", "x"}, {"metric", "span"}, {"range", {2, 1}}}};
        write("base");
        expect("/operations/0/attempts/0/range", "the smaller one first", true);
    }

private:
    json &stage() { return m_progression["operations"][0]["stages"][0]; }

    // The progression in "mine", and the summary as its sibling of that name.
    void write(const QString &sibling)
    {
        fixtures::write(m_folder->filePath("mine/progression.json"), m_progression);
        if (!sibling.isEmpty())
            fixtures::write(m_folder->filePath(sibling + ".json"), m_summary);
    }

    Namespace read() const { return readNamespace(m_folder->filePath("mine")); }

    void expect(const QString &pointer, const QString &cause, bool fatal)
    {
        const Namespace evidence = read();
        QVERIFY2(evidence.problems.size() == 1, qPrintable(fixtures::described(evidence.problems)));
        QCOMPARE(evidence.problems[0].file, QStringLiteral("progression.json"));
        QCOMPARE(evidence.problems[0].pointer, pointer);
        QVERIFY2(evidence.problems[0].cause.contains(cause), qPrintable(evidence.problems[0].cause));
        QCOMPARE(evidence.problems[0].fatal, fatal);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    json m_summary, m_progression;
};

QTEST_GUILESS_MAIN(TestProgressionOrigins)
#include "tst_progressionorigins.moc"
