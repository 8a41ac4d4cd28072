// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurelayout.h"
#include "figurescene.h"
#include "geometrychecks.h"

#include <QTest>

using namespace stagecraft::widgets;

namespace {

const QString longest = QStringLiteral("an-external-program-with-a-name-of-sixty-four-characters-at-most");

FigureDelta delta(const QString &label, std::optional<double> value, std::optional<double> band = {})
{
    FigureDelta row;
    row.label = label;
    row.sublabel = QStringLiteral("Rust · tiled → k64");
    row.color = {ColorRole::Own, 0};
    row.value = value;
    row.band = band;
    row.valueText = value ? QStringLiteral("%1 %").arg(*value) : QString();
    row.detail = QStringLiteral("344.0 → 80.0 µs · drift 2.1 %");
    row.verdict = QStringLiteral("faster, beyond drift");
    row.stateText = value ? QString() : QStringLiteral("now: failed, CUDA error 700");
    row.toolTip = label + QStringLiteral(" in full");
    return row;
}

Figure deltasFigure(const QList<FigureDelta> &rows)
{
    Figure figure;
    figure.title = QStringLiteral("Compare");
    figure.deltas = {{QStringLiteral("Kernel time"), QStringLiteral("change in percent"), rows, {}}};
    return figure;
}

FigureTrendLine line(const QString &label, const QList<std::optional<double>> &values)
{
    FigureTrendLine trend;
    trend.label = label;
    trend.color = {ColorRole::Own, 0};
    trend.valueText = QStringLiteral("344.0 → 80.0, −76.7 %");
    for (const std::optional<double> &value : values)
        trend.points.append({value, value ? QString::number(*value) : QString(), false});
    return trend;
}

Figure trendFigure(const QStringList &places, const QList<FigureTrendLine> &lines)
{
    Figure figure;
    figure.title = QStringLiteral("Trend");
    FigureTrend trend;
    trend.title = QStringLiteral("Matrix multiplication");
    trend.unit = QStringLiteral("µs");
    trend.places = places;
    trend.lines = lines;
    figure.trends = {trend};
    return figure;
}

// Stretches of lines that are drawn, as numbers of points.
QList<qsizetype> stretches(const Figure &figure)
{
    QList<qsizetype> sizes;
    for (const SceneCurve &curve : composeFigure(figure, Layout::Desktop).curves)
        sizes.append(curve.points.size());
    return sizes;
}

bool contains(const FigureGeometry &geometry, const QString &part)
{
    return !checks::drawnTexts(geometry).filter(part).isEmpty();
}

} // namespace

// Changes around zero, and trends over places.
class TestFigureChanges : public QObject
{
    Q_OBJECT

private slots:
    void nothingOverlapsOrLeavesTheFigure_data()
    {
        QTest::addColumn<Figure>("figure");
        const auto row = [](const char *name, const Figure &figure) { QTest::newRow(name) << figure; };
        row("note", deltasFigure({delta("Matrix multiplication", -76.7, 2.1), delta("LayerNorm", -46.1, 2.1),
                                  delta("Bias + GELU", -2.1, 1.3), delta("Triangle contraction", -1.3, 2.1),
                                  delta("Neighbor aggregation", 0.5, 2.1)}));
        FigureDelta flagged = delta(longest, 120, {});
        flagged.flags = {QStringLiteral("fewer than five samples"), QStringLiteral("throttled")};
        flagged.sublabel = longest + QStringLiteral(" → ") + longest;
        flagged.verdict = longest;
        row("longest", deltasFigure({flagged, delta("a", -5, 300.0)}));
        row("states", deltasFigure({delta("a", {}), delta("b", std::nan(""))}));
        row("no change", deltasFigure({delta("a", 0.0)}));
        row("nothing", deltasFigure({}));
        const QStringList three{"mage-001", "mage-002", "mage-003"};
        row("trend", trendFigure(three, {line("Rust", {344.0, 141.7, 80.0}), line("Triton", {83.8, 84.7, 71.9}),
                                         line("PyTorch", {56.0, 54.6, 44.0})}));
        row("close ends", trendFigure(three, {line("a", {10.0, 10.0, 10.0}), line("b", {10.0, 10.1, 10.0}),
                                              line("c", {10.0, 10.0, 10.1}), line("d", {0.0, 0.0, 0.0})}));
        QStringList many;
        for (int i = 0; i < 30; ++i)
            many.append(QStringLiteral("namespace-%1").arg(i));
        row("many places", trendFigure(many, {line(longest, QList<std::optional<double>>(30, 5.0))}));
        row("gaps", trendFigure(three, {line("a", {{}, 5.0, {}}), line("b", {{}, {}, {}}),
                                        line("c", {std::nan(""), 1.0, 2.0})}));
        row("no values", trendFigure(three, {line("a", {{}, {}, {}})}));
    }

