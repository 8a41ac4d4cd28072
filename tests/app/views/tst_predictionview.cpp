// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressionfixtures.h"

// Experiments: what counting predicts against what was measured. The literals are the note's.
using namespace stagecraft;
using namespace stagecraft::views;
using fixtures::cell;
using fixtures::shown;

class TestPredictionView : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void theNotesExperiment()
    {
        const widgets::Figure figure = buildFigure(ViewId::Prediction, fixtures::note("mage-003"));
        QVERIFY2(figure.unavailable.isEmpty(), qPrintable(figure.unavailable));
        QCOMPARE(figure.desktopWidth, 740);
        QCOMPARE(figure.rows[0].panels.size(), 1);
        const widgets::FigurePanel &panel = figure.rows[0].panels[0];
        QCOMPARE(panel.subtitle, QStringLiteral("Matrix multiplication"));
        const widgets::FigureBar &predicted = fixtures::barOf(panel, "predicted");
        QCOMPARE(predicted.value.value_or(0), 1.5);
        QCOMPARE(predicted.valueText, QStringLiteral("1.50"));
        QCOMPARE(predicted.details,
                 QStringList({"shared reads per multiply-add: 0.75 ÷ 0.5", "2×4 register tile ÷ 4×4 register tile"}));
        const widgets::FigureBar &measured = fixtures::barOf(panel, "measured");
        QCOMPARE(measured.value.value_or(0), 1.4457);
        QCOMPARE(measured.valueText, QStringLiteral("1.45"));
        QCOMPARE(measured.details, QStringList({"span: 210.51 ÷ 145.61 µs"}));
        QVERIFY(panel.notes.join(' ').contains("time follows the read count"));
        for (const char *words : {"1.50", "1.45", "0.75 ÷ 0.5", "210.51 ÷ 145.61"})
            QVERIFY2(figure.altText.contains(QString::fromUtf8(words)), words);
        QVERIFY(figure.altText.contains("µs). A 32×32 block tile") && figure.altText.endsWith("the read count."));
        QVERIFY(figure.footer.join('\n').contains("timestamp mode: reduced precision"));
    }

    // The figure prints times in its own precision, the tool tip as they were stored.
    void timesAreRounded()
    {
        evidence::Namespace evidence = fixtures::note("mage-003");
        nlohmann::json &values = evidence.progression->operations[0].experiments[0].values;
        for (auto &value : values)
            value = value.get<double>() + 1.0 / 3;
        const widgets::Figure figure = buildFigure(ViewId::Prediction, evidence);
        const widgets::FigureBar &measured = fixtures::barOf(figure.rows[0].panels[0], "measured");
        QCOMPARE(measured.details, QStringList({"span: 210.84 ÷ 145.94 µs"}));
        QVERIFY2(measured.toolTip.contains("210.8433333333333"), qPrintable(measured.toolTip));
    }

    void itsTable()
    {
        ViewOptions options;
        options.audience = Audience::Programs;
        const widgets::ValueTable table = buildTable(ViewId::Prediction, fixtures::note("mage-003"), options);
        QCOMPARE(table.rows.size(), 1);
        QCOMPARE(shown(table, 0, "operation"), QStringLiteral("matmul"));
        QCOMPARE(shown(table, 0, "predicted_ratio"), QStringLiteral("1.50"));
        QCOMPARE(shown(table, 0, "measured_ratio"), QStringLiteral("1.45"));
        QCOMPARE(cell(table, 0, "measured_ratio").number.value_or(0), 1.4457);
        QCOMPARE(shown(table, 0, "count"), QStringLiteral("shared reads per multiply-add"));
        QCOMPARE(shown(table, 0, "numerator"), QStringLiteral("2×4 register tile"));
        QCOMPARE(cell(table, 0, "numerator_count").number.value_or(0), 0.75);
        QCOMPARE(cell(table, 0, "denominator_count").number.value_or(0), 0.5);
        QCOMPARE(cell(table, 0, "numerator_us").number.value_or(0), 210.51);
        QCOMPARE(cell(table, 0, "denominator_us").number.value_or(0), 145.61);
        QCOMPARE(shown(table, 0, "metric"), QStringLiteral("span"));
    }

    // "b" comes after "a" in a JSON object, whichever is divided by which.
    void theRecordedRatioSaysWhichIsDivided()
    {
        evidence::Namespace run = fixtures::stagesRun();
        run.progression->operations[0].experiments = {{QStringLiteral("e"),
                                                       {{"loads", {{"a", 1}, {"b", 4}}}},
                                                       0.25,
                                                       0.5,
                                                       QStringLiteral("kernel time"),
                                                       {{"a", 50}, {"b", 100}},
                                                       QString()},
                                                      {QStringLiteral("f"),
                                                       {{"loads", {{"a", 1}, {"b", 4}}}},
                                                       4,
                                                       2,
                                                       QStringLiteral("kernel time"),
                                                       {{"a", 50}, {"b", 100}},
                                                       QString()}};
        const widgets::ValueTable table = buildTable(ViewId::Prediction, run);
        QCOMPARE(shown(table, 0, "numerator"), QStringLiteral("a"));
        QCOMPARE(cell(table, 0, "numerator_us").number.value_or(0), 50.0);
        QCOMPARE(shown(table, 1, "numerator"), QStringLiteral("b"));
        QCOMPARE(cell(table, 1, "numerator_us").number.value_or(0), 100.0);
    }

    void whatIsNotRecordedIsUnavailable()
    {
        evidence::Namespace run = fixtures::stagesRun();
        run.progression->operations[0].experiments = {
            {QStringLiteral("e"), {{"loads", {{"a", 1}, {"b", 4}}}}, 4, 0, {}, {}, {}}};
        const widgets::Figure figure = buildFigure(ViewId::Prediction, run);
        const widgets::FigureBar &measured = fixtures::barOf(figure.rows[0].panels[0], "measured");
        QVERIFY(!measured.value);
        QCOMPARE(measured.stateText, QStringLiteral("unavailable"));
        QCOMPARE(measured.details, QStringList({"no ratio is recorded", "the metric is not recorded"}));
        QCOMPARE(shown(buildTable(ViewId::Prediction, run), 0, "measured_ratio"), QStringLiteral("unavailable"));
    }

    void itsAbsenceIsSaid()
    {
        for (const evidence::Namespace &evidence : {fixtures::note("mage-001"), fixtures::stagesRun()}) {
            const QString reason = buildFigure(ViewId::Prediction, evidence).unavailable;
            QVERIFY2(reason.contains(evidence.name), qPrintable(reason));
            QCOMPARE(buildTable(ViewId::Prediction, evidence).unavailable, reason);
        }
    }
};

QTEST_APPLESS_MAIN(TestPredictionView)
#include "tst_predictionview.moc"
