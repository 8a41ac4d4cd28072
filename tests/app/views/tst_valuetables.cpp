// SPDX-License-Identifier: GPL-3.0-or-later
#include "viewfixtures.h"

// Value tables cell by cell against the evidence, and against the figures that stand above them.
using namespace stagecraft;
using namespace stagecraft::views;
using evidence::State;
using evidence::ValueRow;
using fixtures::cell;
using fixtures::columnIds;
using fixtures::shown;
using widgets::ValueTable;

class TestValueTables : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void everyCellIsTheEvidences_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"mage-001", "mage-002", "mage-003"})
            QTest::newRow(name) << QString::fromUtf8(name);
    }

    void everyCellIsTheEvidences()
    {
        QFETCH(QString, name);
        const evidence::Namespace evidence = fixtures::note(qPrintable(name));
        ViewOptions options;
        options.audience = Audience::Programs;
        const ValueTable table = buildTable(ViewId::KernelSpan, evidence, options);
        QCOMPARE(table.rows.size(), 15);
        qsizetype row = 0;
        for (const evidence::SummaryRow &entry : evidence.summary->rows)
            for (const QString &id : {QStringLiteral("python"), QStringLiteral("triton"), QStringLiteral("rust")}) {
                const evidence::SummaryMeasurement &measurement = entry.measurements[id];
                QCOMPARE(cell(table, row, "operation").text, entry.operation);
                QCOMPARE(cell(table, row, "implementation").text, id);
                QCOMPARE(cell(table, row, "kernel_us").number, measurement.kernel);
                QCOMPARE(cell(table, row, "span_us").number, measurement.event);
                QCOMPARE(cell(table, row, "span_low_us").number, measurement.eventMin);
                QCOMPARE(cell(table, row, "span_high_us").number, measurement.eventMax);
                QCOMPARE(cell(table, row, "launches").number, measurement.launches);
                QCOMPARE(cell(table, row, "span_samples").number.value_or(0), 300.0);
                QCOMPARE(cell(table, row, "span_source").text, QStringLiteral("event"));
                QCOMPARE(cell(table, row, "kernel_source").text, QStringLiteral("nsys"));
                QCOMPARE(cell(table, row, "span_median_us").text, QStringLiteral("unavailable"));
                QCOMPARE(cell(table, row, "state").text, QStringLiteral("ok"));
                ++row;
            }
        QCOMPARE(cell(table, 0, "dims").text, QStringLiteral("1024x1024x1024"));
    }

    void samplesBecomeMeansRangesAndMedians()
    {
        const ValueTable table = buildValueTable(fixtures::gpuRun());
        QCOMPARE(table.rows.size(), 2); // cuBLAS, then this project's kernel
        QCOMPARE(shown(table, 1, "operation"), QStringLiteral("Matrix multiplication"));
        QCOMPARE(shown(table, 1, "dims"), QStringLiteral("128 × 96 × 64"));
        QCOMPARE(shown(table, 1, "implementation"), QStringLiteral("CUDA"));
        QCOMPARE(shown(table, 1, "stage"), QStringLiteral("matmul/tiled"));
        QCOMPARE(cell(table, 1, "kernel_us").number.value_or(0), 11.0);
        QCOMPARE(cell(table, 1, "kernel_median_us").number.value_or(0), 11.0);
        QCOMPARE(cell(table, 1, "span_us").number.value_or(0), 22.5);
        QCOMPARE(cell(table, 1, "span_low_us").number.value_or(0), 22.0);
        QCOMPARE(cell(table, 1, "span_high_us").number.value_or(0), 23.0);
        QCOMPARE(cell(table, 1, "span_median_us").number.value_or(0), 22.5);
        QCOMPARE(shown(table, 1, "launches"), QStringLiteral("1"));
        QCOMPARE(cell(table, 0, "kernel_us").number.value_or(0), 6.0);
        QCOMPARE(shown(table, 0, "launches"), QStringLiteral("2"));
    }

    // One formatting path: what stands at a bar's end is what the table shows.
    void figureAndTableRoundAlike_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("decimals");
        for (const char *name : {"mage-001", "mage-002", "mage-003"})
            for (const int decimals : {-1, 0, 2})
                QTest::addRow("%s %d", name, decimals) << QString::fromUtf8(name) << decimals;
    }

    void figureAndTableRoundAlike()
    {
        QFETCH(QString, name);
        QFETCH(int, decimals);
        const evidence::Namespace evidence = fixtures::note(qPrintable(name));
        ViewOptions options;
        options.decimals = decimals;
        for (const auto &[view, column] : {std::pair{ViewId::Kernel, "kernel_us"}, std::pair{ViewId::Span, "span_us"},
                                           std::pair{ViewId::Launches, "launches"}}) {
            const ValueTable table = buildTable(view, evidence, options);
            qsizetype row = 0;
            const widgets::Figure figure = buildFigure(view, evidence, options);
            for (const widgets::FigurePanel &panel : figure.rows[0].panels)
                for (const widgets::FigureBar &bar : panel.bars)
                    QCOMPARE(shown(table, row++, column), bar.valueText);
            QCOMPARE(row, table.rows.size());
        }
    }

    void columnsFollowTheView()
    {
        const evidence::Namespace evidence = fixtures::note("mage-003");
        QCOMPARE(columnIds(buildTable(ViewId::Kernel, evidence)),
                 QStringList({"operation", "dims", "implementation", "stage", "kernel_us", "best_peer",
                              "kernel_peer_ratio", "state", "flags"}));
        QCOMPARE(columnIds(buildTable(ViewId::Span, evidence)),
                 QStringList({"operation", "dims", "implementation", "stage", "span_us", "span_low_us", "span_high_us",
                              "state", "flags"}));
        QCOMPARE(columnIds(buildTable(ViewId::Launches, evidence)),
                 QStringList({"operation", "dims", "implementation", "stage", "launches", "state", "flags"}));
        for (const widgets::ValueColumn &column : buildTable(ViewId::KernelSpan, evidence).columns)
            QCOMPARE(column.unit, column.id.endsWith("_us") ? QStringLiteral("µs") : QString());
    }

    void statesHaveTheirReason()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        fixtures::addHost(evidence);
        for (evidence::Round &round : evidence.results[0].rounds)
            round.implementations["cublas"] = fixtures::stateOnly(State::Failed, "CUBLAS_STATUS_NOT_SUPPORTED");
        ViewOptions options;
        options.audience = Audience::Programs;
        const ValueTable table = buildTable(ViewId::KernelSpan, evidence, options);
        QCOMPARE(cell(table, 0, "implementation").text, QStringLiteral("cublas"));
        QVERIFY(!cell(table, 0, "span_us").number);
        QCOMPARE(cell(table, 0, "span_us").text, QStringLiteral("failed"));
        QCOMPARE(cell(table, 0, "span_us").toolTip, QStringLiteral("CUBLAS_STATUS_NOT_SUPPORTED"));
        QCOMPARE(cell(table, 0, "state").text, QStringLiteral("span failed"));
        QCOMPARE(cell(table, 0, "reason").text, QStringLiteral("CUBLAS_STATUS_NOT_SUPPORTED"));
        QCOMPARE(cell(table, 1, "implementation").text, QStringLiteral("host"));
        QCOMPARE(cell(table, 1, "span_source").text, QStringLiteral("host"));
        QCOMPARE(cell(table, 1, "kernel_us").text, QStringLiteral("unavailable"));
        QCOMPARE(cell(table, 1, "state").text, QStringLiteral("kernel time unavailable, launches unavailable"));
        QCOMPARE(cell(table, 1, "reason").text, fixtures::cpuReason);
        QVERIFY(columnIds(buildValueTable(evidence)).contains("span_source")); // tells CPU from GPU for people too
        QVERIFY(!columnIds(buildValueTable(fixtures::gpuRun())).contains("span_source"));
    }

    void aLostRoundIsNamedBesideTheValue()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        evidence.results[0].rounds[0].implementations["cublas"] =
            fixtures::stateOnly(State::Failed, "the worker ended");
        ViewOptions options;
        options.audience = Audience::Programs;
        const ValueTable table = buildTable(ViewId::KernelSpan, evidence, options);
        QCOMPARE(cell(table, 0, "span_us").number.value_or(0), 8.0);
        QCOMPARE(cell(table, 0, "state").text, QStringLiteral("ok"));
        QCOMPARE(cell(table, 0, "reason").text, QStringLiteral("1 of 2 rounds: the worker ended"));
        QCOMPARE(cell(table, 0, "flags").text, QStringLiteral("few samples, rounds missing")); // 4 captured calls
        const widgets::Figure figure = buildFigure(ViewId::Span, evidence, options);
        const widgets::FigureBar &bar = fixtures::barOf(figure.rows[0].panels[0], "cuBLAS");
        QCOMPARE(bar.flags, QStringList({"rounds missing"}));
        QVERIFY2(bar.toolTip.contains("1 of 2 rounds: the worker ended"), qPrintable(bar.toolTip));
    }

    void baselinesAreTheSameArithmeticAndStage()
    {
        evidence::Namespace earlier = fixtures::gpuRun();
        earlier.name = QStringLiteral("earlier");
        ViewOptions options;
        options.baselines = {&earlier};
        evidence::Namespace now = fixtures::gpuRun();
        for (evidence::Round &round : now.results[0].rounds)
            round.implementations["cuda"].arithmetic = QStringLiteral("3xtf32");
        QCOMPARE(shown(buildValueTable(now, options), 1, "earlier_kernel_us"),
                 QStringLiteral("not comparable: fp32 there"));
        now = fixtures::gpuRun();
        for (evidence::Round &round : now.results[0].rounds) {
            evidence::Measurement other = round.implementations.take("cuda");
            other.stage = QStringLiteral("matmul/other");
            round.implementations["cuda/other"] = other;
        }
        for (evidence::Capture &capture : now.captures)
            if (capture.language == QLatin1String("cuda"))
                capture.language = QStringLiteral("cuda/other");
        QCOMPARE(shown(buildValueTable(now, options), 1, "earlier_kernel_us"), QStringLiteral("not run"));
        for (evidence::Round &round : now.results[0].rounds)
            round.implementations["cuda/other"].stage = QStringLiteral("matmul/tiled");
        QCOMPARE(shown(buildValueTable(now, options), 1, "earlier_kernel_us"), QStringLiteral("11.0"));
    }

    // Whoever says nothing of the cache was warm.
    void baselinesAreOfTheSameCacheState()
    {
        evidence::Namespace earlier = fixtures::gpuRun(), now = earlier;
        earlier.name = QStringLiteral("earlier");
        ViewOptions options;
        options.baselines = {&earlier};
        const auto set = [](evidence::Namespace &run, const QString &cache) {
            run.results[0].cache = cache;
            for (evidence::Capture &capture : run.captures)
                capture.cache = cache;
        };
        const auto said = [&] { return shown(buildValueTable(now, options), 1, "earlier_kernel_us"); };
        set(earlier, {});
        QCOMPARE(said(), QStringLiteral("11.0"));
        set(now, QStringLiteral("cold"));
        QCOMPARE(said(), QStringLiteral("not comparable: warm there"));
        set(earlier, QStringLiteral("cold"));
        QCOMPARE(said(), QStringLiteral("11.0"));
        set(now, {});
        QCOMPARE(said(), QStringLiteral("not comparable: cold there"));
    }

    // A word that nobody knows is told as it is: it is not warm.
    void otherCacheStatesAreShown()
    {
        evidence::Namespace run = fixtures::gpuRun();
        QVERIFY(!columnIds(buildValueTable(run)).contains("cache"));
        run.results.append(run.results[0]);
        run.results[1].cache = QStringLiteral("lukewarm");
        run.results[0].cache.clear();
        const ValueTable table = buildValueTable(run);
        QCOMPARE(shown(table, 0, "cache"), QStringLiteral("warm"));
        QCOMPARE(shown(table, 2, "cache"), QStringLiteral("lukewarm"));
        QStringList titles;
        for (const widgets::FigureRow &row : buildFigure(ViewId::Span, run).rows)
            titles.append(row.title);
        QCOMPARE(titles, QStringList({"Span, warm cache", "Span, lukewarm cache"}));
        run.results.removeFirst();
        QCOMPARE(shown(buildValueTable(run), 0, "cache"), QStringLiteral("lukewarm"));
    }

    void flagsAreNamedAndExplained()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        for (evidence::Round &round : evidence.results[0].rounds)
            round.implementations["cublas"] = fixtures::measured({8, 8});
        const ValueTable table = buildValueTable(evidence);
        const widgets::ValueCell flags = cell(table, 0, "flags");
        QVERIFY2(flags.text.contains(evidence::flagLabel(evidence::Flag::FewSamples)), qPrintable(flags.text));
        QVERIFY(flags.toolTip.contains(evidence::flagText(evidence::Flag::FewSamples)));
    }

    // The note's second table.
    void baselinesAddTheirKernelTime()
    {
        const evidence::Namespace first = fixtures::note("mage-001"), second = fixtures::note("mage-002");
        ViewOptions options;
        options.implementations = QStringList{"rust"};
        options.baselines = {&first, &second};
        const ValueTable table = buildTable(ViewId::KernelSpan, fixtures::note("mage-003"), options);
        const QList<QStringList> expected{{"80.0", "82.6", "344.0", "141.7"},
                                          {"11.0", "13.3", "11.2", "11.0"},
                                          {"10.1", "12.9", "18.6", "11.1"},
                                          {"80.1", "83.5", "81.2", "80.4"},
                                          {"10.3", "12.9", "10.3", "10.3"}};
        QCOMPARE(table.rows.size(), expected.size());
        for (qsizetype row = 0; row < expected.size(); ++row)
            QCOMPARE(QStringList({shown(table, row, "kernel_us"), shown(table, row, "span_us"),
                                  shown(table, row, "mage-001_kernel_us"), shown(table, row, "mage-002_kernel_us")}),
                     expected[row]);
    }

    void aBaselineOfAnotherGpuIsNoSeries()
    {
        evidence::Namespace earlier = fixtures::gpuRun();
        earlier.name = QStringLiteral("elsewhere");
        earlier.gpu = QStringLiteral("NVIDIA L4");
        const evidence::Namespace unrelated = fixtures::note("mage-001"); // other dims
        ViewOptions options;
        options.baselines = {&earlier, &unrelated};
        const ValueTable table = buildValueTable(fixtures::gpuRun(), options);
        QCOMPARE(shown(table, 1, "elsewhere_kernel_us"), QStringLiteral("11.0"));
        QCOMPARE(shown(table, 1, "mage-001_kernel_us"), QStringLiteral("not run"));
        const QString footer = table.footer.join('\n');
        QVERIFY(footer.contains("elsewhere was measured on another GPU (NVIDIA L4)"));
        QVERIFY(footer.contains("mage-001 was measured on another GPU"));
    }

    void aCpuAloneHasNoKernelTable()
    {
        const ValueTable table = buildTable(ViewId::Kernel, fixtures::cpuRun());
        QCOMPARE(table.unavailable, fixtures::cpuReason);
        QVERIFY(table.rows.isEmpty());
        QVERIFY(buildTable(ViewId::KernelSpan, fixtures::cpuRun()).unavailable.isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestValueTables)
#include "tst_valuetables.moc"
