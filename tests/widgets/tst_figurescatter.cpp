// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureexport.h"
#include "figurelayout.h"
#include "figurescene.h"
#include "geometrychecks.h"
#include "scatterparts.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace stagecraft::widgets;

namespace {

FigureScatterItem item(const QString &label, double y, std::optional<double> first, std::optional<double> second = {})
{
    FigureScatterItem item;
    item.label = label;
    item.color = {ColorRole::Own, 0};
    item.y = y;
    item.x = {first, second};
    item.toolTips = {label + QStringLiteral(" first"), label + QStringLiteral(" second")};
    item.valueText = QString::number(y, 'f', 2);
    return item;
}

FigureScatter scatter(const QList<FigureScatterItem> &items)
{
    FigureScatter scatter;
    scatter.title = QStringLiteral("Matrix multiplication");
    scatter.subtitle = QStringLiteral("1024 × 1024 × 1024");
    scatter.xTitle = QStringLiteral("operations per byte");
    scatter.yTitle = QStringLiteral("TFLOP/s");
    scatter.kinds = {QStringLiteral("bytes of L2"), QStringLiteral("bytes of DRAM")};
    scatter.ceilings = {{QStringLiteral("FP32 65.0 TFLOP/s"), 65.0, {}, -1},
                        {QStringLiteral("a third of TF32 158.6 TFLOP/s"), 158.6, {}, -1},
                        {QStringLiteral("L2 6230 GB/s"), {}, 6.23, 0},
                        {QStringLiteral("DRAM 4481 GB/s"), {}, 4.481, 1}};
    scatter.items = items;
    scatter.notes = {QStringLiteral("A note.")};
    return scatter;
}

Figure figureOf(const QList<FigureScatter> &scatters)
{
    Figure figure;
    figure.title = QStringLiteral("Roofline");
    figure.columns = 2;
    figure.desktopWidth = 1220;
    figure.scatters = scatters;
    return figure;
}

QList<FigureScatterItem> manyItems(int count)
{
    QList<FigureScatterItem> items;
    for (int i = 0; i < count; ++i)
        items.append(item(QStringLiteral("a-stage-with-a-long-name-%1 · 3xtf32").arg(i), 60 + 0.3 * i, 20, 700));
    return items;
}

// In the order of the items, not of their heights.
QList<FigureHit> hitsOf(const FigureScene &scene)
{
    QList<FigureHit> hits = scene.hits;
    std::ranges::stable_sort(hits, {}, &FigureHit::barIndex);
    return hits;
}

} // namespace

// Markers over two logarithmic scales, below their ceilings.
class TestFigureScatter : public QObject
{
    Q_OBJECT

private slots:
    void nothingOverlapsOrLeavesTheFigure_data()
    {
        QTest::addColumn<Figure>("figure");
        const auto row = [](const char *name, const Figure &figure) { QTest::newRow(name) << figure; };
        const FigureScatter plain = scatter({item("tiled", 6.2, 4, 130), item("k64", 29, 15, {})});
        row("two", figureOf({plain, plain, plain}));
        row("close heights", figureOf({scatter(manyItems(25))}));
        row("one", figureOf({scatter({item("a", 1e-9, 1e-7)})}));
        FigureScatterItem failed;
        failed.label = QStringLiteral("failed");
        failed.stateText = QStringLiteral("unavailable");
        row("states", figureOf({scatter({item("a", 5, 3), failed})}));
        row("nothing", figureOf({scatter({failed}), scatter({})}));
        row("no numbers", figureOf({scatter({item("a", std::nan(""), 3), item("b", 4, INFINITY), item("c", -1, 2)})}));
        FigureScatter bare = plain;
        bare.ceilings.clear();
        row("no ceilings", figureOf({bare}));
        FigureScatter wide = scatter({item("a", 1e-6, 1e-9, 1e12), item("b", 1e6, 1)});
        row("many decades", figureOf({wide}));
    }

    void nothingOverlapsOrLeavesTheFigure()
    {
        QFETCH(Figure, figure);
        for (const Layout layout : {Layout::Desktop, Layout::Mobile})
            QCOMPARE(checks::misplaced(layoutFigure(figure, layout)), QString());
    }