    void nothingOverlapsOrLeavesTheFigure()
    {
        QFETCH(Figure, figure);
        for (const Layout layout : {Layout::Desktop, Layout::Mobile})
            QCOMPARE(checks::misplaced(layoutFigure(figure, layout)), QString());
    }

    void barsAreProportionalAndOnTheirSide()
    {
        const Figure figure = deltasFigure({delta("a", -80, 5.0), delta("b", 20, 5.0), delta("c", -40, {})});
        for (const Layout layout : {Layout::Desktop, Layout::Mobile}) {
            const QList<FigureHit> hits = layoutFigure(figure, layout).hits;
            QCOMPARE(hits.size(), 3);
            const double unit = hits[0].bar.width() / 80;
            QVERIFY(std::abs(hits[1].bar.width() - 20 * unit) < 0.01);
            QVERIFY(std::abs(hits[2].bar.width() - 40 * unit) < 0.01);
            QVERIFY(std::abs(hits[0].bar.right() - hits[1].bar.left()) < 0.01); // both at the zero
            QVERIFY(std::abs(hits[2].bar.right() - hits[1].bar.left()) < 0.01);
            QCOMPARE(hits[1].toolTip, QString("b in full"));
        }
    }

    // Twice the bound wide, around zero, behind the bar; none where the bound is unknown.
    void theBandIsDrawn()
    {
        const auto areas = [](std::optional<double> band) {
            return composeFigure(deltasFigure({delta("a", -80, band), delta("b", 20, {})}), Layout::Desktop).areas;
        };
        QCOMPARE(areas({}).size(), 2);
        const QList<SceneArea> drawn = areas(5.0);
        QCOMPARE(drawn.size(), 3);
        QCOMPARE(drawn[0].color.kind, SceneColor::Rule);
        const QRectF band = drawn[0].outline.boundingRect(), bar = drawn[1].outline.boundingRect();
        QVERIFY(std::abs(band.width() - bar.width() / 80 * 10) < 0.01);
        QVERIFY(std::abs(band.center().x() - bar.right()) < 0.01);
    }

    void statesStandInPlaceOfBars()
    {
        for (const Layout layout : {Layout::Desktop, Layout::Mobile}) {
            const FigureGeometry geometry = layoutFigure(deltasFigure({delta("a", {}), delta("b", 3)}), layout);
            QVERIFY(geometry.hits[0].bar.isEmpty());
            QVERIFY(contains(geometry, "failed"));
            QVERIFY(contains(geometry, "faster, beyond drift"));
        }
    }

    void trendsBreakWhereSeriesEnd()
    {
        const QStringList four{"a", "b", "c", "d"};
        QCOMPARE(stretches(trendFigure(four, {line("x", {1.0, 2.0, 3.0, 4.0})})), QList<qsizetype>{4});
        Figure figure = trendFigure(four, {line("x", {1.0, 2.0, 3.0, 4.0})});
        figure.trends[0].breaks = {2};
        QCOMPARE(stretches(figure), QList<qsizetype>({2, 2}));
        figure.trends[0].breaks.clear();
        figure.trends[0].lines[0].points[1].startsAnother = true;
        QCOMPARE(stretches(figure), QList<qsizetype>{3});
        QCOMPARE(stretches(trendFigure(four, {line("x", {1.0, 2.0, {}, 4.0})})), QList<qsizetype>{2});
    }

    void trendPointsAreAtTheirHeights()
    {
        const FigureGeometry geometry =
            layoutFigure(trendFigure({"a", "b", "c"}, {line("x", {100.0, 50.0, 0.0})}), Layout::Desktop);
        QCOMPARE(geometry.hits.size(), 3);
        const auto y = [&](int i) { return geometry.hits[i].bar.center().y(); };
        QVERIFY(std::abs((y(2) - y(1)) - (y(1) - y(0))) < 0.01);
        QVERIFY(y(0) < y(1));
        QCOMPARE(geometry.hits[1].toolTip, QString("50"));
        QVERIFY(contains(geometry, "100 µs"));
    }

    void placesThatHaveNoRoomAreNumbered()
    {
        QStringList places;
        for (int i = 0; i < 12; ++i)
            places.append(QStringLiteral("namespace-%1").arg(i));
        const Figure figure = trendFigure(places, {line("x", QList<std::optional<double>>(12, 5.0))});
        const FigureGeometry geometry = layoutFigure(figure, Layout::Mobile);
        QVERIFY(checks::drawnTexts(geometry).contains("1"));
        QVERIFY(contains(geometry, "1 namespace-0 · 2 namespace-1"));
        QVERIFY(checks::drawnTexts(layoutFigure(trendFigure({"a", "b"}, {line("x", {1.0, 2.0})}), Layout::Mobile))
                    .contains("a"));
    }
};

QTEST_MAIN(TestFigureChanges)
#include "tst_figurechanges.moc"
