// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressionfixtures.h"

// What kernels take of an SM: the note's stages on its GPU, and a run's on an H200.
using namespace stagecraft;
using namespace stagecraft::views;
using fixtures::cell;
using fixtures::shown;
using widgets::ValueTable;

namespace {

ValueTable programsTable(const evidence::Namespace &evidence)
{
    ViewOptions options;
    options.audience = Audience::Programs;
    return buildTable(ViewId::Resources, evidence, options);
}

qsizetype rowOf(const ValueTable &table, const QString &id)
{
    for (qsizetype row = 0; row < table.rows.size(); ++row)
        if (cell(table, row, "id").text == id)
            return row;
    return -1;
}

// A run of one stage with these resources on an H200 (132 SMs).
evidence::Namespace oneStage(const nlohmann::json &resources)
{
    evidence::Namespace run = fixtures::stagesRun();
    run.captures.clear();
    evidence::OperationProgression &matmul = run.progression->operations[0];
    matmul.stages = matmul.stages.mid(0, 1);
    matmul.stages[0].resources = resources;
    matmul.attempts.clear();
    return run;
}

} // namespace

class TestResourcesView : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    // 512 blocks of 256 threads over 128 SMs are at most 4 blocks, 1024 threads, on each, of 6 that would fit.
    void aSmallGridGivesWhatItHas()
    {
        const evidence::Namespace note = fixtures::note("mage-003");
        const ValueTable table = programsTable(note);
        const qsizetype row = rowOf(table, "warp-per-row");
        QCOMPARE(shown(table, row, "resident_threads_per_sm"), QStringLiteral("1024"));
        QCOMPARE(shown(table, row, "max_threads_per_sm"), QStringLiteral("1536"));
        QCOMPARE(shown(table, row, "resident_source"), QStringLiteral("grid"));
        QVERIFY(shown(table, row, "limited_by").contains("grid"));
        QCOMPARE(shown(table, row, "waves"), QStringLiteral("0.67"));
        QCOMPARE(shown(table, row, "blocks_per_sm"), QStringLiteral("6"));

        const widgets::Figure figure = buildFigure(ViewId::Resources, note);
        const widgets::FigurePanel &panel = figure.rows[0].panels[1];
        QCOMPARE(panel.title, QStringLiteral("LayerNorm"));
        QCOMPARE(panel.limit->value, 1536.0);
        QCOMPARE(panel.limit->text, QStringLiteral("limit 1536"));
        const widgets::FigureBar &bar = fixtures::barOf(panel, "warp-per-row");
        QCOMPARE(bar.value.value_or(0), 1024.0);
        QCOMPARE(bar.details[0], QStringLiteral("limited by the grid: too few blocks to fill the GPU · 0.67 waves"));
        QCOMPARE(bar.details[1], QStringLiteral("512 blocks × 256 threads · 40 registers · 0 B shared"));
        QVERIFY(figure.altText.contains("warp-per-row 1024"));
        QVERIFY(figure.footer.join('\n').contains("128 SMs"));
    }

    void peopleGetColumnsThatSaySomething()
    {
        const evidence::Namespace note = fixtures::note("mage-003");
        const QStringList people = fixtures::columnIds(buildTable(ViewId::Resources, note));
        for (const char *column : {"grid", "local_bytes", "spill_bytes", "entry"}) {
            QVERIFY(!people.contains(QString::fromUtf8(column)));
            QVERIFY(fixtures::columnIds(programsTable(note)).contains(QString::fromUtf8(column)));
        }
        QVERIFY(people.contains("waves"));
    }

    void fullSmsAreLimitedByThreads()
    {
        const ValueTable table = programsTable(fixtures::note("mage-003"));
        const qsizetype row = rowOf(table, "two-warps-per-row");
        QCOMPARE(shown(table, row, "resident_threads_per_sm"), QStringLiteral("1536"));
        QCOMPARE(shown(table, row, "resident_source"), QStringLiteral("calculated"));
        QCOMPARE(shown(table, row, "limited_by"), QStringLiteral("threads"));
        QCOMPARE(shown(table, row, "waves"), QStringLiteral("1.33")); // 1024 ÷ (6 × 128)
    }

    void limits_data()
    {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("registers");
        QTest::addColumn<int>("shared");
        QTest::addColumn<QString>("resident");
        QTest::addColumn<QString>("limit");
        QTest::newRow("registers") << 256 << 64 << 0 << "1024"
                                   << "registers";
        QTest::newRow("shared memory") << 256 << 32 << 100000 << "512"
                                       << "shared memory";
        QTest::newRow("blocks") << 32 << 16 << 0 << "1024"
                                << "blocks";
    }

    void limits()
    {
        QFETCH(int, threads);
        QFETCH(int, registers);
        QFETCH(int, shared);
        const ValueTable table = programsTable(oneStage(fixtures::launchJson(1 << 20, threads, registers, shared)));
        QTEST(shown(table, 0, "resident_threads_per_sm"), "resident");
        QTEST(shown(table, 0, "limited_by"), "limit");
    }

    void theDriversFigureWins()
    {
        const ValueTable table = programsTable(oneStage(fixtures::launchJson(1 << 20, 256, 64, 0, 768)));
        QCOMPARE(shown(table, 0, "resident_threads_per_sm"), QStringLiteral("768"));
        QCOMPARE(shown(table, 0, "resident_source"), QStringLiteral("driver"));
        QCOMPARE(shown(table, 0, "limited_by"), QString()); // not what the calculation would say of 1024
        QCOMPARE(shown(table, 0, "blocks_per_sm"), QStringLiteral("3"));
        const ValueTable agreeing = programsTable(oneStage(fixtures::launchJson(1 << 20, 256, 64, 0, 1024)));
        QCOMPARE(shown(agreeing, 0, "limited_by"), QStringLiteral("registers"));
    }

    // 256 blocks over 132 SMs are two on some: the driver's 1024 is not what is shown.
    void aSmallGridIsNotTheDrivers()
    {
        const evidence::Namespace run = oneStage(fixtures::launchJson(256, 256, 64, 0, 1024));
        const ValueTable table = programsTable(run);
        QCOMPARE(shown(table, 0, "resident_threads_per_sm"), QStringLiteral("512"));
        QCOMPARE(shown(table, 0, "resident_source"), QStringLiteral("grid"));
        const widgets::FigureBar &bar = buildFigure(ViewId::Resources, run).rows[0].panels[0].bars[0];
        QVERIFY(bar.toolTip.contains("512 resident threads per SM (grid)"));
    }

    void whatIsNotKnownIsUnavailableWithItsReason()
    {
        const auto check = [](const evidence::Namespace &evidence, const QString &reason) {
            const ValueTable table = programsTable(evidence);
            for (const char *column : {"resident_threads_per_sm", "waves", "blocks_per_sm"}) {
                QVERIFY(!cell(table, 0, column).number);
                QCOMPARE(shown(table, 0, column), QStringLiteral("unavailable"));
            }
            QCOMPARE(shown(table, 0, "reason"), reason);
            const widgets::Figure figure = buildFigure(ViewId::Resources, evidence);
            const widgets::FigureBar &bar = figure.rows[0].panels[0].bars[0];
            QVERIFY(!bar.value);
            QCOMPARE(bar.stateText, QStringLiteral("unavailable"));
            QCOMPARE(bar.details[0], reason);
            QVERIFY(bar.details[1].contains("blocks")); // what is recorded is still shown
        };
        nlohmann::json noRegisters = fixtures::launchJson(256, 256, 0, 0);
        noRegisters.erase("registers_per_thread");
        check(oneStage(noRegisters), QStringLiteral("registers are not recorded"));
        nlohmann::json noThreads = fixtures::launchJson(256, 256, 40, 0);
        noThreads.erase("threads_per_block");
        check(oneStage(noThreads), QStringLiteral("threads per block are not recorded"));
        evidence::Namespace unknown = oneStage(fixtures::launchJson(256, 256, 40, 0));
        unknown.progression->deviceComputeCapability.clear();
        check(unknown, QStringLiteral("the GPU's compute capability is not recorded"));
        unknown.progression->deviceComputeCapability = QStringLiteral("3.5");
        check(unknown, QStringLiteral("the limits of compute capability 3.5 are not known here"));
        check(oneStage(fixtures::launchJson(256, 1024, 128, 0)),
              QStringLiteral("not one block of it fits on an SM of compute capability 9.0"));
    }

    void everyLaunchHasItsRow()
    {
        const nlohmann::json two{
            {"launches", {fixtures::launchJson(512, 256, 32, 0), fixtures::launchJson(1, 128, 32, 0)}}};
        const ValueTable table = programsTable(oneStage(two));
        QCOMPARE(table.rows.size(), 2);
        QCOMPARE(shown(table, 1, "launch"), QStringLiteral("2"));
        const widgets::Figure figure = buildFigure(ViewId::Resources, oneStage(two));
        QCOMPARE(fixtures::barLabels(figure.rows[0].panels[0]), QStringList({"s0, launch 1", "s0, launch 2"}));
    }

    void spillsAreFlagged()
    {
        nlohmann::json spilling = fixtures::launchJson(256, 256, 40, 0);
        spilling["spill_bytes"] = spilling["local_bytes"] = 128;
        const widgets::Figure figure = buildFigure(ViewId::Resources, oneStage(spilling));
        const widgets::FigureBar &bar = figure.rows[0].panels[0].bars[0];
        QCOMPARE(bar.flags, QStringList({"spills"}));
        QVERIFY(bar.details[1].contains("128 B local · 128 B spilled"));
        QCOMPARE(shown(programsTable(oneStage(spilling)), 0, "spill_bytes"), QStringLiteral("128"));
    }

    void implementationsFromTheirKernelRecords()
    {
        const evidence::Namespace run = fixtures::stagesRun();
        const ValueTable table = programsTable(run);
        const qsizetype cublas = rowOf(table, "cublas");
        QCOMPARE(shown(table, cublas, "kind"), QStringLiteral("implementation"));
        QCOMPARE(shown(table, cublas, "grid"), QStringLiteral("4,1,1"));
        QCOMPARE(shown(table, cublas, "registers_per_thread"), QStringLiteral("32"));
        QCOMPARE(shown(table, cublas, "local_bytes"), QStringLiteral("unavailable"));
        QCOMPARE(shown(table, cublas, "resident_threads_per_sm"), QStringLiteral("256")); // four blocks, one an SM
        QCOMPARE(shown(table, rowOf(table, "a2"), "kind"), QStringLiteral("attempt"));
        const widgets::Figure figure = buildFigure(ViewId::Resources, run);
        const QList<widgets::FigurePanel> &panels =
            figure.rows[0].panels; // the stages' dims are not those of the records
        QCOMPARE(fixtures::barOf(panels[1], "cuBLAS").color, colorRole("cublas"));
        QVERIFY(fixtures::barOf(panels[0], "a2").details[0].startsWith("attempt"));
        QCOMPARE(panels[1].limit->value, 2048.0); // of 9.0, since the file does not say
    }

    void anImplementationThatIsAStageIsNotThereTwice()
    {
        evidence::Namespace run = fixtures::stagesRun();
        run.progression->operations[0].dims = run.results[0].dims;
        for (evidence::Capture &capture : run.captures)
            if (capture.language == QLatin1String("cuda"))
                capture.stage = QStringLiteral("matmul/s2");
        QCOMPARE(rowOf(programsTable(run), "cuda"), -1);
        QVERIFY(rowOf(programsTable(run), "cublas") >= 0);
        run.progression->operations[0].dims = {8, 8, 8}; // where the same stage took something else
        QVERIFY(rowOf(programsTable(run), "cuda") >= 0);
    }

    void recordsOfACaptureThatFailedAreNotTaken()
    {
        evidence::Namespace run = fixtures::gpuRun();
        evidence::Capture &first = run.captures[1];
        QCOMPARE(first.language, QStringLiteral("cublas"));
        first.state = evidence::State::Invalid;
        first.records[0].gridSize = QStringLiteral("999,1,1");
        const ValueTable table = programsTable(run);
        QCOMPARE(shown(table, rowOf(table, "cublas"), "grid"), QStringLiteral("4,1,1")); // of the second round
        run.captures[3].state = evidence::State::Failed;
        QCOMPARE(rowOf(programsTable(run), "cublas"), -1);
    }

    void theSameOperationWithOtherDimsHasItsPanel()
    {
        evidence::Namespace run = fixtures::gpuRun();
        evidence::OperationResult small = run.results[0];
        small.dims = {8, 8, 8};
        run.results.append(small);
        const QList<evidence::Capture> captures = run.captures;
        for (evidence::Capture capture : captures) {
            capture.dims = small.dims;
            for (evidence::KernelRecord &record : capture.records)
                record.gridSize = QStringLiteral("1,1,1");
            run.captures.append(capture);
        }
        const ValueTable table = programsTable(run);
        QCOMPARE(table.rows.size(), 4);
        QCOMPARE(shown(table, 0, "dims") + ' ' + shown(table, 0, "grid"), QStringLiteral("128x96x64 4,1,1"));
        QCOMPARE(shown(table, 2, "dims") + ' ' + shown(table, 2, "grid"), QStringLiteral("8x8x8 1,1,1"));
        const widgets::Figure figure = buildFigure(ViewId::Resources, run);
        const QList<widgets::FigurePanel> &panels = figure.rows[0].panels;
        QCOMPARE(panels.size(), 2);
        QCOMPARE(panels[0].subtitle, QStringLiteral("128 × 96 × 64"));
        QCOMPARE(panels[1].subtitle, QStringLiteral("8 × 8 × 8"));
        QVERIFY(figure.altText.contains("8 × 8 × 8"));
    }

    void aRunWithoutStagesHasItsRecords()
    {
        const evidence::Namespace run = fixtures::gpuRun();
        const ValueTable table = programsTable(run);
        QVERIFY(table.unavailable.isEmpty());
        QCOMPARE(shown(table, 0, "state"), QStringLiteral("unavailable"));
        QCOMPARE(shown(table, 0, "block"), QStringLiteral("256,1,1"));
    }

    void itsAbsenceIsSaid()
    {
        const evidence::Namespace note = fixtures::note("mage-001");
        const QString reason = buildFigure(ViewId::Resources, note).unavailable;
        QVERIFY(reason.startsWith("mage-001 records no resources of kernels"));
        QCOMPARE(buildTable(ViewId::Resources, note).unavailable, reason);
    }
};

QTEST_APPLESS_MAIN(TestResourcesView)
#include "tst_resourcesview.moc"
