// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressionfixtures.h"

// Floors, arithmetic and cache states in figures and tables.
using namespace stagecraft;
using namespace stagecraft::views;
using fixtures::barOf;
using fixtures::cell;
using fixtures::columnIds;
using fixtures::shown;
using widgets::Figure;
using widgets::FigurePanel;
using widgets::ValueTable;

namespace {

const QString copy = QStringLiteral("L2-warm copy of the same bytes");

evidence::Floor floorOf(const QString &arithmetic, double us, const QString &cache = QStringLiteral("warm"))
{
    return {QStringLiteral("matmul"), arithmetic, cache, arithmetic.isEmpty() ? copy : arithmetic + " rate", us};
}

evidence::Namespace split()
{
    evidence::Namespace run = fixtures::gpuRun();
    for (evidence::Round &round : run.results[0].rounds) {
        round.implementations["cuda"].arithmetic = QStringLiteral("3xtf32");
        round.implementations["cuda"].correctness = evidence::Correctness{true, 1e-5, 3.1e-7, {}, {}, {}, {}};
    }
    run.floors = {floorOf("fp32", 4), floorOf("3xtf32", 2.5)};
    return run;
}

evidence::Namespace warmAndCold()
{
    evidence::Namespace run = fixtures::gpuRun();
    run.results.append(run.results[0]);
    run.results[1].cache = QStringLiteral("cold");
    for (evidence::Capture capture : QList(run.captures)) {
        capture.cache = QStringLiteral("cold");
        run.captures.append(capture);
    }
    run.floors = {floorOf("fp32", 2.5), floorOf("fp32", 2.75, "cold")};
    return run;
}

// In both rounds, with two iterations of one kernel of `us`.
void addImplementation(evidence::Namespace &run, const QString &implementation, double us)
{
    for (evidence::Round &round : run.results[0].rounds) {
        round.implementations[implementation] = fixtures::measured({20, 20, 20, 20, 20});
        run.captures.append(fixtures::captured(implementation, round.index, {us, us}, 2));
    }
}

ValueTable programs(ViewId view, const evidence::Namespace &evidence)
{
    ViewOptions options;
    options.audience = Audience::Programs;
    return buildTable(view, evidence, options);
}

} // namespace

