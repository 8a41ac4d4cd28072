// SPDX-License-Identifier: GPL-3.0-or-later
#include "viewfixtures.h"

// What the figures made of bars contain: panels in order, labels, values, states, captions.
using namespace stagecraft;
using namespace stagecraft::views;
using evidence::State;
using widgets::Figure;
using widgets::FigureBar;

class TestBarFigures : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void kernelSpanHasAColumnPerOperation()
    {
        const Figure figure = buildFigure(ViewId::KernelSpan, fixtures::note("mage-003"));
        QCOMPARE(figure.id, QStringLiteral("kernel-span"));
        QCOMPARE(figure.desktopWidth, 1560);
        QCOMPARE(figure.mobileWidth, 365);
        QCOMPARE(figure.columns, 5);
        QCOMPARE(figure.rows.size(), 2);
        QCOMPARE(figure.rows[0].title, QStringLiteral("Kernel time"));
        QCOMPARE(figure.rows[1].title, QStringLiteral("Span"));
        const QStringList titles{"Matrix multiplication", "Bias + GELU", "LayerNorm", "Triangle contraction",
                                 "Neighbor aggregation"};
        for (const widgets::FigureRow &row : figure.rows) {
            QCOMPARE(row.subtitle, QStringLiteral("µs, lower is better"));
            QCOMPARE(row.panels.size(), titles.size());
            for (qsizetype i = 0; i < titles.size(); ++i) {
                QCOMPARE(row.panels[i].title, titles[i]);
                QCOMPARE(row.panels[i].unit, QStringLiteral("µs"));
                QCOMPARE(fixtures::barLabels(row.panels[i]), QStringList({"PyTorch", "Triton", "Rust"}));
            }
        }
        QCOMPARE(figure.rows[0].panels[4].subtitle, QStringLiteral("4096 × 64 × 65536"));
        QCOMPARE(figure.rows[0].panels[0].bars[0].valueText, QStringLiteral("44.0"));
        QCOMPARE(figure.rows[1].panels[0].bars[2].valueText, QStringLiteral("82.6"));
    }

    void whiskersBelongToSpans()
    {
        const Figure figure = buildFigure(ViewId::KernelSpan, fixtures::note("mage-003"));
        const FigureBar &kernel = figure.rows[0].panels[0].bars[0];
        QVERIFY(!kernel.low && !kernel.high);
        const FigureBar &span = figure.rows[1].panels[0].bars[0];
        QCOMPARE(span.low.value_or(0), 48.386560529470444);
        QCOMPARE(span.high.value_or(0), 71.84704016894102);
        QVERIFY(figure.footer.join(' ').contains("whiskers are the range of the round means, not a confidence"));
    }

    void coloursFollowTheImplementation()
    {
        using widgets::ColorRole;
        QCOMPARE(colorRole("python").kind, ColorRole::PyTorch);
        QCOMPARE(colorRole("pytorch").kind, ColorRole::PyTorch);
        QCOMPARE(colorRole("triton").kind, ColorRole::Triton);
        for (const char *own : {"rust", "cuda", "cuda/register-blocked"})
            QCOMPARE(colorRole(own).kind, ColorRole::Own);
        QVERIFY(!(colorRole("cublas") == colorRole("host")));
        QCOMPARE(colorRole("cublas").kind, ColorRole::Other);
    }

    void singleMetricsNeedNoHeadingOfTheirOwn()
    {
        for (const ViewId view : {ViewId::Kernel, ViewId::Span, ViewId::Launches}) {
            const Figure figure = buildFigure(view, fixtures::note("mage-001"));
            QCOMPARE(figure.id, viewName(view));
            QCOMPARE(figure.desktopWidth, 740);
            QCOMPARE(figure.rows.size(), 1);
            QVERIFY(figure.rows[0].title.isEmpty());
            QCOMPARE(figure.rows[0].panels.size(), 5);
        }
        QCOMPARE(buildFigure(ViewId::Kernel, fixtures::note("mage-001")).subtitle,
                 QStringLiteral("µs, lower is better"));
    }

    void launchesAreWholeWhereAllAre()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        Figure figure = buildFigure(ViewId::Launches, evidence);
        QCOMPARE(fixtures::barOf(figure.rows[0].panels[0], "cuBLAS").valueText, QStringLiteral("2"));
        QCOMPARE(fixtures::barOf(figure.rows[0].panels[0], "CUDA").valueText, QStringLiteral("1"));
        evidence.captures[2] = fixtures::captured("cuda", 1, {6, 6, 6, 6}, 2); // twice as many in the second round
        figure = buildFigure(ViewId::Launches, evidence);
        const FigureBar &cuda = fixtures::barOf(figure.rows[0].panels[0], "CUDA");
        QCOMPARE(cuda.valueText, QStringLiteral("1.5"));
        QCOMPARE(fixtures::barOf(figure.rows[0].panels[0], "cuBLAS").valueText, QStringLiteral("2.0"));
        QCOMPARE(cuda.flags, QStringList({evidence::flagLabel(evidence::Flag::LaunchesVary)}));
        const Figure spans = buildFigure(ViewId::Span, evidence);
        QVERIFY(fixtures::barOf(spans.rows[0].panels[0], "CUDA").flags.isEmpty());
    }

    void fewSamplesAreFlaggedWhereTheyAreFew()
    {
        const Figure figure = buildFigure(ViewId::KernelSpan, fixtures::gpuRun()); // 2 × 2 iterations, 2 × 5 spans
        QCOMPARE(fixtures::barOf(figure.rows[0].panels[0], "CUDA").flags,
                 QStringList({evidence::flagLabel(evidence::Flag::FewSamples)}));
        QVERIFY(fixtures::barOf(figure.rows[1].panels[0], "CUDA").flags.isEmpty());
    }

    void precisionIsTheReaders()
    {
        ViewOptions options;
        options.decimals = 3;
        const Figure figure = buildFigure(ViewId::Kernel, fixtures::note("mage-003"), options);
        QCOMPARE(figure.rows[0].panels[0].bars[0].valueText, QStringLiteral("44.028"));
    }

    // Nor huge ones longer than their places; the table says the same.
    void smallValuesAreNeverZero()
    {
        for (const auto &[us, text] : {std::pair{0.0032, "0.0032"}, {1.2e300, "1.2e+300"}, {0.06, "0.1"}}) {
            evidence::Namespace evidence = fixtures::gpuRun();
            for (evidence::Round &round : evidence.results[0].rounds)
                round.implementations["cuda"] = fixtures::measured({us, us, us, us, us});
            const Figure figure = buildFigure(ViewId::Span, evidence);
            QCOMPARE(fixtures::barOf(figure.rows[0].panels[0], "CUDA").valueText, QString(text));
            QVERIFY2(figure.altText.contains(QLatin1Char(' ') + QString(text) + ' '), qPrintable(figure.altText));
            const widgets::ValueTable table = buildTable(ViewId::Span, evidence);
            QCOMPARE(fixtures::shown(table, 1, "span_us"), QString(text));
        }
    }

    // Of which a GPU's work may be the subject.
    void importedSpansAreByTheHostsClock()
    {
        evidence::Namespace evidence = fixtures::cpuRun();
        evidence.resultsDocument = {{"imported", {{"tool", "NVBench"}, {"files", {{{"id", "a"}}}}}}};
        QCOMPARE(buildFigure(ViewId::KernelSpan, evidence).rows[1].title, QStringLiteral("Span by the host's clock"));
        QCOMPARE(buildFigure(ViewId::Span, evidence).title, QStringLiteral("Span by the host's clock"));
        fixtures::addHost(evidence);
        QVERIFY(!buildFigure(ViewId::Span, evidence).footer.join(' ').contains("on the CPU"));
    }

    void spansOfTheCpuStandApart()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        fixtures::addHost(evidence);
        const Figure figure = buildFigure(ViewId::KernelSpan, evidence);
        QCOMPARE(figure.rows.size(), 3);
        QCOMPARE(figure.rows[1].title, QStringLiteral("Span"));
        QCOMPARE(fixtures::barLabels(figure.rows[1].panels[0]), QStringList({"cuBLAS", "CUDA"}));
        QCOMPARE(figure.rows[2].title, QStringLiteral("Span on the CPU"));
        QCOMPARE(fixtures::barLabels(figure.rows[2].panels[0]), QStringList({"Host (CPU)"}));
        QCOMPARE(figure.rows[2].panels[0].bars[0].valueText, QStringLiteral("900.0"));
        const FigureBar &kernel = fixtures::barOf(figure.rows[0].panels[0], "Host (CPU)");
        QCOMPARE(kernel.stateText, QStringLiteral("unavailable"));
        QVERIFY(!kernel.value);
        QVERIFY(kernel.toolTip.contains(fixtures::cpuReason));
        const QString footer = figure.footer.join('\n');
        QVERIFY2(footer.contains("Spans on the CPU are measured with the host's clock and stand apart"),
                 qPrintable(footer));
        QVERIFY(footer.contains("spans from CUDA events and the host's clock (CPU)"));
        QCOMPARE(buildFigure(ViewId::Span, evidence).rows.size(), 2);
    }

    void aCpuAloneHasNoKernelTime()
    {
        const evidence::Namespace evidence = fixtures::cpuRun();
        for (const ViewId view : {ViewId::Kernel, ViewId::Launches}) {
            const Figure figure = buildFigure(view, evidence);
            QCOMPARE(figure.unavailable, fixtures::cpuReason);
            QVERIFY(figure.rows.isEmpty());
            QVERIFY(figure.altText.contains(fixtures::cpuReason));
        }
        const Figure both = buildFigure(ViewId::KernelSpan, evidence);
        QVERIFY(both.unavailable.isEmpty());
        QCOMPARE(both.rows[0].subtitle, QStringLiteral("unavailable: ") + fixtures::cpuReason);
        QVERIFY(both.rows[0].panels.isEmpty()); // no screen of nothing
        QVERIFY(both.altText.contains("Kernel time unavailable: " + fixtures::cpuReason));
        QCOMPARE(both.rows[1].title, QStringLiteral("Span on the CPU"));
        const Figure span = buildFigure(ViewId::Span, evidence);
        QCOMPARE(span.title, QStringLiteral("Span on the CPU"));
        const QString footer = span.footer.join('\n');
        QVERIFY2(footer.contains("GPU: none recorded"), qPrintable(footer));
        QVERIFY2(footer.contains("10 warmed intervals of the CPU's clock"), qPrintable(footer));
        QVERIFY(!footer.contains("event"));
        // What no row can show needs no caption.
        QVERIFY(!both.footer.join('\n').contains("Kernel time:"));
    }

    void whatFailedStandsWithTheOnlySpans()
    {
        evidence::Namespace evidence = fixtures::cpuRun();
        for (evidence::Round &round : evidence.results[0].rounds)
            round.implementations["example"] = fixtures::stateOnly(State::Failed, "it ended with\nstatus 3");
        const Figure figure = buildFigure(ViewId::KernelSpan, evidence);
        QCOMPARE(figure.rows.size(), 2);
        QCOMPARE(figure.rows[0].panels.size(), 0);
        QCOMPARE(figure.rows[1].title, QStringLiteral("Span on the CPU"));
        const widgets::FigurePanel &panel = figure.rows[1].panels[0];
        QCOMPARE(fixtures::barLabels(panel).size(), 2);
        QCOMPARE(panel.notes, QStringList({panel.bars.last().label + ": it ended with status 3"}));
        const QString footer = figure.footer.join(' ');
        QVERIFY2(footer.contains("of the CPU's clock") && !footer.contains("event"), qPrintable(footer));
        // Nor has anything a caption that nothing was measured of.
        for (evidence::Round &round : evidence.results[0].rounds)
            round.implementations.remove("host");
        evidence.captures.clear();
        const QString none = buildFigure(ViewId::Span, evidence).footer.join(' ');
        QVERIFY2(!none.contains("interval"), qPrintable(none));
    }

    void whatAGpuHasNotReachedKeepsItsPlace()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        fixtures::addHost(evidence);
        for (evidence::Round &round : evidence.results[0].rounds)
            for (const char *id : {"cuda", "cublas"})
                round.implementations[id] = fixtures::stateOnly(State::NotRun, "not reached yet");
        QCOMPARE(buildFigure(ViewId::Span, evidence).rows.size(), 2);
    }

    void mixedStatesHaveTheirReasonsBelow()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        fixtures::addHost(evidence);
        for (const ViewId view : {ViewId::Kernel, ViewId::Launches})
            QCOMPARE(buildFigure(view, evidence).rows[0].panels[0].notes,
                     QStringList({"Host (CPU): " + fixtures::cpuReason}));
        QVERIFY(buildFigure(ViewId::Kernel, fixtures::gpuRun()).rows[0].panels[0].notes.isEmpty());
    }

    void aCpuIsNamedWhereItMeasured()
    {
        evidence::Namespace evidence = fixtures::cpuRun();
        evidence.platform = QStringLiteral("Debian 12, AMD EPYC");
        const Figure figure = buildFigure(ViewId::KernelSpan, evidence);
        QCOMPARE(figure.subtitle, QStringLiteral("Debian 12, AMD EPYC · cpu-fixture"));
        QVERIFY(figure.footer.join('\n').contains("GPU: none recorded · Debian 12, AMD EPYC · FP32"));
        evidence::Namespace gpu = fixtures::gpuRun();
        gpu.platform = evidence.platform;
        QCOMPARE(buildFigure(ViewId::KernelSpan, gpu).subtitle, QStringLiteral("NVIDIA H200 · h200-fixture"));
        QVERIFY(!buildFigure(ViewId::KernelSpan, gpu).footer.join('\n').contains("EPYC"));
    }

    void statesStandInPlaceOfValues()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        evidence::Measurement &measurement = evidence.results[0].rounds[1].implementations["cuda"];
        measurement = fixtures::stateOnly(State::Failed, "3 elements outside the tolerance");
        measurement.correctness = evidence::Correctness{}; // it did not pass
        const Figure figure = buildFigure(ViewId::Span, evidence);
        const FigureBar &cuda = fixtures::barOf(figure.rows[0].panels[0], "CUDA");
        QVERIFY(!cuda.value && !cuda.low && cuda.valueText.isEmpty());
        QCOMPARE(cuda.stateText, QStringLiteral("failed"));
        QVERIFY(cuda.toolTip.contains("3 elements outside the tolerance"));
        QVERIFY(figure.altText.contains("CUDA failed"));
        QCOMPARE(fixtures::barOf(figure.rows[0].panels[0], "cuBLAS").valueText, QStringLiteral("8.0"));
    }

    void aThrottledValueKeepsItsBarAndSaysSo()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        evidence.results[0].rounds[1].implementations["cuda"].state = State::Throttled;
        evidence.results[0].rounds[1].implementations["cuda"].reason = "power cap";
        const Figure figure = buildFigure(ViewId::Span, evidence);
        const FigureBar &cuda = fixtures::barOf(figure.rows[0].panels[0], "CUDA");
        QCOMPARE(cuda.valueText, QStringLiteral("22.5"));
        QCOMPARE(cuda.stateText, QStringLiteral("throttled"));
        QVERIFY(cuda.toolTip.contains("power cap"));
    }

    void captionsNameTheClocksOfWhatIsDrawn()
    {
        evidence::Namespace evidence = fixtures::cpuRun();
        for (evidence::OperationResult &result : evidence.results)
            for (evidence::Round &round : result.rounds)
                round.implementations["cuda"] = fixtures::stateOnly(State::Unavailable, "no NVIDIA driver");
        for (const ViewId view : {ViewId::Span, ViewId::Samples}) {
            const QString footer = buildFigure(view, evidence).footer.join(' ');
            QVERIFY2(footer.contains("of the CPU's clock around the call"), qPrintable(footer));
            QVERIFY2(!footer.contains("event interval"), qPrintable(footer));
        }
    }

    void aRunInProgressShowsWhatIsThere()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        evidence.captures.clear();
        for (evidence::Round &round : evidence.results[0].rounds)
            for (evidence::Measurement &measurement : round.implementations)
                measurement = fixtures::stateOnly(State::NotRun, "not reached yet");
        const Figure figure = buildFigure(ViewId::KernelSpan, evidence);
        QVERIFY(figure.unavailable.isEmpty());
        for (const widgets::FigureRow &row : figure.rows)
            for (const FigureBar &bar : row.panels[0].bars)
                QCOMPARE(bar.stateText, QStringLiteral("not run"));
    }

    void otherArithmeticIsNamed()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        for (evidence::Round &round : evidence.results[0].rounds)
            round.implementations["cuda"].arithmetic = QStringLiteral("3xtf32");
        const Figure figure = buildFigure(ViewId::Kernel, evidence);
        QCOMPARE(fixtures::barLabels(figure.rows[0].panels[0]), QStringList({"cuBLAS", "CUDA · 3xtf32"}));
    }

    void sizesOfOneOperationHaveTheirOwnPanels()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        evidence::OperationResult larger = evidence.results[0];
        larger.dims = {256, 256, 256};
        evidence.results.append(larger);
        const Figure figure = buildFigure(ViewId::Span, evidence);
        QCOMPARE(figure.rows[0].panels.size(), 2);
        QCOMPARE(figure.rows[0].panels[1].subtitle, QStringLiteral("256 × 256 × 256"));
    }

    void implementationsCanBeChosen()
    {
        ViewOptions options;
        options.implementations = QStringList{"cublas"};
        const evidence::Namespace evidence = fixtures::gpuRun();
        QCOMPARE(fixtures::barLabels(buildFigure(ViewId::Kernel, evidence, options).rows[0].panels[0]),
                 QStringList({"cuBLAS"}));
        options.implementations = QStringList{"triton"};
        const Figure none = buildFigure(ViewId::Kernel, evidence, options);
        QCOMPARE(none.unavailable, QStringLiteral("h200-fixture has no measurement of triton; it has cublas, cuda"));
    }

    void evidenceOfStagesAloneSaysWhereTheyAre()
    {
        evidence::Namespace evidence;
        evidence.name = QStringLiteral("stage session");
        evidence.progression = evidence::Progression();
        QCOMPARE(buildFigure(ViewId::KernelSpan, evidence).unavailable,
                 QStringLiteral("stage session holds stages only: see Progression and Resources"));
    }

    void theFooterSaysWhereValuesComeFrom()
    {
        ViewOptions options;
        options.programVersion = QStringLiteral("9.8.7");
        const QString note = buildFigure(ViewId::KernelSpan, fixtures::note("mage-003"), options).footer.join('\n');
        for (const char *part :
             {"NVIDIA GeForce RTX 4090", "FP32", "Nsight Systems (timestamp mode: reduced precision)", "CUDA events",
              "Each column has its own zero-based scale", "mage-003", "date not recorded", "Stagecraft 9.8.7",
              "100 captured iterations", "gaps between launches are left out", "300 warmed event intervals",
              "3 rounds with rotating order"})
            QVERIFY2(note.contains(QString::fromUtf8(part)), part);
        const QString run = buildFigure(ViewId::Kernel, fixtures::gpuRun(), options).footer.join('\n');
        for (const char *part : {"NVIDIA H200", "CUPTI", "nanoseconds", "2026-09-10T12:00:00Z", "h200-fixture",
                                 "2 captured iterations", "Each panel has its own zero-based scale"})
            QVERIFY2(run.contains(QString::fromUtf8(part)), part);
        QVERIFY(!run.contains("faults"));
    }

    void contradictoryEvidenceSaysSo()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        evidence.problems = {{"comparison-results.json", "/results/0", "fixture", true},
                             {"comparison-results.json", "/results/0", "recorded only", false}};
        const QString footer = buildFigure(ViewId::Span, evidence).footer.join('\n');
        QVERIFY2(footer.contains("1 fault in its files"), qPrintable(footer));
    }

    void metadataCarriesTheProvenance()
    {
        const QList<QPair<QString, QString>> metadata = buildFigure(ViewId::Span, fixtures::gpuRun()).metadata;
        QVERIFY(metadata.contains({QStringLiteral("Namespace"), QStringLiteral("h200-fixture")}));
        QVERIFY(metadata.contains({QStringLiteral("GPU"), QStringLiteral("NVIDIA H200")}));
        QVERIFY(metadata.contains({QStringLiteral("Measured"), QStringLiteral("2026-09-10T12:00:00Z")}));
        QVERIFY(metadata.contains({QStringLiteral("View"), QStringLiteral("span")}));
    }

    // Ten stages beside the implementations: each by its own name, in the project's colour.
    void stagesStandByTheirName()
    {
        evidence::Namespace evidence = fixtures::gpuRun();
        for (evidence::Round &round : evidence.results[0].rounds) {
            round.implementations[QStringLiteral("cuda/k64")] = fixtures::measured({30, 30, 30, 30, 30});
            evidence::Measurement other = fixtures::measured({40, 40, 40, 40, 40});
            other.arithmetic = QStringLiteral("3xtf32");
            round.implementations[QStringLiteral("cuda/tensor")] = other;
        }
        const Figure figure = buildFigure(ViewId::Span, evidence);
        const widgets::FigurePanel &panel = figure.rows[0].panels[0];
        QCOMPARE(fixtures::barLabels(panel), QStringList({"cuBLAS", "CUDA", "k64", "tensor · 3xtf32"}));
        QCOMPARE(fixtures::barOf(panel, "k64").color.kind, widgets::ColorRole::Own);
        QCOMPARE(fixtures::barOf(panel, "k64").valueText, QStringLiteral("30.0"));
    }

    void theAltTextReadsEveryValue()
    {
        const Figure figure = buildFigure(ViewId::KernelSpan, fixtures::note("mage-003"));
        for (const widgets::FigureRow &row : figure.rows)
            for (const widgets::FigurePanel &panel : row.panels) {
                QVERIFY(figure.altText.contains(panel.title));
                for (const FigureBar &bar : panel.bars)
                    QVERIFY2(figure.altText.contains(bar.label + ' ' + bar.valueText), qPrintable(bar.label));
            }
    }

    void nothingSoundIsUnavailable()
    {
        evidence::Namespace empty;
        empty.name = QStringLiteral("hollow");
        empty.missing = QStringList{"comparison-results.json"};
        for (const ViewInfo &view : viewCatalogue()) {
            const Figure figure = buildFigure(view.id, empty);
            QVERIFY2(!figure.unavailable.isEmpty(), qPrintable(view.name));
            const widgets::ValueTable table = buildTable(view.id, empty);
            // Without a namespace to compare with there is nothing to say of this one.
            QVERIFY2(view.id == ViewId::Compare || table.unavailable.contains("hollow"), qPrintable(view.name));
            QVERIFY(table.rows.isEmpty());
        }
    }
};

QTEST_APPLESS_MAIN(TestBarFigures)
#include "tst_barfigures.moc"
