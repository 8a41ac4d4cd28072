// SPDX-License-Identifier: GPL-3.0-or-later
#include "countchecks.h"
#include "counterfixtures.h"
#include "progressionfixtures.h"
#include "rooflinevalues.h"
#include "valuetablemodel.h"

#include <QAbstractItemModelTester>

// Views of hardware counters: what kernels are short of, the roofline, declared against counted. The counters are made
// up; times, ceilings and resources are those of the bundled H200 namespace.
using namespace stagecraft;
using namespace stagecraft::views;
using fixtures::cell;
using fixtures::shown;

namespace {

const evidence::Namespace &counted()
{
    static const evidence::Namespace run = fixtures::countedRun();
    return run;
}

const widgets::FigurePanel *panelNamed(const widgets::Figure &figure, const QString &title)
{
    for (const widgets::FigureRow &row : figure.rows)
        for (const widgets::FigurePanel &panel : row.panels)
            if (panel.title == title)
                return &panel;
    return nullptr;
}

int rowOf(const widgets::ValueTable &table, const QString &name, const char *column)
{
    for (int row = 0; row < table.rows.size(); ++row)
        if (shown(table, row, column) == name)
            return row;
    return -1;
}

evidence::CounterCapture &captureOf(evidence::Namespace &run, const QString &stage)
{
    return *std::ranges::find(run.counters, stage, &evidence::CounterCapture::stage);
}

} // namespace