class TestFloors : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void oneFloorIsOneLine()
    {
        evidence::Namespace run = fixtures::gpuRun();
        run.floors = {floorOf({}, 2.75)};
        for (const ViewId view : {ViewId::Kernel, ViewId::KernelSpan}) {
            const Figure figure = buildFigure(view, run);
            const FigurePanel &panel = figure.rows[0].panels[0];
            QCOMPARE(panel.floors.size(), 1);
            QCOMPARE(panel.floors[0].value, 2.75);
            QCOMPARE(panel.floors[0].text, QStringLiteral("floor 2.8 µs"));
            QCOMPARE(panel.floors[0].what, copy);
            for (const widgets::FigureBar &bar : panel.bars)
                QCOMPARE(bar.floor, 0);
            QVERIFY2(barOf(panel, "CUDA").toolTip.contains("4.00 × the floor of 2.75 µs"),
                     qPrintable(barOf(panel, "CUDA").toolTip));
            QVERIFY2(figure.altText.contains("floor 2.8 µs: " + copy), qPrintable(figure.altText));
            QVERIFY(figure.footer.join(' ').contains("Floor: the time that no implementation can beat"));
            QVERIFY(!figure.footer.join(' ').contains("None is known"));
        }
        QVERIFY(buildFigure(ViewId::KernelSpan, run).rows[1].panels[0].floors.isEmpty()); // a span holds more
        QVERIFY(buildFigure(ViewId::Launches, run).rows[0].panels[0].floors.isEmpty());
    }

    void eachArithmeticHasItsOwn()
    {
        const Figure figure = buildFigure(ViewId::Kernel, split());
        const FigurePanel &panel = figure.rows[0].panels[0];
        QCOMPARE(panel.floors.size(), 2);
        QCOMPARE(panel.floors[barOf(panel, "cuBLAS").floor].text, QStringLiteral("fp32 floor 4.0 µs"));
        QCOMPARE(panel.floors[barOf(panel, "CUDA · 3xtf32").floor].text, QStringLiteral("3xtf32 floor 2.5 µs"));
        QVERIFY(figure.footer.join(' ').contains("What is marked 3xtf32 is not exact FP32"));
        QVERIFY(!buildFigure(ViewId::Kernel, fixtures::gpuRun()).footer.join(' ').contains("exact FP32"));
    }

    void anUnknownFloorIsNoLine()
    {
        evidence::Namespace run = split();
        run.floors.removeLast();
        const Figure figure = buildFigure(ViewId::Kernel, run);
        const FigurePanel &panel = figure.rows[0].panels[0];
        QCOMPARE(panel.floors.size(), 1);
        QCOMPARE(barOf(panel, "CUDA · 3xtf32").floor, -1);
        QVERIFY2(figure.footer.join(' ').contains("None is known of Matrix multiplication in 3xtf32."),
                 qPrintable(figure.footer.join(' ')));
        run.floors.clear();
        const Figure none = buildFigure(ViewId::Kernel, run);
        QVERIFY(none.rows[0].panels[0].floors.isEmpty());
        QVERIFY(!none.footer.join(' ').contains("Floor:"));
    }

    void tablesGiveTheRatio()
    {
        evidence::Namespace run = split();
        run.floors.removeLast();
        for (const ViewId view : {ViewId::Kernel, ViewId::KernelSpan}) {
            const ValueTable people = buildTable(view, run);
            QCOMPARE(shown(people, 0, "floor_us"), QStringLiteral("4.0"));
            QCOMPARE(shown(people, 0, "kernel_floor_ratio"), QStringLiteral("1.50"));
            QCOMPARE(shown(people, 1, "floor_us"), QStringLiteral("unknown"));
            QCOMPARE(shown(people, 1, "kernel_floor_ratio"), QStringLiteral("unknown"));
            QVERIFY(!columnIds(people).contains("floor_what"));
            QCOMPARE(cell(programs(view, run), 0, "floor_what").text, QStringLiteral("fp32 rate"));
        }
        QVERIFY(!columnIds(buildTable(ViewId::Span, run)).contains("floor_us"));
        run.floors.clear();
        QVERIFY(!columnIds(buildTable(ViewId::Kernel, run)).contains("floor_us"));
        QCOMPARE(cell(programs(ViewId::Kernel, run), 0, "floor_us").text, QStringLiteral("unknown"));
    }

    // Kernel times: cuda 11, cublas 6. This project's own and host are nobody's peers, cold ones none of warm ones.
    void theBestPeerIsOfTheSameWork()
    {
        evidence::Namespace run = fixtures::gpuRun();
        for (const ViewId view : {ViewId::Kernel, ViewId::KernelSpan}) {
            const ValueTable people = buildTable(view, run);
            QCOMPARE(shown(people, 0, "implementation"), QStringLiteral("cuBLAS"));
            QCOMPARE(shown(people, 0, "best_peer"), QString());
            QCOMPARE(shown(people, 0, "kernel_peer_ratio"), QStringLiteral("unknown"));
            QCOMPARE(shown(people, 1, "best_peer"), QStringLiteral("cuBLAS"));
            QCOMPARE(shown(people, 1, "kernel_peer_ratio"), QStringLiteral("1.83"));
            const ValueTable table = programs(view, run);
            QCOMPARE(cell(table, 1, "best_peer").text, QStringLiteral("cublas"));
            QCOMPARE(cell(table, 1, "best_peer_us").number.value_or(0), 6.0);
            QCOMPARE(cell(table, 0, "best_peer_us").text, QStringLiteral("unknown"));
        }
        QVERIFY(!columnIds(buildTable(ViewId::Span, run)).contains("kernel_peer_ratio"));

        addImplementation(run, QStringLiteral("triton"), 5);
        addImplementation(run, QStringLiteral("cuda/fast"), 1);
        addImplementation(run, QStringLiteral("host"), 1);
        const ValueTable more = buildValueTable(run);
        const auto cellOf = [](const ValueTable &table, const QString &implementation, const char *column) {
            if (!columnIds(table).contains(QLatin1String(column)))
                return QStringLiteral("no such column"); // as all of it would be empty
            for (qsizetype row = 0; row < table.rows.size(); ++row)
                if (shown(table, row, "implementation") == implementation)
                    return shown(table, row, column);
            return QStringLiteral("no such row");
        };
        const auto peerOf = [&](const QString &implementation) {
            return cellOf(more, implementation, "best_peer") + ' ' + cellOf(more, implementation, "kernel_peer_ratio");
        };
        const auto peerOfCuda = [&](const evidence::Namespace &changed) {
            return cellOf(buildTable(ViewId::Kernel, changed), QStringLiteral("CUDA"), "best_peer");
        };
        QCOMPARE(peerOf("CUDA"), QStringLiteral("Triton 2.20"));
        QCOMPARE(peerOf("CUDA · fast"), QStringLiteral("Triton 0.20"));
        QCOMPARE(peerOf("cuBLAS"), QStringLiteral("Triton 1.20"));
        QCOMPARE(peerOf("Triton"), QStringLiteral("cuBLAS 0.83"));
        evidence::Namespace other = run; // neither of other arithmetic nor by another instrument
        for (evidence::Round &round : other.results[0].rounds)
            round.implementations["triton"].arithmetic = QStringLiteral("tf32");
        QCOMPARE(peerOfCuda(other), QStringLiteral("cuBLAS"));
        for (evidence::Capture &capture : other.captures)
            if (capture.language == QLatin1String("cublas"))
                capture.backend = QStringLiteral("another");
        QCOMPARE(peerOfCuda(other), QStringLiteral("no such column"));
        ViewOptions alone; // what is not shown is a peer all the same
        alone.implementations = {QStringLiteral("cuda")};
        QCOMPARE(shown(buildTable(ViewId::Kernel, run, alone), 0, "best_peer"), QStringLiteral("Triton"));
        evidence::Namespace both = warmAndCold();
        for (evidence::Round &round : both.results[1].rounds)
            round.implementations.remove("cublas");
        both.captures.removeIf([](const evidence::Capture &capture) {
            return capture.cache == QLatin1String("cold") && capture.language == QLatin1String("cublas");
        });
        QCOMPARE(shown(buildTable(ViewId::Kernel, both), 2, "kernel_peer_ratio"), QStringLiteral("unknown"));
    }

    // A result that is wrong beats nobody.
    void aFailedPeerIsNone()
    {
        evidence::Namespace run = fixtures::gpuRun();
        for (evidence::Round &round : run.results[0].rounds)
            round.implementations["cublas"] = fixtures::stateOnly(evidence::State::Failed, "wrong");
        run.captures.removeIf([](const evidence::Capture &capture) { return capture.language == "cublas"; });
        QVERIFY(!columnIds(buildTable(ViewId::Kernel, run)).contains("kernel_peer_ratio"));
        QCOMPARE(cell(programs(ViewId::Kernel, run), 1, "kernel_peer_ratio").text, QStringLiteral("unknown"));
    }

    void errorsStandBesideOtherArithmetic()
    {
        const ValueTable people = buildValueTable(split());
        QCOMPARE(shown(people, 1, "implementation"), QStringLiteral("CUDA · 3xtf32"));
        QCOMPARE(shown(people, 1, "rel_error"), QStringLiteral("3.1e-07"));
        QCOMPARE(shown(people, 0, "rel_error"), QString());
        QVERIFY(!columnIds(buildValueTable(fixtures::gpuRun())).contains("rel_error")); // none is recorded
        evidence::Namespace exact = split();
        for (evidence::Round &round : exact.results[0].rounds)
            round.implementations["cuda"].arithmetic = QStringLiteral("fp32");
        QCOMPARE(shown(buildValueTable(exact), 1, "rel_error"), QStringLiteral("3.1e-07"));
        const ValueTable table = programs(ViewId::KernelSpan, split());
        QCOMPARE(cell(table, 1, "rel_error").number.value_or(0), 3.1e-7);
        QCOMPARE(cell(table, 1, "max_abs_error").number.value_or(0), 1e-5);
        QCOMPARE(cell(table, 0, "rel_error").text, QStringLiteral("unavailable"));
    }

    void warmAndColdStandApart()
    {
        const evidence::Namespace run = warmAndCold();
        const Figure figure = buildFigure(ViewId::KernelSpan, run);
        QStringList rows;
        for (const widgets::FigureRow &row : figure.rows) {
            QCOMPARE(row.panels.size(), 1);
            rows.append(row.title + QStringLiteral(": ") + row.panels[0].subtitle);
        }
        QCOMPARE(rows, QStringList({"Kernel time, warm cache: 128 × 96 × 64 · warm cache",
                                    "Span, warm cache: 128 × 96 × 64 · warm cache",
                                    "Kernel time, cold cache: 128 × 96 × 64 · cold cache",
                                    "Span, cold cache: 128 × 96 × 64 · cold cache"}));
        QCOMPARE(figure.columns, 1);
        QCOMPARE(figure.rows[0].panels[0].floors[0].value, 2.5);
        QCOMPARE(figure.rows[2].panels[0].floors[0].value, 2.75);
        QVERIFY(figure.altText.contains("cold cache: cuBLAS") && figure.altText.contains("warm cache: cuBLAS"));
        for (const ViewId view : {ViewId::Kernel, ViewId::Span, ViewId::Launches})
            QCOMPARE(buildFigure(view, run).rows.size(), 2);
        QCOMPARE(buildFigure(ViewId::Samples, run).plots[1].subtitle, QStringLiteral("128 × 96 × 64 · cold cache"));
        QVERIFY(buildFigure(ViewId::Verdicts, run).altText.contains("128 × 96 × 64, cold cache"));
        QCOMPARE(shown(buildTable(ViewId::Kernel, run), 2, "cache"), QStringLiteral("cold"));
        QCOMPARE(cell(programs(ViewId::Samples, run), 20, "cache").text, QStringLiteral("cold"));
    }

    void warmIsNotSaidAlone()
    {
        const evidence::Namespace run = fixtures::gpuRun();
        QCOMPARE(buildFigure(ViewId::Kernel, run).rows[0].panels[0].subtitle, QStringLiteral("128 × 96 × 64"));
        QVERIFY(!columnIds(buildTable(ViewId::Kernel, run)).contains("cache"));
        QVERIFY(!columnIds(buildTable(ViewId::Verdicts, run)).contains("cache"));
        evidence::Namespace cold = warmAndCold();
        cold.results.removeFirst();
        cold.captures = cold.captures.mid(cold.captures.size() / 2);
        const Figure figure = buildFigure(ViewId::Kernel, cold);
        QCOMPARE(figure.rows.size(), 1);
        QCOMPARE(figure.rows[0].panels[0].subtitle, QStringLiteral("128 × 96 × 64 · cold cache"));
    }

    void stagesStandOnTheirFloors()
    {
        evidence::Namespace run = fixtures::stagesRun();
        run.progression->operations[0].stages[1].arithmetic = QStringLiteral("3xtf32");
        for (const auto &[arithmetic, us] : {std::pair("fp32", 50.0), std::pair("3xtf32", 20.0)}) {
            evidence::Floor floor = floorOf(arithmetic, us);
            floor.dims = {1024, 1024, 1024}; // the measurements beside the progression have others
            run.floors.append(floor);
        }
        const Figure figure = buildFigure(ViewId::Progression, run);
        const widgets::FigureLadder &ladder = figure.ladders[0];
        QCOMPARE(ladder.floors.size(), 2);
        QCOMPARE(ladder.floors[ladder.steps[0].bar.floor].text, QStringLiteral("fp32 floor 50.00 µs"));
        QCOMPARE(ladder.floors[ladder.steps[1].bar.floor].text, QStringLiteral("3xtf32 floor 20.00 µs"));
        QVERIFY(figure.altText.contains("3xtf32 floor 20.00 µs: 3xtf32 rate"));
        QVERIFY(ladder.steps[0].bar.toolTip.contains("8.00 × the floor of 50 µs"));
        const ValueTable table = buildTable(ViewId::Progression, run);
        QCOMPARE(shown(table, 1, "kernel_floor_ratio"), QStringLiteral("16.00"));
        QCOMPARE(shown(table, 3, "kernel_floor_ratio"), QStringLiteral("failed"));
        QVERIFY(!columnIds(buildTable(ViewId::Progression, fixtures::stagesRun())).contains("floor_us"));
        run.floors.removeFirst();
        QVERIFY(buildFigure(ViewId::Progression, run)
                    .footer.join(' ')
                    .contains("None is known of Matrix multiplication in fp32."));
    }
};

QTEST_GUILESS_MAIN(TestFloors)
#include "tst_floors.moc"
