// SPDX-License-Identifier: GPL-3.0-or-later
#include "benchmarkfixture.h"

using namespace fixtures;
using evidence::Namespace;
using evidence::State;

namespace {

// One line of a cache, as the tool appends it. Times in ms; `time` is what stands in its place where there are none.
QByteArray entry(int x, int y, const QByteArray &times, const QByteArray &time = "1", int second = -1)
{
    QByteArray line = QByteArray("\"%x,%y\": {\"block_size_x\": %x, \"block_size_y\": %y, \"time\": ")
                          .replace("%x", QByteArray::number(x))
                          .replace("%y", QByteArray::number(y)) +
                      time;
    if (!times.isEmpty())
        line += ", \"times\": " + times;
    line += ", \"compile_time\": 100.0, \"GFLOP/s\": 12.5";
    if (second >= 0)
        line += QStringLiteral(", \"timestamp\": \"2026-03-01 10:11:%1.5+00:00\"")
                    .arg(second, 2, 10, QLatin1Char('0'))
                    .toLatin1();
    return line + "}";
}

QByteArray header()
{
    return R"({
"schema_version": "1.1.0",
"device_name": "NVIDIA H200",
"kernel_name": "convolve",
"problem_size": [4096, 1024],
"tune_params_keys": ["block_size_x", "block_size_y"],
"tune_params": {"block_size_x": [16, 32, 64], "block_size_y": [1, 2]},
"objective": "time",
"cache": {)";
}

QByteArray cache(const QList<QByteArray> &entries, const QByteArray &end = "\n}\n}")
{
    return header() + '\n' + entries.join(",\n") + end;
}

// 64,1 is tried first, though its key sorts behind the others.
QList<QByteArray> session()
{
    return {entry(64, 1, "[0.030, 0.031, 0.032]"), entry(32, 2, "", "\"CompilationFailedConfig\""),
            entry(16, 1, "[0.040, 0.040]"),        entry(16, 2, "[0.020, 0.022]"),
            entry(32, 1, "", "\"InvalidConfig\""), entry(64, 2, "", "\"CompilationFailedConfig\"")};
}

} // namespace