class TestCounterViews : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        fixtures::useSourceResources();
        for (const evidence::Problem &problem : counted().problems)
            QVERIFY2(!problem.fatal, qPrintable(problem.file + problem.pointer + ": " + problem.cause));
    }

    void limitsDrawTheUnits()
    {
        const widgets::Figure figure = buildFigure(ViewId::Limits, counted());
        QVERIFY2(figure.unavailable.isEmpty(), qPrintable(figure.unavailable));
        QCOMPARE(figure.rows.size(), 5);
        const widgets::FigurePanel *tiled = panelNamed(figure, QStringLiteral("tiled"));
        QVERIFY(tiled);
        QVERIFY(tiled->subtitle.startsWith("345.2 µs"));
        const widgets::FigureBar &unit = fixtures::barOf(*tiled, "load/store unit");
        QCOMPARE(unit.valueText, QStringLiteral("91.5"));
        QCOMPARE(unit.flags.size(), 1); // marked in words, not by its colour alone
        QVERIFY(fixtures::barOf(*tiled, "FMA pipe").flags.isEmpty());
        QVERIFY2(tiled->conclusion.startsWith("Short of instruction slots of the load/store unit: at 91.5 % of peak; "
                                              "2.00 shared loads per multiply-add"),
                 qPrintable(tiled->conclusion));
        QVERIFY(!panelNamed(figure, QStringLiteral("b-quads"))); // an attempt: its sentence stands in a list
        const widgets::FigureLadder &attempts = figure.ladders.first();
        QVERIFY(attempts.title.contains("attempts"));
        const auto entry =
            std::ranges::find(attempts.lists.first().entries, QStringLiteral("b-quads"), &widgets::FigureEntry::title);
        QVERIFY(entry != attempts.lists.first().entries.end() && entry->verdict.startsWith("Short of "));
    }

    void aRefusedStageSaysWhy()
    {
        const widgets::ValueTable table = buildTable(ViewId::Limits, counted());
        const int row = rowOf(table, QStringLiteral("half-warp-per-node"), "implementation");
        QVERIFY(row >= 0);
        QCOMPARE(shown(table, row, "short_of"), QStringLiteral("unavailable"));
        QVERIFY(cell(table, row, "issue_slots_percent").toolTip.contains("NVreg_RestrictProfilingToAdminUsers"));
    }

    void programsGetEveryMetric()
    {
        ViewOptions options;
        options.audience = Audience::Programs;
        const widgets::ValueTable table = buildTable(ViewId::Limits, counted(), options);
        const int row = rowOf(table, QStringLiteral("cuda/tiled"), "implementation");
        QVERIFY(row >= 0);
        QCOMPARE(shown(table, row, "short_of"), QStringLiteral("load-store-unit"));
        QCOMPARE(cell(table, row, "smsp__inst_executed_op_shared_ld.sum").number.value_or(0), 67108864.0);
        const auto column =
            std::ranges::find(table.columns, QStringLiteral("gpu__time_duration.sum"), &widgets::ValueColumn::id);
        QVERIFY(column != table.columns.end());
        QCOMPARE(column->unit, QStringLiteral("ns"));
        // "cuda" ran one of the stages: programs get both, people the stage.
        QVERIFY(rowOf(table, QStringLiteral("cuda"), "implementation") >= 0);
        QVERIFY(buildTable(ViewId::Limits, counted()).rows.size() < table.rows.size());
    }

    void tablesAreSoundModels()
    {
        for (const ViewId view : {ViewId::Limits, ViewId::Roofline, ViewId::Prediction}) {
            widgets::ValueTableModel model;
            const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
            model.setTable(buildTable(view, counted()));
            QVERIFY(model.rowCount() > 0);
            model.setTable(buildTable(view, fixtures::gpuRun()));
        }
    }

    void severalKernelsHaveSharesTheLongestFirst()
    {
        evidence::Namespace run = fixtures::gpuRun();
        evidence::CounterCapture capture;
        capture.operation = QStringLiteral("matmul");
        capture.dims = {128, 96, 64};
        capture.cache = QStringLiteral("warm");
        capture.language = QStringLiteral("cuda");
        evidence::CountedKernel kernel{
            QStringLiteral("short_kernel"), QStringLiteral("1,1,1"), QStringLiteral("32,1,1"), {}, {}, {}};
        capture.kernels = {kernel};
        kernel.kernelName = QStringLiteral("cuda_kernel");
        kernel.gridSize = QStringLiteral("4,1,1");
        kernel.blockSize = QStringLiteral("256,1,1");
        capture.kernels.append(kernel);
        for (evidence::Capture &timed : run.captures)
            if (timed.language == QLatin1String("cuda"))
                for (const evidence::KernelRecord &record : QList(timed.records)) {
                    evidence::KernelRecord more = record;
                    more.kernelName = QStringLiteral("short_kernel");
                    more.gridSize = QStringLiteral("1,1,1");
                    more.blockSize = QStringLiteral("32,1,1");
                    more.durationUs = record.durationUs / 4;
                    timed.records.append(more);
                }
        run.counters = {capture};
        const widgets::ValueTable table = buildTable(ViewId::Limits, run);
        QCOMPARE(table.rows.size(), 2);
        QVERIFY(shown(table, 0, "implementation").endsWith("kernel 2 of 2"));
        QCOMPARE(shown(table, 0, "time_share"), QStringLiteral("80.0"));
        QCOMPARE(shown(table, 0, "short_of"), QStringLiteral("not decided")); // nothing was counted
        QCOMPARE(shown(table, 1, "time_share"), QStringLiteral("20.0"));
    }

    void theRooflineIsOfCountedWorkAndRecordedTimes()
    {
        const widgets::Figure figure = buildFigure(ViewId::Roofline, counted());
        QVERIFY2(figure.unavailable.isEmpty(), qPrintable(figure.unavailable));
        QCOMPARE(figure.scatters.size(), 5);
        const widgets::FigureScatter &matmul = figure.scatters.first();
        const widgets::FigureScatterItem &tiled = matmul.items.first();
        QCOMPARE(tiled.label, QStringLiteral("tiled"));
        const widgets::ValueTable table = buildTable(ViewId::Roofline, counted());
        const double us = cell(table, 0, "kernel_us").number.value_or(0);
        QVERIFY(std::abs(tiled.y - 2.0 * 1024 * 1024 * 1024 / us / 1e6) < 1e-9);
        QVERIFY(std::abs(tiled.x[0].value_or(0) - 2.0 * 1024 * 1024 * 1024 / 540e6) < 1e-9);
        QVERIFY(tiled.x[1]);
        QCOMPARE(matmul.ceilings.size(), 4); // FP32, split TF32, L2, DRAM
        QCOMPARE(matmul.ceilings[0].text, QStringLiteral("FP32 multiply-adds 64.9 TFLOP/s"));
        const widgets::FigureScatter &gelu = figure.scatters[1];
        QCOMPARE(gelu.ceilings.size(), 3); // no stage of split TF32 there
        QVERIFY(!gelu.items.first().x[1]); // warm: hardly a byte of DRAM
        QVERIFY(gelu.notes.first().contains("DRAM"));
    }

    void withoutCeilingsThereIsNoRoofline()
    {
        evidence::Namespace run = counted();
        run.floorMeasurements.clear();
        const QString reason = buildFigure(ViewId::Roofline, run).unavailable;
        QVERIFY2(reason.contains("FP32 multiply-add peak"), qPrintable(reason));
        QCOMPARE(buildTable(ViewId::Roofline, run).unavailable, reason);
        QVERIFY(buildFigure(ViewId::Limits, run).unavailable.isEmpty());
        run.counters.clear();
        QVERIFY(buildFigure(ViewId::Limits, run).unavailable.contains("records no hardware counters"));
    }

    void declaredCountsAreChecked()
    {
        QList<CountCheck> checks = countChecks(counted());
        const auto find = [&](const char *stage, const char *what) {
            return *std::ranges::find_if(checks, [&](const CountCheck &check) {
                return check.stage == QLatin1String(stage) && check.what == QLatin1String(what);
            });
        };
        const CountCheck tiled = find("tiled", "shared reads per multiply-add");
        QCOMPARE(tiled.counted.value_or(0), 2.0);
        QVERIFY(!tiled.differs());
        const CountCheck quads = find("b-quads", "shared reads per multiply-add");
        QVERIFY(quads.differs());
        QVERIFY(std::abs(quads.deviationPercent().value_or(0) - 2.4) < 0.001);
        QCOMPARE(find("split-tf32-wgmma", "tensor products per multiply-add").counted.value_or(0), 3.0);
        evidence::Namespace run = counted();
        evidence::CounterCapture &capture = captureOf(run, QStringLiteral("matmul/b-quads"));
        capture.state = evidence::State::Unavailable;
        capture.reason = QStringLiteral("refused");
        capture.kernels.clear();
        checks = countChecks(run);
        const CountCheck refused = find("b-quads", "shared reads per multiply-add");
        QVERIFY(!refused.counted && !refused.deviationPercent());
        QCOMPARE(refused.reason, QStringLiteral("refused"));
    }

    // What is declared of an edge is less than what a warp reads that has room for more edges than the row has.
    void readsOfAnEdgeAreNotCompared()
    {
        const QList<CountCheck> checks = countChecks(counted());
        QVERIFY(!checks.isEmpty());
        QVERIFY(std::ranges::none_of(checks, [](const auto &check) { return check.operation == "neighbor"; }));
    }

    void fewerBytesBesideTheCopyEngineAreUndecided()
    {
        CountCheck check;
        check.declared = 8;
        check.counted = 4;
        QVERIFY(check.differs() && !check.isUndecided());
        check.besideTheCopyEngine = true;
        QVERIFY(!check.differs() && !check.agrees() && check.isUndecided());
        QVERIFY(check.doubt().contains("copy engine"));
        check.counted = 9; // more is no bytes of the copy engine
        QVERIFY(check.differs() && !check.isUndecided());
    }

    void moreWithEmptyReadsIsUndecided()
    {
        evidence::Namespace run = counted();
        captureOf(run, QStringLiteral("matmul/b-quads"))
            .kernels.first()
            .values.remove(QStringLiteral("smsp__inst_executed_op_shared_ld_pred_on_any.sum"));
        const QList<CountCheck> checks = countChecks(run);
        const auto quads = std::ranges::find(checks, QStringLiteral("b-quads"), &CountCheck::stage);
        QVERIFY(quads != checks.end() && quads->counted);
        QVERIFY(!quads->differs() && !quads->agrees() && quads->isUndecided());
    }

    void predictionsAreOfTheImplementationsAskedFor()
    {
        ViewOptions options;
        options.implementations = {QStringLiteral("cuda/b-quads")};
        for (const CountCheck &check : countChecks(counted(), options))
            QCOMPARE(check.stage, QStringLiteral("b-quads"));
        options.implementations = {QStringLiteral("cublas")};
        QVERIFY(buildFigure(ViewId::Prediction, counted(), options).unavailable.contains("cublas"));
    }

    void predictionsHaveAThirdRatio()
    {
        const widgets::Figure figure = buildFigure(ViewId::Prediction, counted());
        const widgets::FigurePanel &panel = figure.rows.first().panels.first();
        QCOMPARE(panel.bars.size(), 3);
        QCOMPARE(fixtures::barOf(panel, "predicted").valueText, QStringLiteral("0.25"));
        QCOMPARE(fixtures::barOf(panel, "counted").valueText, QStringLiteral("0.25"));
        QVERIFY(
            figure.altText.contains("b-quads declares 0.313 shared reads per multiply-add and 0.3200 were counted"));
        evidence::Namespace run = counted();
        for (const char *metric :
             {"smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_ld_pred_on_any.sum"})
            captureOf(run, QStringLiteral("matmul/tiled")).kernels.first().values.remove(QLatin1String(metric));
        const widgets::FigureBar bar =
            fixtures::barOf(buildFigure(ViewId::Prediction, run).rows.first().panels.first(), "counted");
        QVERIFY(!bar.value && bar.details.first().contains("was not counted"));
    }

    // Of whichever implementation: their own colours are those of other bars here.
    void whatDecidesHasOneColour()
    {
        qsizetype marked = 0;
        for (const widgets::FigureRow &row : buildFigure(ViewId::Limits, counted()).rows)
            for (const widgets::FigurePanel &panel : row.panels)
                for (const widgets::FigureBar &bar : panel.bars) {
                    const bool decides = !bar.flags.isEmpty();
                    QCOMPARE(bar.color == widgets::ColorRole{widgets::ColorRole::Own}, decides);
                    marked += decides;
                }
        QVERIFY(marked > 3);
    }

    void manyKernelsAreNotAllDrawn()
    {
        evidence::Namespace run = counted();
        evidence::CounterCapture &capture = captureOf(run, QStringLiteral("matmul/tiled"));
        const evidence::CountedKernel kernel = capture.kernels.first();
        capture.kernels.fill(kernel, 300);
        const widgets::Figure figure = buildFigure(ViewId::Limits, run);
        qsizetype panels = 0;
        for (const widgets::FigureRow &row : figure.rows)
            panels += row.panels.size();
        QCOMPARE(panels, 120);
        QVERIFY2(figure.footer.first().contains("more kernels stand in the table"), qPrintable(figure.footer.first()));
        QVERIFY(buildTable(ViewId::Limits, run).rows.size() >= 300);
    }

    void aKernelThatWasNotTimedHasNoTime()
    {
        const auto timeOf = [](const evidence::Namespace &run) {
            const QList<CounterRow> rows = counterRows(run, {}, true);
            const auto quads = std::ranges::find(rows, QStringLiteral("matmul/b-quads"), &CounterRow::stage);
            return quads == rows.end() ? std::nullopt : quads->facts.kernelUs;
        };
        evidence::Namespace run = counted();
        QVERIFY(timeOf(run));
        captureOf(run, QStringLiteral("matmul/b-quads")).kernels.first().kernelName = QStringLiteral("another");
        QVERIFY(!timeOf(run));
        const QList<RooflinePoint> points = rooflinePoints(run, {}, true);
        const auto quads = std::ranges::find(points, QStringLiteral("matmul/b-quads"), &RooflinePoint::stage);
        QVERIFY(quads != points.end() && !quads->teraflops());
        QCOMPARE(quads->state, evidence::State::Unavailable);
    }

    void whatWasNotCountedIsNoZero()
    {
        evidence::Namespace run = counted();
        evidence::CounterCapture &capture = captureOf(run, QStringLiteral("matmul/b-quads"));
        capture.kernels.clear();
        capture.state = evidence::State::Invalid;
        capture.reason = QStringLiteral("damaged");
        const QList<RooflinePoint> points = rooflinePoints(run, {}, true);
        const auto quads = std::ranges::find(points, QStringLiteral("matmul/b-quads"), &RooflinePoint::stage);
        QVERIFY(quads != points.end() && quads->state != evidence::State::Ok);
        QVERIFY(!quads->flop && !quads->l2Bytes && !quads->dramBytes);
    }

    // Where a run recorded no experiment, stages that declare the same count are compared.
    void stagesMakeExperiments()
    {
        evidence::Namespace run = counted();
        for (evidence::OperationProgression &operation : run.progression->operations)
            operation.experiments.clear();
        const widgets::ValueTable table = buildTable(ViewId::Prediction, run);
        const int row =
            rowOf(table, QStringLiteral("tiled against registers: shared reads per multiply-add"), "experiment");
        QVERIFY(row >= 0);
        QCOMPARE(shown(table, row, "predicted_ratio"), QStringLiteral("4.00"));
        QCOMPARE(shown(table, row, "counted_ratio"), QStringLiteral("4.00"));
        const double measured = cell(table, row, "measured_ratio").number.value_or(0);
        QVERIFY(std::abs(measured - cell(table, row, "numerator_us").number.value_or(0) /
                                        cell(table, row, "denominator_us").number.value_or(1)) < 1e-9);
        run.counters.clear(); // the note's way, without counters
        QCOMPARE(buildFigure(ViewId::Prediction, run).rows.first().panels.first().bars.size(), 2);
    }
};

QTEST_APPLESS_MAIN(TestCounterViews)
#include "tst_counterviews.moc"
