// SPDX-License-Identifier: GPL-3.0-or-later
#include "../evidence/comparisonfixture.h"
#include "viewfixtures.h"

using namespace stagecraft;
using namespace stagecraft::views;
using fixtures::columnIds;
using fixtures::namespaceOf;
using fixtures::note;
using fixtures::Piece;
using fixtures::shown;
using widgets::Figure;
using widgets::FigureDelta;
using widgets::FigureDeltas;
using widgets::ValueTable;

namespace {

const FigureDeltas *block(const Figure &figure, const QString &title)
{
    for (const FigureDeltas &deltas : figure.deltas)
        if (deltas.title == title)
            return &deltas;
    return nullptr;
}

QStringList labels(const FigureDeltas &deltas)
{
    QStringList list;
    for (const FigureDelta &row : deltas.rows)
        list.append(row.label);
    return list;
}

} // namespace

// The view `compare`: two namespaces, several, and none to compare with.
class TestCompareView : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        fixtures::useSourceResources();
        m_first = note("mage-001");
        m_second = note("mage-002");
        m_third = note("mage-003");
    }
    void init()
    {
        m_options = ViewOptions();
        m_options.implementations = {"rust"};
        m_options.baselines = {&m_first};
    }

    void withoutABaselineItIsUnavailable()
    {
        const Figure figure = buildFigure(ViewId::Compare, m_third);
        QVERIFY(figure.unavailable.contains("--baseline"));
        QVERIFY(figure.altText.contains("--baseline"));
        QVERIFY(figure.deltas.isEmpty());
        QVERIFY(buildTable(ViewId::Compare, m_third).unavailable.contains("--baseline"));
    }

    void theNotesChanges()
    {
        const Figure figure = buildFigure(ViewId::Compare, m_third, m_options);
        QCOMPARE(figure.unavailable, QString());
        const FigureDeltas *kernel = block(figure, "Kernel time");
        QVERIFY(kernel);
        QCOMPARE(labels(*kernel), QStringList({"Matrix multiplication", "LayerNorm", "Bias + GELU",
                                               "Triangle contraction", "Neighbor aggregation"}));
        const FigureDelta &matmul = kernel->rows[0], &gelu = kernel->rows[2], &triangle = kernel->rows[3];
        QCOMPARE(matmul.valueText, QString("−76.7 %"));
        QCOMPARE(matmul.detail, QString("344.0 → 80.0 µs · drift 2.1 %"));
        QCOMPARE(matmul.verdict, QString("faster, beyond drift"));
        QCOMPARE(matmul.sublabel, QString("Rust · tiled → k64"));
        QCOMPARE(gelu.valueText, QString("−2.1 %"));
        QVERIFY(gelu.sublabel.endsWith("unchanged"));
        QCOMPARE(gelu.verdict, QString("unchanged, sets the drift"));
        QCOMPARE(triangle.verdict, QString("within drift"));
        QCOMPARE(kernel->rows[4].valueText, QString("+0.5 %"));
        for (const char *text :
             {"Matrix multiplication Rust −76.7 % (344.0 → 80.0 µs), faster, beyond drift, drift 2.1 %",
              "Triangle contraction Rust −1.3 % (81.2 → 80.1 µs), within drift"})
            QVERIFY2(figure.altText.contains(QString::fromUtf8(text)), qPrintable(figure.altText));
        QVERIFY(figure.footer.filter("Drift of what is unchanged: Rust 2.1 % (gelu, triangle, neighbor)").size() == 1);
    }

    void theNotesTable()
    {
        m_options.audience = Audience::Programs;
        const ValueTable table = buildTable(ViewId::Compare, m_third, m_options);
        QCOMPARE(table.rows.size(), 5);
        QCOMPARE(shown(table, 0, "operation"), QString("matmul"));
        QCOMPARE(shown(table, 2, "operation"), QString("gelu"));
        QVERIFY(shown(table, 2, "kernel_change_percent").startsWith("-2.1"));
        QVERIFY(shown(table, 2, "drift_bound_percent").startsWith("1.3"));
        QCOMPARE(shown(table, 2, "unchanged"), QString("yes"));
        QCOMPARE(shown(table, 0, "unchanged"), QString("no"));
        QCOMPARE(shown(table, 0, "drift_bound_operations"), QString("gelu; triangle; neighbor"));
        QCOMPARE(shown(table, 0, "base_stage"), QString("matmul/tiled"));
        QVERIFY(shown(table, 0, "base_kernel_us").startsWith("344.0"));
        QCOMPARE(shown(table, 0, "base_namespace"), QString("mage-001"));
    }

    void theReadersCorrectionIsSaid()
    {
        m_options.unchanged = QStringList{"triangle"};
        const ValueTable table = buildTable(ViewId::Compare, m_third, m_options);
        QVERIFY(!table.footer.filter("as the reader says: triangle").isEmpty());
        QCOMPARE(shown(table, 0, "drift_bound_percent"), QString("1.3"));
    }

    void differencesStandBeforeTheChanges()
    {
        const evidence::Namespace base = namespaceOf("base", {{"gelu", "cuda"}}, "NVIDIA A100");
        const evidence::Namespace now = namespaceOf("now", {{"gelu", "cuda", 9}});
        m_options = ViewOptions();
        m_options.baselines = {&base};
        const Figure figure = buildFigure(ViewId::Compare, now, m_options);
        QCOMPARE(figure.deltas.first().title, QString("What differs besides"));
        QCOMPARE(figure.deltas.first().rows.first().label, QString("GPU"));
        QCOMPARE(figure.deltas.first().rows.first().stateText, QString("NVIDIA A100 → NVIDIA H200"));
        const FigureDelta &gelu = block(figure, "Kernel time")->rows.first();
        QCOMPARE(gelu.verdict, QString("another GPU: not drift"));
        QVERIFY(!gelu.band);
        QVERIFY(figure.altText.contains("NVIDIA A100 → NVIDIA H200"));
        const ValueTable table = buildTable(ViewId::Compare, now, m_options);
        QVERIFY(!table.footer.filter("Differs: GPU: NVIDIA A100 → NVIDIA H200").isEmpty());
        QCOMPARE(shown(table, 0, "verdict"), QString("another GPU: not drift"));
    }

    void statesAndLoneRowsHaveTheirMarks()
    {
        Piece failed{"gelu", "cuda"};
        failed.state = evidence::State::Failed;
        const evidence::Namespace base = namespaceOf("base", {{"gelu", "cuda"}, {"matmul", "cuda"}, {"gelu", "host"}});
        const evidence::Namespace now = namespaceOf("now", {failed, {"matmul", "cuda"}, {"matmul", "triton"}});
        m_options = ViewOptions();
        m_options.baselines = {&base};
        const Figure figure = buildFigure(ViewId::Compare, now, m_options);
        const FigureDelta &gelu = block(figure, "Kernel time")->rows.last();
        QVERIFY(!gelu.value);
        QVERIFY2(gelu.stateText.contains("now: failed, CUDA error 700"), qPrintable(gelu.stateText));
        QVERIFY(block(figure, "Only in base")->rows.first().stateText.startsWith("Host (CPU)"));
        QVERIFY(block(figure, "Only in now")->rows.first().stateText.startsWith("Triton"));
        QVERIFY(figure.altText.contains("Only in now: Matrix multiplication: Triton"));
        const ValueTable table = buildTable(ViewId::Compare, now, m_options);
        QCOMPARE(table.rows.size(), 4);
        QCOMPARE(shown(table, 1, "kernel_us"), QString("failed"));
        QCOMPARE(shown(table, 1, "verdict"), QString("not comparable"));
        QCOMPARE(shown(table, 2, "verdict"), QString("only in base"));
        QCOMPARE(shown(table, 3, "verdict"), QString("only in now"));
        QCOMPARE(shown(table, 3, "base_kernel_us"), QString("not run"));
    }

    void handsPairImplementations()
    {
        const evidence::Namespace base = namespaceOf("base", {{"gelu", "rust", 10}});
        const evidence::Namespace now = namespaceOf("now", {{"gelu", "cuda", 5}});
        m_options = ViewOptions();
        m_options.baselines = {&base};
        QVERIFY(!block(buildFigure(ViewId::Compare, now, m_options), "Kernel time"));
        m_options.pairs = {{"rust", "cuda"}};
        const Figure figure = buildFigure(ViewId::Compare, now, m_options);
        QCOMPARE(block(figure, "Kernel time")->rows.first().valueText, QString("−50.0 %"));
        QVERIFY(block(figure, "Kernel time")->rows.first().sublabel.startsWith("Rust → CUDA"));
    }

    void spansStandApartWhereThereIsNoKernelTime()
    {
        evidence::Namespace base = namespaceOf("base", {{"gelu", "host", 10}});
        evidence::Namespace now = namespaceOf("now", {{"gelu", "host", 11}});
        for (evidence::Namespace *evidence : {&base, &now}) {
            evidence->captures.clear();
            QList<evidence::Round> &rounds = evidence->results.first().rounds;
            rounds.append(rounds.first());
            rounds.last().index = 1;
        }
        m_options = ViewOptions();
        m_options.baselines = {&base};
        const Figure figure = buildFigure(ViewId::Compare, now, m_options);
        QVERIFY(!block(figure, "Kernel time"));
        const FigureDeltas *spans = block(figure, "Span, where there is no kernel time");
        QVERIFY(spans);
        QCOMPARE(spans->rows.first().valueText, QString("+8.3 %"));
        QCOMPARE(spans->rows.first().verdict, QString("slower, by span: bound unknown"));
        // The mean that one stall moves decides nothing; programs get what says so.
        now.results.first().rounds.first().implementations["host"].samplesUs = QList<double>(5, 12);
        now.results.first().rounds.last().implementations["host"].samplesUs = {10, 10, 10, 10, 900};
        m_options.audience = Audience::Programs;
        const ValueTable table = buildTable(ViewId::Compare, now, m_options);
        QVERIFY(shown(table, 0, "verdict").startsWith("undecided, by span"));
        QCOMPARE(shown(table, 0, "kernel_change_percent"), QString("unavailable"));
        QCOMPARE(shown(table, 0, "base_span_low_us"), QString("12.0"));
        QCOMPARE(shown(table, 0, "span_low_us"), QString("12.0"));
        QCOMPARE(shown(table, 0, "span_high_us"), QString("188.0"));
        QCOMPARE(shown(table, 0, "span_median_us"), QString("12.0"));
    }

    void severalBaselinesAreATrend()
    {
        m_options.baselines = {&m_first, &m_second};
        const Figure figure = buildFigure(ViewId::Compare, m_third, m_options);
        QCOMPARE(figure.trends.size(), 5);
        const widgets::FigureTrend &matmul = figure.trends.first();
        QCOMPARE(matmul.places, QStringList({"mage-001", "mage-002", "mage-003"}));
        QCOMPARE(matmul.lines.size(), 1);
        QCOMPARE(matmul.lines.first().valueText, QString("344.0 → 80.0, −76.7 %"));
        QVERIFY(std::abs(*matmul.lines.first().points[1].value - 141.70) < 0.01);
        QVERIFY(figure.altText.contains("mage-001 344.0 µs, mage-002 141.7 µs, mage-003 80.0 µs"));
        const ValueTable table = buildTable(ViewId::Compare, m_third, m_options);
        QCOMPARE(shown(table, 0, "mage-002_kernel_us"), QString("141.7"));
        QCOMPARE(shown(table, 0, "kernel_change_percent"), QString("-76.7"));
        QCOMPARE(shown(table, 0, "drift_bound_percent"), QString("2.1"));
        QCOMPARE(shown(table, 0, "verdict"), QString("faster, beyond drift"));
        QVERIFY(shown(table, 0, "stage").startsWith("tiled → "));
        QVERIFY(shown(table, 0, "stage").endsWith(" → k64"));
        QStringList order;
        for (int row = 0; row < 5; ++row)
            order.append(shown(table, row, "kernel_change_percent"));
        QCOMPARE(order, QStringList({"-76.7", "-46.1", "-2.1", "-1.3", "0.5"}));
        QVERIFY(figure.subtitle.endsWith("NVIDIA GeForce RTX 4090"));
    }

    void trendsBreakAtOtherGpusAndArithmetics()
    {
        const evidence::Namespace first = namespaceOf("first", {{"gelu", "cuda", 10}}, "NVIDIA A100");
        const evidence::Namespace second = namespaceOf("second", {{"gelu", "cuda", 8}});
        Piece other{"gelu", "cuda", 6};
        other.arithmetic = "3xtf32";
        const evidence::Namespace third = namespaceOf("third", {other});
        m_options = ViewOptions();
        m_options.baselines = {&first, &second};
        const Figure figure = buildFigure(ViewId::Compare, third, m_options);
        QCOMPARE(figure.trends.first().breaks, QList<int>{1});
        const widgets::FigureTrendLine &line = figure.trends.first().lines.first();
        QVERIFY(line.points[2].startsAnother);
        QVERIFY(!line.points[1].startsAnother);
        QCOMPARE(line.valueText, QString("10.0 → 6.0")); // never a percentage across series
        QVERIFY(!figure.subtitle.contains("NVIDIA"));    // it is not one
        QVERIFY(!figure.footer.filter("another GPU").isEmpty());
        QVERIFY(!figure.footer.filter("first → second differ: GPU: NVIDIA A100 → NVIDIA H200").isEmpty());
        QVERIFY(!figure.trends.first().notes.filter("3xtf32").isEmpty());
    }

    void trendsSayWhatIsMissing()
    {
        Piece failed{"gelu", "cuda"};
        failed.state = evidence::State::Failed;
        const evidence::Namespace first = namespaceOf("first", {{"gelu", "rust", 10}});
        const evidence::Namespace second = namespaceOf("second", {failed});
        const evidence::Namespace third = namespaceOf("third", {{"gelu", "cuda", 6}, {"matmul", "cuda", 6}});
        m_options = ViewOptions();
        m_options.pairs = {{"rust", "cuda"}};
        m_options.baselines = {&first, &second};
        const Figure figure = buildFigure(ViewId::Compare, third, m_options);
        const auto gelu = std::find_if(figure.trends.begin(), figure.trends.end(),
                                       [](const auto &trend) { return trend.title == "Bias + GELU"; });
        QVERIFY(gelu != figure.trends.end());
        QCOMPARE(gelu->lines.size(), 1);
        QVERIFY(gelu->lines.first().points[0].value); // rust, paired by hand
        QVERIFY(!gelu->lines.first().points[1].value);
        QVERIFY(!gelu->notes.filter("second: failed").isEmpty());
        // One line says what a namespace lacks of a panel.
        const evidence::Namespace more = namespaceOf("more", {{"gelu", "cuda", 6}, {"gelu", "triton", 6}});
        m_options.baselines = {&first, &third};
        const QStringList notes = buildFigure(ViewId::Compare, more, m_options).trends.first().notes;
        QCOMPARE(notes.filter("Triton in ").size(), 2);
        m_options.pairs.clear();
        QVERIFY(!buildFigure(ViewId::Compare, more, m_options)
                     .trends.first()
                     .notes.filter("Triton, CUDA in first: not measured")
                     .isEmpty());
        m_options.pairs = {{"rust", "cuda"}};
        m_options.baselines = {&first, &second};
        const ValueTable table = buildTable(ViewId::Compare, third, m_options);
        QVERIFY(columnIds(table).contains("second_kernel_us"));
    }

    void stagesMeasuredByNameAreNamedOnce()
    {
        const QList<Piece> pieces{{"gelu", "cuda/quads", 10, "gelu/quads"}, {"gelu", "cuda", 10, "gelu/quads"}};
        const evidence::Namespace base = namespaceOf("base", pieces), now = namespaceOf("now", pieces);
        m_options = ViewOptions();
        m_options.baselines = {&base};
        const Figure figure = buildFigure(ViewId::Compare, now, m_options);
        QCOMPARE(block(figure, "Kernel time")->rows[0].sublabel, QString("CUDA · quads · unchanged"));
        QCOMPARE(block(figure, "Kernel time")->rows[1].sublabel, QString("CUDA · quads · unchanged"));
    }

    // Where kernel times are of two instruments the spans may still be of one.
    void spansStandBesideWhatCannotBeCompared()
    {
        Piece after{"gelu", "cuda", 20};
        after.backend = "nsys";
        const evidence::Namespace base = namespaceOf("base", {{"gelu", "cuda", 10}}), now = namespaceOf("now", {after});
        m_options = ViewOptions();
        m_options.baselines = {&base};
        const FigureDelta row = block(buildFigure(ViewId::Compare, now, m_options), "Kernel time")->rows.first();
        QVERIFY(row.stateText.contains("another instrument"));
        QCOMPARE(row.detail, QString("span 12.0 → 22.0 µs, +83.3 %"));
    }

    void whatRoundsToZeroHasNoSign()
    {
        const evidence::Namespace base = namespaceOf("base", {{"gelu", "cuda", 10}});
        const evidence::Namespace now = namespaceOf("now", {{"gelu", "cuda", 9.999}});
        m_options = ViewOptions();
        m_options.baselines = {&base};
        QCOMPARE(block(buildFigure(ViewId::Compare, now, m_options), "Kernel time")->rows.first().valueText,
                 QString("0.0 %"));
        const ValueTable table = buildTable(ViewId::Compare, now, m_options);
        QCOMPARE(shown(table, 0, "kernel_change_percent"), QString("0.0"));
        QCOMPARE(shown(table, 0, "verdict"), QString("no change, bound unknown"));
    }

    // A quiet machine's drift is not none.
    void smallDriftsHaveTwoDigits()
    {
        const auto at = [](const char *name, double gelu, double matmul) {
            return namespaceOf(name, {{"gelu", "cuda", gelu, "g", "1"}, {"matmul", "cuda", matmul, "m", name}});
        };
        const evidence::Namespace base = at("base", 10, 10), now = at("now", 10.004, 11);
        m_options = ViewOptions();
        m_options.baselines = {&base};
        const Figure figure = buildFigure(ViewId::Compare, now, m_options);
        QVERIFY(block(figure, "Kernel time")->rows.first().detail.endsWith("drift 0.04 %"));
        QVERIFY(!figure.footer.filter("0.04 % (gelu)").isEmpty());
        QCOMPARE(shown(buildTable(ViewId::Compare, now, m_options), 0, "drift_bound_percent"), QString("0.04"));
    }

    // Beside what was asked for; the numbers are those of all.
    void otherImplementationsDriftStandsBeside()
    {
        const auto at = [](const char *name, double us) {
            return namespaceOf(name, {{"gelu", "cuda", us, "g", "1"}, {"gelu", "cublas", us}, {"matmul", "cuda"}});
        };
        const evidence::Namespace base = at("base", 10), now = at("now", 10.5);
        m_options = ViewOptions();
        m_options.implementations = {"cuda"};
        m_options.baselines = {&base};
        const QStringList footer = buildFigure(ViewId::Compare, now, m_options).footer;
        QVERIFY2(!footer.filter("CUDA 5.0 % (matmul, gelu) · cuBLAS 5.0 % (gelu)").isEmpty(),
                 qPrintable(footer.join('\n')));
    }

    void baselinesAreInTheMetadata()
    {
        const Figure figure = buildFigure(ViewId::Compare, m_third, m_options);
        const bool has = std::any_of(figure.metadata.begin(), figure.metadata.end(), [](const auto &entry) {
            return entry.first == "Baseline" && entry.second.startsWith("mage-001, NVIDIA GeForce RTX 4090");
        });
        QVERIFY(has);
    }

private:
    evidence::Namespace m_first, m_second, m_third;
    ViewOptions m_options;
};

QTEST_GUILESS_MAIN(TestCompareView)
#include "tst_compareview.moc"