class TestKernelTunerImport : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<ImportFolder>(); }

    void theFastestSoFarAreTheStages()
    {
        const Namespace back = imported(cache(session()));
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        QCOMPARE(back.gpu, QStringLiteral("NVIDIA H200"));
        QCOMPARE(rowTexts(back), (QStringList{"convolve 4096x1024 16_1 event 40", "convolve 4096x1024 16_2 event 21",
                                              "convolve 4096x1024 64_1 event 31"}));
        const auto &progression = back.progression->operations.first();
        QCOMPARE(progression.operation, QStringLiteral("convolve"));
        QCOMPARE(progression.dims, (QList<qint64>{4096, 1024}));
        QCOMPARE(progression.stages.size(), 2);
        QCOMPARE(progression.stages[0].id, QStringLiteral("64_1"));
        QCOMPARE(progression.stages[0].change, QStringLiteral("block_size_x=64, block_size_y=1"));
        QCOMPARE(progression.stages[0].spanUs, 31.0);
        QCOMPARE(progression.stages[1].title, QStringLiteral("configuration 4 of 6"));
        QCOMPARE(progression.stages[1].change, QStringLiteral("block_size_x 64 → 16, block_size_y 1 → 2"));
        QCOMPARE(back.results.first().rounds.first().implementations["16_2"].samplesUs, (QList<double>{20, 22}));
        QVERIFY2(!described(back.problems).contains("no origin"), qPrintable(described(back.problems)));
    }

    void whatWasNotAdoptedIsAnAttempt()
    {
        const Namespace back = imported(cache(session()));
        const auto &attempts = back.progression->operations.first().attempts;
        QCOMPARE(attempts.size(), 3);
        QCOMPARE(attempts[0].title, QStringLiteral("1 configuration, slower"));
        QCOMPARE(attempts[0].low, 40.0);
        QCOMPARE(attempts[0].comparedWith, QStringLiteral("16_2"));
        QCOMPARE(attempts[1].title, QStringLiteral("2 configurations"));
        QCOMPARE(attempts[1].state, State::Failed);
        QCOMPARE(attempts[1].reason, QStringLiteral("it did not compile; the first was 32_2"));
        QCOMPARE(attempts[2].state, State::Invalid);
        QVERIFY(back.excluded.join(' ').contains("2 configurations: it did not compile"));
    }

    void aSessionThatHasNotEndedIsRead_data()
    {
        QTest::addColumn<QByteArray>("end");
        QTest::newRow("with its comma") << QByteArray(",");
        QTest::newRow("with a line") << QByteArray(",\n\n");
        QTest::newRow("without a comma") << QByteArray();
    }
    void aSessionThatHasNotEndedIsRead()
    {
        QFETCH(QByteArray, end);
        const import::Imported result = import::importFiles({m_folder->write("c.json", cache(session(), end))});
        QCOMPARE(result.error, QString());
        QVERIFY2(!result.evidence.hasContradiction(), qPrintable(described(result.evidence.problems)));
        QVERIFY(result.evidence.excluded.join(' ').contains("had not ended"));
        QCOMPARE(rowTexts(m_folder->written(result)).size(), 3);
    }

    void aConfigurationThatIsCutIsNotTaken()
    {
        const QByteArray text = cache({entry(64, 1, "[0.030]"), entry(16, 1, "[0.010, 0.020]")}, {});
        const import::Imported result =
            import::importFiles({m_folder->write("c.json", text.first(text.indexOf("0.020")))});
        QVERIFY(hasProblem(result.evidence, "/cache/16,1/times/1", "stopped here") ||
                result.evidence.hasContradiction());
        const Namespace back = m_folder->written(result);
        QCOMPARE(rowTexts(back), QStringList{"convolve 4096x1024 64_1 event 30"});
        QVERIFY(back.excluded.join(' ').contains("the file stops inside this configuration"));
    }

    void aSessionWithoutAResultIsAFailure()
    {
        const Namespace back = imported(cache({entry(32, 2, "", "\"RuntimeFailedConfig\""), entry(16, 1, "", "1e20")}));
        QCOMPARE(rowTexts(back), QStringList{"convolve 4096x1024 all configurations failed"});
        const QString reason = evidence::valueRows(back).first().span.reason;
        QVERIFY2(reason.contains("failed when it was run") && reason.contains("recorded it as failed"),
                 qPrintable(reason));
    }

    void aSessionWithoutAConfigurationSaysSo()
    {
        const import::Imported result = import::importFiles({m_folder->write("c.json", cache({}, ""))});
        QVERIFY2(result.error.contains("no configuration yet"), qPrintable(result.error));
    }

    void timestampsAreTheOrderWhereThereAreAny()
    {
        const Namespace back = imported(cache(
            {entry(16, 1, "[0.010]", "1", 30), entry(32, 1, "[0.020]", "1", 20), entry(64, 1, "[0.030]", "1", 10)}));
        const auto &stages = back.progression->operations.first().stages;
        QCOMPARE(stages.size(), 3);
        QCOMPARE(stages[0].id, QStringLiteral("64_1"));
        QCOMPARE(back.utc, QStringLiteral("2026-03-01T10:11:10Z"));
    }

    void aMeanAloneIsOneSample()
    {
        const Namespace back = imported(cache({entry(16, 1, "", "0.25")}));
        QCOMPARE(rowTexts(back), QStringList{"convolve 4096x1024 16_1 event 250"});
        QVERIFY(evidence::valueRows(back).first().note.contains("the tuner's own mean"));
    }

    void whatIsNoTimeIsNamed_data()
    {
        QTest::addColumn<QByteArray>("times");
        for (const char *bad : {"[0.01, -0.01]", "[NaN]", "[Infinity]", "[\"x\"]", "[]", "7", "[1e300]", "[null]"})
            QTest::newRow(bad) << QByteArray(bad);
    }
    void whatIsNoTimeIsNamed()
    {
        QFETCH(QByteArray, times);
        const import::Imported result =
            import::importFiles({m_folder->write("c.json", cache({entry(16, 1, "[0.010]"), entry(32, 1, times)}))});
        const Namespace back = m_folder->written(result);
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        QCOMPARE(rowTexts(back), QStringList{"convolve 4096x1024 16_1 event 10"});
        QVERIFY(back.excluded.join(' ').contains("no times above 0"));
        QVERIFY2(times == "[null]" || described(result.evidence.problems).contains("! c /cache/32,1/times"),
                 qPrintable(described(result.evidence.problems)));
    }

    void thousandsOfConfigurationsStayUsable()
    {
        QList<QByteArray> entries;
        for (int i = 0; i < 5000; ++i) // each faster than the one before
            entries.append(entry(i, 1, "[" + QByteArray::number(6.0 - i * 0.001, 'f', 4) + "]"));
        const Namespace back = imported(cache(entries));
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        const auto &progression = back.progression->operations.first();
        QCOMPARE(progression.stages.size(), 16);
        QCOMPARE(progression.stages.first().id, QStringLiteral("0_1"));
        QCOMPARE(progression.stages.last().id, QStringLiteral("4999_1"));
        QCOMPARE(progression.attempts.first().title, QStringLiteral("4984 configurations, slower"));
        const qsizetype rows = rowTexts(back).size();
        QVERIFY2(rows >= 16 && rows <= 26, qPrintable(QString::number(rows)));
        QVERIFY(back.excluded.join(' ').contains(QStringLiteral("%1 of 5000 measured").arg(5000 - rows)));
    }

    void theOutputFormatIsRead()
    {
        const json result = {{"timestamp", "2026-03-01 10:11:12+00:00"},
                             {"configuration", {{"block_size_x", 16}, {"tile", 2}}},
                             {"times", {{"compilation", 12.0}, {"runtimes", {0.010, 0.020}}}},
                             {"invalidity", "correct"},
                             {"correctness", 1}};
        json slower = result, failed = result;
        slower["configuration"]["tile"] = 3;
        slower["times"].erase("runtimes");
        slower["measurements"] = {{{"name", "time"}, {"value", 0.5}, {"unit", "ms"}}};
        failed["configuration"]["tile"] = 4;
        failed["invalidity"] = "compile";
        const json document = {{"results", {result, slower, failed}}, {"schema_version", "1.0.0"}};
        const Namespace back = imported(QByteArray::fromStdString(document.dump()), "blur.json");
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        QCOMPARE(rowTexts(back), (QStringList{"blur 16_2 event 15", "blur 16_3 event 500"}));
        QVERIFY(back.excluded.join(' ').contains("names no kernel"));
        QVERIFY(back.excluded.join(' ').contains("it did not compile"));
    }

    void aFunctionOfTheCpuIsTimedByTheHost()
    {
        const Namespace back = imported(cache(session()).replace("NVIDIA H200", "x86_64"));
        QCOMPARE(back.gpu, QString());
        QVERIFY(rowTexts(back).contains("convolve 4096x1024 16_2 host 21"));
    }

    void otherProblemSizesAndObjectivesAreSaid()
    {
        const Namespace back = imported(cache(session())
                                            .replace("[4096, 1024]", "\"callable\"")
                                            .replace("\"objective\": \"time\"", "\"objective\": \"GFLOP/s\""));
        QVERIFY(rowTexts(back).contains("convolve-callable 16_2 event 21"));
        QVERIFY(back.excluded.join(' ').contains("tuned for GFLOP/s"));
    }

    void severalFilesAreStagesByTheirBest()
    {
        const import::Imported result = import::importFiles(
            {m_folder->write("first.json", cache(session())),
             m_folder->write("second.json", cache({entry(16, 1, "[0.050]"), entry(32, 1, "[0.012]")}))});
        const Namespace back = m_folder->written(result);
        QVERIFY2(!back.hasContradiction(), qPrintable(described(back.problems)));
        const auto &stages = back.progression->operations.first().stages;
        QCOMPARE(stages.size(), 2);
        QCOMPARE(stages[0].spanUs, 21.0);
        QCOMPARE(stages[1].spanUs, 12.0);
    }

    void nothingPrivateIsWritten()
    {
        QByteArray text = header().replace("block_size_y", "include");
        text += R"("16,/home/ada/a.h": {"block_size_x": 16, "include": "/home/ada/secret/a.h", "time": 0.02, )"
                R"("times": [0.02], "host": "lovelace"},)";
        const Namespace back = imported(text);
        const QByteArray written = m_folder->writtenText();
        QVERIFY(written.contains("a.h"));
        for (const char *secret : {"ada", "/home", "secret", "lovelace"})
            QVERIFY2(!written.contains(secret), secret);
    }

    void thePlaceOfDamageIsNotPrivateEither()
    {
        QByteArray text = header().replace("block_size_y", "include");
        text += R"("16,/home/ada/a.h": {"block_size_x": 16, "include": "a.h", "time": -1})";
        text += R"(, "32,/home/ada/b.h": {"block_size_x": 32, "include": "b.h", "time": 0.02}}})";
        const import::Imported result = import::importFiles({m_folder->write("c.json", text)});
        const QString problems = described(result.evidence.problems);
        QVERIFY2(problems.contains("/cache/16,") && !problems.contains("ada"), qPrintable(problems));
        const Namespace back = m_folder->written(result);
        QVERIFY2(back.excluded.join(' ').contains("damaged at cache/16,"), qPrintable(back.excluded.join(' ')));
        QVERIFY(!m_folder->writtenText().contains("ada"));
    }

    void damageNeverContradicts()
    {
        const QByteArray text = cache(session());
        importEveryPiece(*m_folder, "c.json", text);
        importEveryReplacement(*m_folder, "c.json", json::parse(text.toStdString()));
    }

private:
    Namespace imported(const QByteArray &text, const QString &name = QStringLiteral("c.json"))
    {
        const QString path = m_folder->write(name, text);
        const import::Format *format = import::formatOf(path);
        if (!format || format->id != "kerneltuner")
            qFatal("not recognised");
        const import::Imported result = import::importFiles({path});
        if (!result.error.isEmpty())
            qFatal("%s", qPrintable(result.error));
        return m_folder->written(result);
    }

    std::unique_ptr<ImportFolder> m_folder;
};

QTEST_GUILESS_MAIN(TestKernelTunerImport)
#include "tst_kerneltunerimport.moc"
