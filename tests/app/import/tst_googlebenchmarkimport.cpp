// SPDX-License-Identifier: GPL-3.0-or-later
#include "benchmarkfixture.h"

using namespace fixtures;
using evidence::Namespace;
using evidence::State;

namespace {

json run(const char *name, double realTime, const char *unit = "us", int repetition = 0)
{
    return {{"name", name},          {"family_index", 0},
            {"run_name", name},      {"run_type", "iteration"},
            {"repetitions", 1},      {"repetition_index", repetition},
            {"threads", 1},          {"iterations", 1000},
            {"real_time", realTime}, {"cpu_time", 99.0},
            {"time_unit", unit}};
}

json aggregate(const char *name, const char *what, double realTime)
{
    json entry = run(name, realTime);
    entry["name"] = std::string(name) + "_" + what;
    entry["run_type"] = "aggregate";
    entry["aggregate_name"] = what;
    entry["repetitions"] = 3;
    entry.erase("repetition_index");
    return entry;
}

json file(const std::vector<json> &runs)
{
    return {{"context",
             {{"date", "2026-03-01T10:11:12+02:00"},
              {"host_name", "lovelace"},
              {"executable", "/home/ada/build/bench"},
              {"num_cpus", 16},
              {"mhz_per_cpu", 4000},
              {"cpu_scaling_enabled", false},
              {"caches", json::array()},
              {"load_avg", {0.5, 0.25}},
              {"library_version", "v1.8.3"},
              {"library_build_type", "release"}}},
            {"benchmarks", runs}};
}

} // namespace

