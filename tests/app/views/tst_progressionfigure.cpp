// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurepainter.h"
#include "progressionfixtures.h"

// The progression as a figure: the note's, and one as a run fills it. The literals are the note's.
using namespace stagecraft;
using namespace stagecraft::views;
using widgets::Figure;
using widgets::FigureEntry;
using widgets::FigureLadder;
using widgets::LadderStep;

namespace {

QStringList drawnTexts(const Figure &figure, widgets::Layout layout)
{
    QStringList texts;
    for (const widgets::FigureText &text : widgets::layoutFigure(figure, layout).texts)
        texts.append(text.text);
    return texts;
}

QStringList values(const FigureLadder &ladder)
{
    QStringList lines;
    for (const LadderStep &step : ladder.steps)
        lines.append(QStringLiteral("%1 %2 %3")
                         .arg(step.bar.value ? step.bar.valueText : step.bar.stateText, step.thinText, step.factor));
    return lines;
}

} // namespace

class TestProgressionFigure : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        fixtures::useSourceResources();
        m_note = buildFigure(ViewId::Progression, fixtures::note("mage-003"));
        QVERIFY2(m_note.unavailable.isEmpty(), qPrintable(m_note.unavailable));
        QCOMPARE(m_note.ladders.size(), 2);
    }

    void theNotesStages()
    {
        QCOMPARE(m_note.desktopWidth, 1220);
        QCOMPARE(m_note.ladders[0].title, QStringLiteral("Matrix multiplication"));
        QVERIFY(m_note.ladders[0].subtitle.startsWith("1024 × 1024 × 1024 · kernel time in µs"));
        QCOMPARE(values(m_note.ladders[0]),
                 QStringList({"343.99 span 326.72 ", "141.70 span 144.41 2.43×", "80.00 span 82.60 1.77×"}));
        QCOMPARE(values(m_note.ladders[1]),
                 QStringList({"18.64 span 19.47 ", "11.03 span 15.43 1.69×", "10.05 span 12.91 1.10×"}));
        QCOMPARE(m_note.ladders[0].steps[1].bar.value.value_or(0), 141.70);
        QCOMPARE(m_note.ladders[0].steps[1].thin.value_or(0), 144.41);
        QCOMPARE(m_note.ladders[0].steps[1].label, QStringLiteral("first rewrite · PR #42"));
        QVERIFY(m_note.ladders[0].steps[2].text.contains("row stride 68"));
        QCOMPARE(m_note.ladders[1].steps[1].bar.flags, QStringList({"documented only"}));
    }

    void stepsOfTwoMetricsAreNoBars()
    {
        const widgets::FigureList &steps = m_note.ladders[0].lists[0];
        QStringList lines;
        for (const FigureEntry &entry : steps.entries)
            lines.append(QStringLiteral("%1 %2 %3").arg(entry.metric, entry.valueText, entry.factor));
        QCOMPARE(lines, QStringList({"span 145.61 µs ", "span 114.90 µs 1.27×", "span 89.90 µs 1.28×",
                                     "kernel time 80.00 µs "}));
        QCOMPARE(m_note.ladders[0].steps.size(), 3);
    }

    void sevenAttemptsWithMetricAndComparison()
    {
        QStringList lines;
        for (const FigureLadder &ladder : m_note.ladders)
            for (const FigureEntry &entry : ladder.lists.last().entries)
                lines.append(
                    QStringLiteral("%1 %2 %3 %4").arg(entry.metric, entry.valueText, entry.against, entry.factor));
        QCOMPARE(lines.size(), 7);
        QCOMPARE(lines[0],
                 QStringLiteral("span 210.51 µs against 145.61 µs, retained 4×4 build, same run 1.45× as long"));
        QCOMPARE(lines[4],
                 QStringLiteral("span 13.40–14.00 µs against 12.69 µs, two-warp build, five runs 1.06–1.10× as long"));
        QCOMPARE(lines[6],
                 QStringLiteral("kernel time 22.12 µs against 11.02 µs, warp kernel, same build 2.01× as long"));
        QVERIFY(m_note.ladders[0].lists.last().entries[1].verdict.startsWith("undecided"));
        QCOMPARE(m_note.ladders[0].lists.last().subtitle,
                 QStringLiteral("single development run, not kept as evidence"));
    }

    void repeatedRunsWithTheirRanges()
    {
        QVERIFY(m_note.ladders[0].dots.isEmpty());
        const widgets::FigureDots &dots = m_note.ladders[1].dots[0];
        QCOMPARE(dots.rows.size(), 2);
        QCOMPARE(dots.rows[0].values.size(), 5);
        QCOMPARE(dots.rows[0].valueText + ' ' + dots.rows[0].rangeText, QStringLiteral("13.64 13.53–13.76"));
        QCOMPARE(dots.rows[1].valueText + ' ' + dots.rows[1].rangeText, QStringLiteral("12.69 12.53–12.94"));
        QVERIFY(dots.subtitle.startsWith("span"));
    }

    void theFooterSaysWhatScalesShare()
    {
        const QString footer = m_note.footer.join('\n');
        for (const char *words : {"NVIDIA GeForce RTX 4090", "FP32", "timestamp mode: reduced precision",
                                  "own zero-based scale", "the stage before ÷ this one"})
            QVERIFY2(footer.contains(QString::fromUtf8(words)), words);
    }

    void wordsForThoseWhoDoNotSeeIt()
    {
        for (const char *words : {"343.99 µs", "141.70 µs", "2.43×", "1.10×", "210.51 µs", "145.61 µs", "13.53–13.76",
                                  "inside the few percent"})
            QVERIFY2(m_note.altText.contains(QString::fromUtf8(words)), words);
        QVERIFY(m_note.ladders[0].steps[1].bar.toolTip.contains("141.7 µs"));
        QVERIFY(m_note.ladders[0].steps[1].bar.toolTip.contains("2.43× against original · mage-001"));
    }

    void everyValueIsDrawnInBothLayouts()
    {
        for (const widgets::Layout layout : {widgets::Layout::Desktop, widgets::Layout::Mobile}) {
            const QString drawn = drawnTexts(m_note, layout).join('|');
            for (const char *text : {"343.99", "141.70", "80.00", "2.43×", "1.77×", "18.64", "11.03", "10.05", "1.69×",
                                     "1.10×", "210.51 µs", "22.12 µs", "13.64"})
                QVERIFY2(drawn.contains(QString::fromUtf8(text)), text);
        }
    }

    void precisionIsTheReaders()
    {
        ViewOptions options;
        options.decimals = 1;
        const Figure figure = buildFigure(ViewId::Progression, fixtures::note("mage-003"), options);
        QCOMPARE(figure.ladders[0].steps[1].bar.valueText, QStringLiteral("141.7"));
        QCOMPARE(figure.ladders[0].steps[1].factor, QStringLiteral("2.4×"));
    }

    void statesOfARunStandInPlaceOfBars()
    {
        const Figure figure = buildFigure(ViewId::Progression, fixtures::stagesRun());
        const FigureLadder &ladder = figure.ladders[0];
        QCOMPARE(ladder.steps.size(), 10);
        QCOMPARE(values(ladder)[2], QStringLiteral("256.00 span 268.80 1.25×"));
        QCOMPARE(values(ladder)[3], QStringLiteral("failed  "));
        QCOMPARE(ladder.steps[3].bar.details, QStringList({fixtures::failure}));
        QCOMPARE(values(ladder)[4], QStringLiteral("163.84 span 172.03 ")); // no factor against what has no time
        QCOMPARE(values(ladder)[9], QStringLiteral("not run  "));
        QVERIFY(ladder.steps[9].bar.toolTip.contains("not measured yet")); // by which the window knows what is pending
        const FigureEntry &failed = ladder.lists[0].entries[2];
        QVERIFY(failed.valueText.isEmpty() && failed.factor.isEmpty());
        QCOMPARE(failed.stateText, QStringLiteral("failed"));
        QVERIFY(failed.verdict.contains("the first is out[17]"));
        QVERIFY(!ladder.subtitle.contains("in all")); // the last stage has no time yet
        QVERIFY(ladder.lists[0].subtitle.isEmpty());  // the figure names the namespace already
    }

    void withoutKernelTimesSpansAreTheBars()
    {
        evidence::Namespace run = fixtures::stagesRun();
        for (evidence::ProgressionStage &stage : run.progression->operations[0].stages)
            stage.kernelUs.reset();
        const FigureLadder ladder = buildFigure(ViewId::Progression, run).ladders[0];
        QCOMPARE(values(ladder)[1], QStringLiteral("336.00  1.25×"));
        QVERIFY(ladder.subtitle.contains("span in µs") && ladder.subtitle.contains("no kernel time"));
    }

    // The note's have both.
    void captionsAreOfWhatIsDrawn()
    {
        const QString both = m_note.footer.join('\n');
        QVERIFY(both.contains("Kernel time: ") && both.contains("the thin bar is the span of the same stage"));
        QVERIFY(!both.contains("Span: "));
        evidence::Namespace run = fixtures::stagesRun();
        for (evidence::OperationProgression &operation : run.progression->operations)
            for (evidence::ProgressionStage &stage : operation.stages)
                stage.kernelUs.reset();
        const QString spans = buildFigure(ViewId::Progression, run).footer.join('\n');
        QVERIFY2(spans.contains("Span: the time around a call"), qPrintable(spans));
        QVERIFY2(!spans.contains("Kernel time: ") && !spans.contains("thin bar"), qPrintable(spans));
    }

    void stagesOfOtherArithmeticHaveNoFactor()
    {
        evidence::Namespace run = fixtures::stagesRun();
        QList<evidence::ProgressionStage> &stages = run.progression->operations[0].stages;
        stages = stages.mid(0, 3);
        stages[1].arithmetic = QStringLiteral("3xtf32");
        stages[2].arithmetic = QStringLiteral("fp32"); // as the first, which does not say
        FigureLadder ladder = buildFigure(ViewId::Progression, run).ladders[0];
        QCOMPARE(ladder.steps[1].factor, QStringLiteral("other arithmetic"));
        QCOMPARE(ladder.steps[2].factor, QStringLiteral("other arithmetic"));
        QCOMPARE(ladder.steps[1].label, QStringLiteral("s1 · 3xtf32"));
        QVERIFY(ladder.steps[2].bar.toolTip.contains("other arithmetic than s1 · 3xtf32: no factor"));
        QVERIFY(ladder.subtitle.endsWith("400.00 → 256.00, 1.56× in all"));
        stages.removeLast();
        const Figure figure = buildFigure(ViewId::Progression, run);
        QVERIFY(figure.ladders[0].subtitle.endsWith("400.00 → 320.00, other arithmetic"));
        QVERIFY(!figure.altText.contains("1.25×"));
        QVERIFY(drawnTexts(figure, widgets::Layout::Desktop).contains("other arithmetic"));
    }

    // In the lists and in the dots too, and said below where nothing else is marked.
    void attemptsOfOtherArithmeticAreMarked()
    {
        evidence::Namespace run = fixtures::stagesRun();
        run.progression->operations[0].attempts[1].arithmetic = QStringLiteral("3xtf32");
        const Figure figure = buildFigure(ViewId::Progression, run);
        const widgets::FigureList &attempts = figure.ladders[0].lists[0];
        QCOMPARE(attempts.entries[0].title, QStringLiteral("a1"));
        QCOMPARE(attempts.entries[1].title, QStringLiteral("a2 · 3xtf32"));
        const QList<widgets::FigureDotRow> &dots = figure.ladders[0].dots[0].rows;
        QCOMPARE(dots[0].label, QStringLiteral("stage s4"));
        QCOMPARE(dots[1].label, QStringLiteral("a2 · 3xtf32"));
        QVERIFY2(figure.footer.join(' ').contains("What is marked 3xtf32 is not exact FP32"),
                 qPrintable(figure.footer.join(' ')));
        const widgets::ValueTable table = buildTable(ViewId::Progression, run);
        QVERIFY(fixtures::columnIds(table).contains("arithmetic"));
        run.progression->operations[0].stages[4].arithmetic = QStringLiteral("3xtf32");
        QCOMPARE(buildFigure(ViewId::Progression, run).ladders[0].dots[0].rows[0].label,
                 QStringLiteral("stage s4 · 3xtf32"));
    }

    void aMissingKernelTimeHasItsReason()
    {
        evidence::Namespace run = fixtures::stagesRun();
        QList<evidence::ProgressionStage> &stages = run.progression->operations[0].stages;
        const QString reason = QStringLiteral("another profiler holds the GPU: end it, or run with --no-capture");
        stages[1].kernelUs.reset();
        stages[1].kernelState = evidence::State::Invalid;
        stages[1].kernelReason = reason;
        const widgets::FigureBar bar = buildFigure(ViewId::Progression, run).ladders[0].steps[1].bar;
        QCOMPARE(bar.stateText, QStringLiteral("invalid"));
        QCOMPARE(bar.details, QStringList({reason}));
        QVERIFY(bar.toolTip.contains("kernel time invalid: " + reason));
        for (evidence::ProgressionStage &stage : stages)
            stage.kernelUs.reset();
        const FigureLadder spans = buildFigure(ViewId::Progression, run).ladders[0];
        QVERIFY(spans.subtitle.contains("no kernel time: " + reason));
        QCOMPARE(spans.steps[1].bar.valueText, QStringLiteral("336.00")); // the span is a result all the same
    }

    void aStageWithoutATimeIsUnavailable()
    {
        evidence::Namespace run = fixtures::stagesRun();
        run.progression->operations[0].stages[1].kernelUs.reset();
        const FigureLadder ladder = buildFigure(ViewId::Progression, run).ladders[0];
        QCOMPARE(values(ladder)[1], QStringLiteral("unavailable  "));
        QVERIFY(!ladder.steps[1].bar.value && !ladder.steps[1].thin);
        QCOMPARE(values(ladder)[2], QStringLiteral("256.00 span 268.80 "));
    }

    void itsAbsenceIsSaid()
    {
        const Figure figure = buildFigure(ViewId::Progression, fixtures::note("mage-001"));
        QCOMPARE(figure.unavailable, QStringLiteral("mage-001 records no progression (progression.json)"));
        QVERIFY(figure.altText.contains(figure.unavailable));
        evidence::Namespace empty = fixtures::stagesRun();
        empty.progression->operations = {evidence::OperationProgression{}};
        QVERIFY(buildFigure(ViewId::Progression, empty).unavailable.contains("no stage"));
    }

private:
    Figure m_note;
};

QTEST_MAIN(TestProgressionFigure)
#include "tst_progressionfigure.moc"
