// SPDX-License-Identifier: GPL-3.0-or-later
#include "benchmarkfixture.h"

using namespace fixtures;
using evidence::Namespace;
using evidence::State;

namespace {

json value(const char *name, const char *type, const json &content)
{
    return {{"name", name}, {"type", type}, {"value", content}};
}

json summary(const char *tag, const char *type, const std::string &content)
{
    return {{"tag", tag}, {"name", tag}, {"data", {value("value", type, content)}}};
}

json state(const char *type, const char *elements, int device = 0)
{
    return {{"name", std::string("Device=0 T=") + type},
            {"device", device},
            {"type_config_index", 0},
            {"axis_values", {value("T{ct}", "string", type), value("Elements{io}", "int64", elements)}},
            {"summaries",
             {summary("nv/cold/sample_size", "int64", "4"), summary("nv/cold/time/gpu/mean", "float64", "2.5e-05"),
              summary("nv/cold/time/gpu/stdev/relative", "float64", "0.012"),
              summary("nv/cold/time/cpu/mean", "float64", "4e-05"), summary("nv/cold/bw/item_rate", "float64", "1e9"),
              summary("nv/batch/sample_size", "int64", "900"), summary("nv/batch/time/gpu/mean", "float64", "2e-05")}},
            {"is_skipped", false}};
}

json file()
{
    json skipped = state("F64", "64");
    skipped["summaries"] = nullptr;
    skipped["is_skipped"] = true;
    skipped["skip_reason"] = "no room in /home/ada/secret/pool for it";
    return {{"meta",
             {{"argv", {"/home/ada/bench/copy", "--json", "/home/ada/out.json"}},
              {"version",
               {{"json", {{"major", 1}, {"minor", 0}, {"patch", 0}, {"string", "1.0.0"}}},
                {"nvbench", {{"string", "0.1.0"}, {"git_branch", "ada-private"}}}}}}},
            {"devices", {{{"id", 0}, {"name", "NVIDIA H200"}}, {{"id", 1}, {"name", "NVIDIA A100"}}}},
            {"benchmarks",
             {{{"name", "copy"},
               {"index", 0},
               {"devices", {0}},
               {"axes", json::array()},
               {"states", {state("I32", "64"), skipped}}}}}};
}

json &firstState(json &document)
{
    return document["benchmarks"][0]["states"][0];
}

// float32 seconds whose mean is 25 µs.
QByteArray sampleBytes(std::initializer_list<float> seconds)
{
    return QByteArray(reinterpret_cast<const char *>(seconds.begin()), qsizetype(4 * seconds.size()));
}

json sampleSummary(const char *name, const char *size)
{
    return {{"tag", "nv/json/bin:nv/cold/sample_times"},
            {"data", {value("filename", "string", name), value("size", "int64", size)}}};
}

} // namespace