class TestGoogleBenchmarkImport : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<ImportFolder>(); }

    void eachUnitBecomesMicroseconds()
    {
        const Namespace back = imported(
            file({run("a/8", 1500, "ns"), run("b/8", 2.5, "us"), run("c/8", 0.25, "ms"), run("d/8", 0.001, "s")}));
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        QCOMPARE(rowTexts(back), (QStringList{"a 8 real-time host 1.5", "b 8 real-time host 2.5",
                                              "c 8 real-time host 250", "d 8 real-time host 1000"}));
        QCOMPARE(back.utc, QStringLiteral("2026-03-01T08:11:12Z"));
        QVERIFY(back.resultsDocument["imported"]["files"][0]["version"] == "v1.8.3");
        QVERIFY(back.excluded.join(' ').contains("cpu_time"));
    }

    void repetitionsAreRounds()
    {
        const Namespace back =
            imported(file({run("copy/64", 10, "us", 0), run("copy/64", 11, "us", 1), run("copy/64", 15, "us", 2),
                           aggregate("copy/64", "mean", 12), aggregate("copy/64", "stddev", 2), run("other/64", 1)}));
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        const auto row = evidence::valueRows(back).first();
        QCOMPARE(row.span.estimate->roundMeans, (QList<double>{10, 11, 15}));
        QCOMPARE(row.span.estimate->low, 10.0);
        QCOMPARE(row.span.estimate->high, 15.0);
        QVERIFY(row.note.contains("mean of the iterations of one repetition (1000)"));
        QVERIFY(back.excluded.join(' ').contains("Aggregates of repetitions"));
    }

    void namesAreOperationsAndDims_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("row");
        QTest::newRow("no arguments") << "BM_Copy"
                                      << "BM_Copy real-time host 1";
        QTest::newRow("arguments") << "BM_Copy/8/16"
                                   << "BM_Copy 8x16 real-time host 1";
        QTest::newRow("named") << "BM_Copy/size:8/width:16"
                               << "BM_Copy 8x16 real-time host 1";
        QTest::newRow("manual") << "BM_Copy/8/manual_time"
                                << "BM_Copy 8 manual-time manual 1";
        QTest::newRow("protocol") << "BM_Copy/8/min_time:0.500/repeats:3/real_time"
                                  << "BM_Copy 8 real-time host 1";
        QTest::newRow("threads") << "BM_Copy/8/threads:4"
                                 << "BM_Copy-threads-4 8 real-time host 1";
        QTest::newRow("fixture") << "Fixture/Method/8"
                                 << "Fixture-Method 8 real-time host 1";
        QTest::newRow("template") << "BM_Sum<a/b, 4>/8"
                                  << "BM_Sum-a-b-4 8 real-time host 1";
        QTest::newRow("path") << "BM_Read//home/ada/in.bin/8/real_time"
                              << "BM_Read-in.bin 8 real-time host 1";
        QTest::newRow("windows path") << "BM_Read/C:\\Users\\ada\\in.bin/8"
                                      << "BM_Read-in.bin 8 real-time host 1";
        QTest::newRow("negative") << "BM_Copy/-8"
                                  << "BM_Copy--8 real-time host 1";
        QTest::newRow("of no count") << "BM_Copy/99999999999999999999"
                                     << "BM_Copy-99999999999999999999 real-time host 1";
        QTest::newRow("an operation of ours") << "matmul/8"
                                              << "matmul-benchmark 8 real-time host 1";
    }
    void namesAreOperationsAndDims()
    {
        QFETCH(QString, name);
        QFETCH(QString, row);
        const Namespace back = imported(file({run(qPrintable(name), 1)}));
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        QCOMPARE(rowTexts(back), QStringList{row});
        QVERIFY(!m_folder->writtenText().contains("ada"));
    }

    void withAndWithoutArgumentsAreTwoOperations()
    {
        const Namespace back = imported(file({run("copy", 1), run("copy/8", 2), run("copy/9", 3)}));
        QCOMPARE(rowTexts(back), (QStringList{"copy 8 real-time host 2", "copy 9 real-time host 3",
                                              "copy-without-arguments real-time host 1"}));
    }

    void errorsAndSkipsAreStates()
    {
        json failed = run("a/8", 0), skipped = run("b/8", 0), partly = run("c/8", 0, "us", 1);
        failed["error_occurred"] = true;
        failed["error_message"] = "out of memory in /home/ada/x.cu";
        skipped["skipped"] = true;
        skipped["skip_message"] = "needs two GPUs";
        partly["error_occurred"] = true;
        partly["error_message"] = "lost the device";
        const Namespace back = imported(file({failed, skipped, run("c/8", 4), partly}));
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        const auto rows = evidence::valueRows(back);
        QCOMPARE(rows[0].span.state, State::Failed);
        QCOMPARE(rows[0].span.reason, QStringLiteral("out of memory in x.cu"));
        QCOMPARE(rows[1].span.state, State::NotRun);
        QCOMPARE(rows[2].span.estimate->mean, 4.0);
        QVERIFY(rows[2].span.reason.contains("1 of 2 rounds: lost the device"));
    }

    void aggregatesAloneAreTheirMean()
    {
        const Namespace back =
            imported(file({aggregate("a/8", "mean", 12), aggregate("a/8", "median", 11), aggregate("a/8", "cv", 0.1),
                           aggregate("b/8", "median", 7), aggregate("c/8", "stddev", 1)}));
        QCOMPARE(rowTexts(back), (QStringList{"a 8 real-time host 12", "b 8 real-time host 7"}));
        QVERIFY(evidence::valueRows(back).first().note.contains("the mean of 3 repetitions"));
        QVERIFY(back.excluded.join(' ').contains("1 entries hold no time"));
    }

    void filesFromBeforeRunTypesAreRead()
    {
        json first = run("a/8", 3), mean = run("a/8_mean", 5);
        for (json *entry : {&first, &mean}) {
            for (const char *key : {"run_type", "run_name", "repetition_index"})
                entry->erase(key);
        }
        QCOMPARE(rowTexts(imported(file({first, mean}))), QStringList{"a 8 real-time host 3"});
    }

    void complexityIsLeftOut()
    {
        json bigO = aggregate("copy", "BigO", 0), rms = aggregate("copy", "RMS", 0);
        for (json *entry : {&bigO, &rms})
            entry->erase("real_time");
        bigO["big_o"] = "N";
        rms["rms"] = 0.02;
        const Namespace back = imported(file({run("copy/8", 1), bigO, rms}));
        QCOMPARE(rowTexts(back), QStringList{"copy 8 real-time host 1"});
        QVERIFY(back.excluded.join(' ').contains("big O"));
    }

    void aCounterThatIsNoNumberCostsNothing()
    {
        json counted = run("a/8", 1);
        counted["bandwidth"] = "@";
        counted["label"] = "/home/ada/label";
        const QByteArray text = QByteArray::fromStdString(file({counted}).dump()).replace("\"@\"", "NaN");
        const import::Imported result = import::importFiles({m_folder->write("out.json", text)});
        QVERIFY2(result.evidence.problems.isEmpty() || !result.evidence.hasContradiction(),
                 qPrintable(described(result.evidence.problems)));
        const Namespace back = m_folder->written(result);
        QCOMPARE(rowTexts(back), QStringList{"a 8 real-time host 1"});
        QVERIFY(back.excluded.join(' ').contains("Counters and labels are left out (2 kinds)"));
    }

    void aLibraryBuiltForDebuggingIsSaid()
    {
        json document = file({run("a/8", 1)});
        document["context"]["library_build_type"] = "debug";
        QVERIFY(evidence::valueRows(imported(document)).first().note.contains("built for debugging"));
    }

    void whatIsNoTimeIsNamed_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("negative") << "real_time" << QByteArray("-1");
        QTest::newRow("zero") << "real_time" << QByteArray("0");
        QTest::newRow("huge") << "real_time" << QByteArray("1e300");
        QTest::newRow("text") << "real_time" << QByteArray("\"soon\"");
        QTest::newRow("nan") << "real_time" << QByteArray("\"NaN\"");
        QTest::newRow("unit") << "time_unit" << QByteArray("\"fortnight\"");
        QTest::newRow("no unit") << "time_unit" << QByteArray("7");
    }
    void whatIsNoTimeIsNamed()
    {
        QFETCH(QString, key);
        QFETCH(QByteArray, value);
        json document = file({run("a/8", 1), run("b/8", 2)});
        document["benchmarks"][0][key.toStdString()] = json::parse(value.toStdString());
        const import::Imported result = import::importFiles({m_folder->write("out.json", document)});
        QVERIFY2(hasProblem(result.evidence, QStringLiteral("/benchmarks/0/") + key, "expected"),
                 qPrintable(described(result.evidence.problems)));
        QCOMPARE(rowTexts(m_folder->written(result)), (QStringList{"a 8 real-time invalid", "b 8 real-time host 2"}));
    }

    void severalFilesAreStages()
    {
        const import::Imported result =
            import::importFiles({m_folder->write("v1.json", file({run("copy/8", 4), run("gone/8", 1)})),
                                 m_folder->write("v2.json", file({run("copy/8", 2)}))});
        const Namespace back = m_folder->written(result);
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        QCOMPARE(back.progression->operations.size(), 1);
        const auto &stages = back.progression->operations.first().stages;
        QCOMPARE(stages.size(), 2);
        QCOMPARE(stages[0].label, QStringLiteral("v1"));
        QCOMPARE(stages[1].spanUs, 2.0);
        QVERIFY(back.excluded.join(' ').contains("gone"));
    }

    void nothingPrivateIsWritten()
    {
        json named = run("a/8", 1);
        named["label"] = "/home/ada/label";
        imported(file({named}));
        const QByteArray text = m_folder->writtenText();
        QVERIFY(text.contains("real-time"));
        for (const char *secret : {"lovelace", "ada", "/home", "executable", "build/bench"})
            QVERIFY2(!text.contains(secret), secret);
    }

    void damageNeverContradicts()
    {
        const json document = file({run("copy/8", 4), run("copy/8", 5, "us", 1), aggregate("copy/8", "mean", 4.5)});
        importEveryPiece(*m_folder, "out.json", QByteArray::fromStdString(document.dump(1)));
        importEveryReplacement(*m_folder, "out.json", document);
    }

private:
    Namespace imported(const json &document)
    {
        const QString path = m_folder->write("out.json", document);
        const import::Format *format = import::formatOf(path);
        if (!format || format->id != "googlebenchmark")
            qFatal("not recognised");
        const import::Imported result = import::importFiles({path});
        if (!result.error.isEmpty())
            qFatal("%s", qPrintable(result.error));
        return m_folder->written(result);
    }

    std::unique_ptr<ImportFolder> m_folder;
};

QTEST_GUILESS_MAIN(TestGoogleBenchmarkImport)
#include "tst_googlebenchmarkimport.moc"
