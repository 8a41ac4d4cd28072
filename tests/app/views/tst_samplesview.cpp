// SPDX-License-Identifier: GPL-3.0-or-later
#include "viewfixtures.h"

// Every sample, in the order taken, with its round.
using namespace stagecraft;
using namespace stagecraft::views;
using evidence::State;
using fixtures::cell;

class TestSamplesView : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void aSeriesPerImplementation()
    {
        const widgets::Figure figure = buildFigure(ViewId::Samples, fixtures::gpuRun());
        QCOMPARE(figure.plots.size(), 1);
        const widgets::FigurePlot &plot = figure.plots[0];
        QCOMPARE(plot.title, QStringLiteral("Matrix multiplication"));
        QCOMPARE(plot.subtitle, QStringLiteral("128 × 96 × 64"));
        QCOMPARE(plot.unit, QStringLiteral("µs"));
        QCOMPARE(plot.series.size(), 2);
        QCOMPARE(plot.series[0].label, QStringLiteral("cuBLAS"));
        QCOMPARE(plot.series[1].label, QStringLiteral("CUDA"));
        QCOMPARE(plot.series[1].values.toList(), QList<double>({20, 21, 22, 23, 24, 21, 22, 23, 24, 25}));
        QCOMPARE(plot.series[1].values.starts(), QList<qsizetype>({0, 5}));
        QCOMPARE(plot.series[1].partNames, QStringList({"round 1", "round 2"}));
        QCOMPARE(plot.series[1].color.kind, widgets::ColorRole::Own);
        QVERIFY(figure.altText.contains("CUDA 10 samples from 20.0 to 25.0 µs, 0 outliers"));
        const QString footer = figure.footer.join('\n');
        QVERIFY(footer.contains("Each sample is one warmed event interval around the call, in the order taken."));
        QVERIFY(footer.contains("further from their implementation's median than 5 × the median absolute deviation"));
        QVERIFY(!footer.contains("whiskers"));
    }

    void samplesOfTheCpuHaveTheirOwnPlot()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        fixtures::addHost(evidence);
        const widgets::Figure figure = buildFigure(ViewId::Samples, evidence);
        QCOMPARE(figure.plots.size(), 2);
        QCOMPARE(figure.plots[1].title, QStringLiteral("Matrix multiplication on the CPU"));
        QCOMPARE(figure.plots[1].series.size(), 1);
        QCOMPARE(figure.plots[1].series[0].label, QStringLiteral("Host (CPU)"));
        evidence.resultsDocument = {{"imported", {{"tool", "NVBench"}, {"files", {{{"id", "a"}}}}}}};
        const widgets::Figure imported = buildFigure(ViewId::Samples, evidence);
        QCOMPARE(imported.plots[1].title, QStringLiteral("Matrix multiplication by the host's clock"));
        const QString footer = imported.footer.join(' ');
        QVERIFY2(footer.contains("Spans by the host's clock stand apart") && !footer.contains("on the CPU"),
                 qPrintable(footer));
    }

    void aFailedImplementationHasAStateAndNoSamples()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        evidence::Measurement &measurement = evidence.results[0].rounds[1].implementations["cuda"];
        measurement = fixtures::stateOnly(State::Failed, "wrong result");
        measurement.correctness = evidence::Correctness{}; // it did not pass
        const widgets::Figure figure = buildFigure(ViewId::Samples, evidence);
        const widgets::FigureSeries &cuda = figure.plots[0].series[1];
        QVERIFY(cuda.values.isEmpty());
        QCOMPARE(cuda.stateText, QStringLiteral("failed"));
        const widgets::ValueTable table = buildTable(ViewId::Samples, evidence);
        for (const QList<widgets::ValueCell> &row : table.rows)
            QVERIFY(row[2].text != QLatin1String("CUDA"));
    }

    void aSummaryHasNone()
    {
        const evidence::Namespace note = fixtures::note("mage-001");
        const QString reason = QStringLiteral("mage-001 is a summary: it holds means and ranges, no samples");
        QCOMPARE(buildFigure(ViewId::Samples, note).unavailable, reason);
        QCOMPARE(buildTable(ViewId::Samples, note).unavailable, reason);
    }

    void aRowPerSample()
    {
        ViewOptions options;
        options.audience = Audience::Programs;
        const widgets::ValueTable table = buildTable(ViewId::Samples, fixtures::gpuRun(), options);
        QCOMPARE(table.rows.size(), 20);
        QCOMPARE(cell(table, 16, "implementation").text, QStringLiteral("cuda"));
        QCOMPARE(cell(table, 16, "operation").text, QStringLiteral("matmul"));
        QCOMPARE(cell(table, 16, "dims").text, QStringLiteral("128x96x64"));
        QCOMPARE(cell(table, 16, "stage").text, QStringLiteral("matmul/tiled"));
        QCOMPARE(cell(table, 16, "round").number.value_or(0), 2.0);
        QCOMPARE(cell(table, 16, "sample").number.value_or(0), 2.0);
        QCOMPARE(cell(table, 16, "span_us").number.value_or(0), 22.0);
        QCOMPARE(cell(table, 16, "source").text, QStringLiteral("event"));
        QCOMPARE(cell(table, 16, "outlier").text, QString());
    }

    void aRowPerRoundForPeople()
    {
        const widgets::ValueTable table = buildTable(ViewId::Samples, fixtures::gpuRun());
        QCOMPARE(table.rows.size(), 4);
        QCOMPARE(cell(table, 3, "implementation").text, QStringLiteral("CUDA"));
        QCOMPARE(cell(table, 3, "round").number.value_or(0), 2.0);
        QCOMPARE(cell(table, 3, "samples").number.value_or(0), 5.0);
        QCOMPARE(cell(table, 3, "least_us").number.value_or(0), 21.0);
        QCOMPARE(cell(table, 3, "median_us").number.value_or(0), 23.0);
        QCOMPARE(cell(table, 3, "most_us").number.value_or(0), 25.0);
        QCOMPARE(cell(table, 3, "outliers").number.value_or(-1), 0.0);
    }

    void outliersAreTheSameInFigureAndTables()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        evidence.results[0].rounds[1].implementations["cuda"].samplesUs[2] = 400;
        const widgets::Figure figure = buildFigure(ViewId::Samples, evidence);
        QCOMPARE(figure.plots[0].series[1].values.statistics().outliers, 1);
        QVERIFY2(figure.altText.contains("from 20.0 to 400.0 µs, 1 outlier"), qPrintable(figure.altText));
        QCOMPARE(cell(buildTable(ViewId::Samples, evidence), 3, "outliers").number.value_or(0), 1.0);
        ViewOptions options;
        options.audience = Audience::Programs;
        const widgets::ValueTable samples = buildTable(ViewId::Samples, evidence, options);
        for (int row = 0; row < samples.rows.size(); ++row)
            QCOMPARE(cell(samples, row, "outlier").text, row == 17 ? QStringLiteral("yes") : QString());
    }
};

QTEST_APPLESS_MAIN(TestSamplesView)
#include "tst_samplesview.moc"