class TestNvbenchImport : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<ImportFolder>(); }

    void eachTimeKeepsItsSourceAndItsCacheState()
    {
        const Namespace back = imported(file());
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        QCOMPARE(back.gpu, QStringLiteral("NVIDIA H200"));
        QCOMPARE(rowTexts(back),
                 (QStringList{"copy-T-F64 64 cold gpu-time not run", "copy-T-I32 64 cold cpu-time host 40",
                              "copy-T-I32 64 cold gpu-time event 25", "copy-T-I32 64 warm batch-gpu-time event 20"}));
        const QString note = back.results[0].rounds[0].implementations["gpu-time"].note;
        QVERIFY2(note.contains("Elements{io}=64") && note.contains("mean of 4 launches") && note.contains("1.2 %"),
                 qPrintable(note));
        QVERIFY(back.excluded.join(' ').contains("no times are left out (1 kinds)"));
        QVERIFY(back.resultsDocument["imported"]["files"][0]["version"] == "0.1.0");
    }

    void nothingPrivateIsWritten()
    {
        const Namespace back = imported(file());
        const QByteArray text = m_folder->writtenText();
        QVERIFY(text.contains("no room in pool for it"));
        for (const char *secret : {"ada", "/home", "secret", "argv", "out.json"})
            QVERIFY2(!text.contains(secret), secret);
        QVERIFY(!described(back.problems).contains("/home"));
    }

    void singleTimesComeFromTheFolderBesideTheFile_data()
    {
        QTest::addColumn<QString>("recorded");
        QTest::newRow("relative") << "out.json-bin/0.bin";
        QTest::newRow("of the folder where it ran") << "results/run/out.json-bin/0.bin";
        QTest::newRow("absolute") << "/home/ada/out.json-bin/0.bin";
    }
    void singleTimesComeFromTheFolderBesideTheFile()
    {
        QFETCH(QString, recorded);
        m_folder->write("out.json-bin/0.bin", sampleBytes({2e-5F, 3e-5F, 2.4e-5F, 2.6e-5F}));
        json document = file();
        firstState(document)["summaries"].push_back(sampleSummary(qPrintable(recorded), "4"));
        const Namespace back = imported(document);
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        QCOMPARE(samples(back), (QList<double>{20, 30, 24, 26}));
    }

    void singleTimesThatAreNotTheseAreNotTaken_data()
    {
        QTest::addColumn<QString>("recorded");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("problem");
        const QString inside = "out.json-bin/0.bin";
        QTest::newRow("too few") << inside << sampleBytes({2.5e-5F}) << "4 bytes where 4 times";
        QTest::newRow("cut") << inside << sampleBytes({2e-5F, 3e-5F, 2e-5F, 3e-5F}).chopped(1) << "15 bytes";
        QTest::newRow("of another run") << inside << sampleBytes({5e-5F, 5e-5F, 5e-5F, 5e-5F}) << "of another run";
        QTest::newRow("negative") << inside << sampleBytes({-1e-5F, 6e-5F, 2e-5F, 3e-5F}) << "no time above 0";
        QTest::newRow("nan") << inside << sampleBytes({std::nanf(""), 1, 1, 1}) << "no time above 0";
        QTest::newRow("outside") << "../0.bin" << sampleBytes({2e-5F, 3e-5F, 2e-5F, 3e-5F}) << "";
        QTest::newRow("no such name") << "/etc/passwd" << QByteArray() << "";
    }
    void singleTimesThatAreNotTheseAreNotTaken()
    {
        QFETCH(QString, recorded);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, problem);
        m_folder->write("out.json-bin/0.bin", bytes);
        json document = file();
        firstState(document)["summaries"].push_back(sampleSummary(qPrintable(recorded), "4"));
        const import::Imported result = import::importFiles({m_folder->write("out.json", document)});
        const Namespace back = m_folder->written(result);
        QCOMPARE(samples(back), QList<double>{25});
        if (problem.isEmpty())
            QVERIFY(back.excluded.join(' ').contains("single times of 1 states are not beside the file"));
        else
            QVERIFY2(hasProblem(result.evidence, "/benchmarks/0/states/0/summaries/7", problem),
                     qPrintable(described(result.evidence.problems)));
    }

    void aLinkOutOfTheFolderIsNotFollowed()
    {
        QTemporaryDir elsewhere;
        QFile target(elsewhere.filePath("0.bin"));
        QVERIFY(target.open(QIODevice::WriteOnly));
        target.write(sampleBytes({2e-5F, 3e-5F, 2.4e-5F, 2.6e-5F}));
        target.close();
        QVERIFY(QFile::link(elsewhere.path(), m_folder->path("out.json-bin")));
        json document = file();
        firstState(document)["summaries"].push_back(sampleSummary("out.json-bin/0.bin", "4"));
        QCOMPARE(samples(imported(document)), QList<double>{25});
    }

    void devicesAreNeverOneSeries()
    {
        json document = file();
        document["benchmarks"][0]["states"] = {state("I32", "64", 0), state("I32", "64", 1)};
        const Namespace back = imported(document);
        QCOMPARE(back.gpu, QStringLiteral("NVIDIA H200 (device 0); NVIDIA A100 (device 1)"));
        QCOMPARE(rowTexts(back).filter("gpu-time event 25"),
                 (QStringList{"copy-T-I32-device-0 64 cold gpu-time event 25",
                              "copy-T-I32-device-1 64 cold gpu-time event 25"}));
    }

    void timesOfCuptiAreKernelTimes()
    {
        json document = file();
        firstState(document)["summaries"][1]["description"] = "Mean kernel time (measured with CUPTI)";
        const Namespace back = imported(document);
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        const auto rows = evidence::valueRows(back);
        const auto row = std::find_if(rows.begin(), rows.end(), [](const auto &r) {
            return r.operation == "copy-T-I32" && r.implementation == "gpu-time";
        });
        QVERIFY(row != rows.end());
        QCOMPARE(row->kernel.estimate->mean, 25.0);
        QCOMPARE(row->kernel.source, QStringLiteral("cupti"));
        QCOMPARE(row->span.state, State::Unavailable);
    }

    void severalFilesAreStages()
    {
        json faster = file();
        firstState(faster)["summaries"][1]["data"][0]["value"] = "1e-05";
        const import::Imported result =
            import::importFiles({m_folder->write("before.json", file()), m_folder->write("after.json", faster)});
        QCOMPARE(result.error, QString());
        const Namespace back = m_folder->written(result);
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        QVERIFY(back.progression);
        const auto cold = std::find_if(
            back.progression->operations.begin(), back.progression->operations.end(),
            [](const auto &operation) { return operation.operation == "copy-T-I32" && operation.cache == "cold"; });
        QVERIFY(cold != back.progression->operations.end());
        QCOMPARE(cold->stages.size(), 2);
        QCOMPARE(cold->stages[0].label, QStringLiteral("before"));
        QCOMPARE(cold->stages[0].spanUs, 25.0);
        QCOMPARE(cold->stages[1].spanUs, 10.0);
        QVERIFY(!described(back.problems).contains("no origin"));
    }

    void otherFilesSayWhatTheyAre_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("error");
        json old = file(), list = file(), none = file();
        firstState(old)["summaries"] = {{"Average GPU Time", {{"value", 1}}}};
        old["benchmarks"][0]["states"].erase(1);
        list["benchmarks"][0].erase("states");
        none["benchmarks"] = json::array();
        const auto row = [](const char *name, const json &document, const char *error) {
            QTest::newRow(name) << QByteArray::fromStdString(document.dump()) << error;
        };
        row("before version 1", old, "before version 1 of its JSON");
        row("a list", list, "lists benchmarks and has no results");
        row("nothing", none, "no state of any benchmark");
        // Where reading stopped before what is looked for, that is the cause.
        QByteArray cut = QByteArray::fromStdString(file().dump());
        cut.replace("\"benchmarks\"", "\"\xE9\", \"benchmarks\"");
        QTest::newRow("not UTF-8") << cut << "ill-formed UTF-8";
        QTest::newRow("no JSON") << QByteArray("\x01\x02") << "of none of the kinds";
        QTest::newRow("empty") << QByteArray() << "of none of the kinds";
    }
    void otherFilesSayWhatTheyAre()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, error);
        const import::Imported result = import::importFiles({m_folder->write("out.json", text)});
        QVERIFY2(result.error.contains(error), qPrintable(result.error));
        QVERIFY(result.error.startsWith("out.json: "));
    }

    void whatIsNoTimeIsNamed_data()
    {
        QTest::addColumn<QByteArray>("value");
        for (const char *bad : {"\"nan\"", "\"inf\"", "\"-1e-5\"", "\"0\"", "\"many\"", "1e300", "true", "[]"})
            QTest::newRow(bad) << QByteArray(bad);
    }
    void whatIsNoTimeIsNamed()
    {
        QFETCH(QByteArray, value);
        json document = file();
        firstState(document)["summaries"][1]["data"][0]["value"] = json::parse(value.toStdString());
        const import::Imported result = import::importFiles({m_folder->write("out.json", document)});
        QVERIFY2(hasProblem(result.evidence, "/benchmarks/0/states/0/summaries/1/data/0/value", "A time"),
                 qPrintable(described(result.evidence.problems)));
        const Namespace back = m_folder->written(result);
        QVERIFY(!back.hasContradiction());
        QVERIFY(rowTexts(back).contains("copy-T-I32 64 cold gpu-time invalid"));
        QVERIFY(rowTexts(back).contains("copy-T-I32 64 warm batch-gpu-time event 20"));
    }

    void aBareNanCostsItsValueOnly()
    {
        const QByteArray text =
            QByteArray::fromStdString(file().dump()).replace("\"2.5e-05\"", "NaN").replace("\"0.012\"", "-Infinity");
        const import::Imported result = import::importFiles({m_folder->write("out.json", text)});
        QVERIFY(rowTexts(m_folder->written(result)).contains("copy-T-I32 64 warm batch-gpu-time event 20"));
    }

    void damageNeverContradicts()
    {
        const QByteArray text = QByteArray::fromStdString(file().dump(1));
        importEveryPiece(*m_folder, "out.json", text);
        importEveryReplacement(*m_folder, "out.json", file());
    }

    void aBenchmarkMayBeCalledLikeAnOperationOfOurs()
    {
        json document = file();
        document["benchmarks"][0]["name"] = "matmul";
        firstState(document)["axis_values"] = json::array({value("Elements", "int64", "64")});
        QVERIFY(firstState(document)["axis_values"].is_array());
        const Namespace back = imported(document);
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        QVERIFY(rowTexts(back).contains("matmul-benchmark 64 cold gpu-time event 25"));
    }

private:
    Namespace imported(const json &document)
    {
        const QString path = m_folder->write("out.json", document);
        const import::Format *format = import::formatOf(path);
        if (!format || format->id != "nvbench")
            qFatal("not recognised");
        const import::Imported result = import::importFiles({path});
        if (!result.error.isEmpty())
            qFatal("%s", qPrintable(result.error));
        return m_folder->written(result);
    }

    static QList<double> samples(const Namespace &evidence)
    {
        for (const evidence::OperationResult &result : evidence.results) {
            if (result.operation == "copy-T-I32" && result.cache == "cold")
                return result.rounds[0].implementations["gpu-time"].samplesUs;
        }
        return {};
    }

    std::unique_ptr<ImportFolder> m_folder;
};

QTEST_GUILESS_MAIN(TestNvbenchImport)
#include "tst_nvbenchimport.moc"