    // Ten times as much is as far everywhere, along both scales.
    void placesAreLogarithmic()
    {
        const Figure figure =
            figureOf({scatter({item("a", 1, 1), item("b", 10, 10), item("c", 50, 100), item("d", 1, {}, 10)})});
        for (const Layout layout : {Layout::Desktop, Layout::Mobile}) {
            const QList<FigureHit> hits = hitsOf(composeFigure(figure, layout));
            QCOMPARE(hits.size(), 4);
            const auto centre = [&](int i) { return hits[i].bar.center(); };
            const double decade = centre(1).x() - centre(0).x();
            QVERIFY(decade > 20);
            QVERIFY(std::abs(centre(2).x() - centre(1).x() - decade) < 0.1);
            QVERIFY(std::abs(centre(3).x() - centre(1).x()) < 0.1);
            const double height = centre(0).y() - centre(1).y();
            QVERIFY(std::abs((centre(1).y() - centre(2).y()) / height - std::log10(5)) < 0.01);
            QCOMPARE(hits[0].toolTip, QStringLiteral("a first"));
            QCOMPARE(hits[3].toolTip, QStringLiteral("d second"));
            QCOMPARE(hits[3].panelIndex, 1);
        }
    }

    // A slope of y = s · x passes through the markers that lie on it, and ends at the highest level.
    void slopesPassWhereTheyShould()
    {
        FigureScatter one = scatter({item("a", 6.23, 1), item("b", 62.3, 10)});
        const FigureScene scene = composeFigure(figureOf({one}), Layout::Desktop);
        const QPointF a = hitsOf(scene)[0].bar.center(), b = hitsOf(scene)[1].bar.center();
        const auto slope = std::ranges::find_if(scene.grid, [](const SceneLine &line) {
            return line.color.kind == SceneColor::Ink && line.line.dx() != 0 && line.line.dy() != 0;
        });
        QVERIFY(slope != scene.grid.end());
        for (const QPointF &point : {a, b}) {
            const double at = slope->line.y1() + slope->line.dy() / slope->line.dx() * (point.x() - slope->line.x1());
            QVERIFY2(std::abs(at - point.y()) < 0.5, qPrintable(QString::number(at - point.y())));
        }
        const double perDecade = a.y() - b.y();
        QVERIFY(std::abs(b.y() - slope->line.y2() - perDecade * std::log10(158.6 / 62.3)) < 0.5);
    }

    void kindsDifferInShape()
    {
        const FigureScene scene = composeFigure(figureOf({scatter({item("a", 6, 2, 20)})}), Layout::Desktop);
        QList<qsizetype> corners;
        for (const SceneArea &area : scene.areas)
            if (area.color.kind == SceneColor::Role)
                corners.append(area.outline.size());
        QCOMPARE(corners.size(), 2);
        QVERIFY(corners[0] != corners[1]);
    }

    void narrowOnesNumberTheirItems()
    {
        const Figure figure = figureOf({scatter({item("tiled", 6.2, 4), item("k64", 29, 15)})});
        const QStringList mobile = checks::drawnTexts(layoutFigure(figure, Layout::Mobile));
        QVERIFY(mobile.contains("1") && mobile.contains("1 tiled 6.20") && mobile.contains("2 k64 29.00"));
        const QStringList desktop = checks::drawnTexts(layoutFigure(figure, Layout::Desktop));
        QVERIFY(desktop.contains("tiled") && desktop.contains("6.20"));
    }

    void markersAreDrawnInEveryTheme()
    {
        const Figure figure = figureOf({scatter({item("a", 6, 2, 20)})});
        for (const Theme theme : {Theme::Dark, Theme::Light, Theme::Page})
            for (const double scale : {1.0, 2.0}) {
                const QImage image = figureImage(figure, Layout::Desktop, theme, scale);
                for (const FigureHit &hit : layoutFigure(figure, Layout::Desktop).hits) {
                    const QPointF centre = hit.bar.center() * scale;
                    QCOMPARE(image.pixelColor(centre.toPoint()).rgb(), roleColor({ColorRole::Own, 0}, theme).rgb());
                }
            }
    }

    void textsKeepTheirOrder()
    {
        const QList<double> tops = spreadTexts({10, 11, 12, 100}, 0, 120, 16);
        QCOMPARE(tops, (QList<double>{10, 26, 42, 100}));
        QCOMPARE(spreadTexts({90, 100, 100}, 0, 110, 16), (QList<double>{62, 78, 94}));
    }
};

QTEST_MAIN(TestFigureScatter)
#include "tst_figurescatter.moc"
