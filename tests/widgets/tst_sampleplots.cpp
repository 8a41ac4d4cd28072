// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurelayout.h"
#include "figureview.h"
#include "geometrychecks.h"
#include "samplefigures.h"

#include <QApplication>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

#include <limits>

// Samples on the screen: moving through them, reading them, and the same drawing for files.
using namespace stagecraft::widgets;

namespace {

FigureSeries rounds(const QString &label, const QList<QList<double>> &parts)
{
    FigureSeries series;
    series.label = label;
    series.color = {ColorRole::Own, 0};
    series.values = SampleSequence(parts);
    return series;
}

// 2,000 samples of 20 to 20.9 µs in two rounds, and a stall.
Figure steps()
{
    QList<QList<double>> parts(2);
    for (int i = 0; i < 2'000; ++i)
        parts[i / 1'000].append(i == 1'500 ? 60.125 : 20 + 0.1 * (i % 10));
    return samples::sampleFigure({rounds(QStringLiteral("CUDA"), parts)});
}

void turnWheel(FigureView &view, const QPoint &at, int delta, Qt::KeyboardModifiers modifiers = {})
{
    QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(view.viewport(), &event);
}

// Sent rather than made by moving the cursor, which may be above a tool tip's window.
void movePointer(FigureView &view, const QPoint &at)
{
    QMouseEvent event(QEvent::MouseMove, at, view.viewport()->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(view.viewport(), &event);
}

// Shown in a size that needs no scrolling.
std::unique_ptr<FigureView> shownView(const Figure &figure)
{
    auto view = std::make_unique<FigureView>();
    view->setFigure(figure);
    view->resize(740, 500);
    view->show();
    return view;
}

} // namespace

class SamplePlotsTest : public QObject
{
    Q_OBJECT

private slots:
    void wheelZoomsAtThePointer()
    {
        const auto view = shownView(steps());
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
        QSignalSpy changed(view.get(), &FigureView::plotRangeChanged);
        const QRect area = view->viewRect(view->plots()[0]);
        const QPoint at(area.left() + area.width() / 4, area.center().y());
        const double before = view->plots()[0].indexAt(at.x() / view->scale());
        turnWheel(*view, at, 240);
        QVERIFY(view->plotRange(0));
        const PlotRange range = *view->plotRange(0);
        QCOMPARE(range.last - range.first, 1'279); // 0.8² of 1,999
        QVERIFY(std::abs(view->plots()[0].indexAt(at.x() / view->scale()) - before) < 2);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed[0][1].toString(), rangeWords(view->figure().plots[0]));
        turnWheel(*view, at, -120 * 20);
        QVERIFY(!view->plotRange(0));
        QCOMPARE(changed.last()[1].toString(), QString());
    }

    void dragMovesThroughTheSamples()
    {
        const auto view = shownView(steps());
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
        const QPoint centre = view->viewRect(view->plots()[0]).center();
        QTest::mousePress(view->viewport(), Qt::LeftButton, {}, centre);
        movePointer(*view, centre - QPoint(50, 0));
        QTest::mouseRelease(view->viewport(), Qt::LeftButton, {}, centre - QPoint(50, 0));
        QVERIFY(!view->plotRange(0)); // there is nowhere to go
        view->setPlotRange(0, PlotRange{500, 900});
        const double perPixel = 400 / (view->plots()[0].area.width() * view->scale());
        QTest::mousePress(view->viewport(), Qt::LeftButton, {}, centre);
        movePointer(*view, centre - QPoint(50, 0));
        QTest::mouseRelease(view->viewport(), Qt::LeftButton, {}, centre - QPoint(50, 0));
        QCOMPARE(view->plotRange(0)->first, std::llround(500 + 50 * perPixel));
        QCOMPARE(view->plotRange(0)->last - view->plotRange(0)->first, 400);
        const PlotRange released = *view->plotRange(0);
        movePointer(*view, centre);
        QCOMPARE(*view->plotRange(0), released); // the button is up
        QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, centre);
        QVERIFY(!view->plotRange(0));
    }

    void keysZoomAndPan()
    {
        const auto view = shownView(steps());
        QTest::keyClick(view.get(), Qt::Key_Plus);
        QCOMPARE(view->currentPlot(), 0);
        const PlotRange zoomed = *view->plotRange(0);
        QCOMPARE(zoomed.last - zoomed.first, 1'599);
        QTest::keyClick(view.get(), Qt::Key_Right);
        QCOMPARE(view->plotRange(0)->first, zoomed.first + 160);
        QTest::keyClick(view.get(), Qt::Key_Left);
        QCOMPARE(*view->plotRange(0), zoomed);
        QTest::keyClick(view.get(), Qt::Key_End);
        QCOMPARE(view->plotRange(0)->last, 1'999);
        QTest::keyClick(view.get(), Qt::Key_Home);
        QCOMPARE(view->plotRange(0)->first, 0);
        QTest::keyClick(view.get(), Qt::Key_F);
        QVERIFY(view->plotRange(0)->fitsValues);
        QVERIFY(view->plots()[0].low > 19 && view->plots()[0].high <= 80);
        QTest::keyClick(view.get(), Qt::Key_Minus);
        QTest::keyClick(view.get(), Qt::Key_0);
        QVERIFY(!view->plotRange(0));
        QCOMPARE(view->plots()[0].low, 0.0);
    }

    void wheelScrollsWhereThereIsNothingToZoomOutOf()
    {
        Figure figure = steps();
        figure.plots = {figure.plots[0], figure.plots[0], figure.plots[0]};
        FigureView view;
        view.setFigure(figure);
        view.resize(740, 400);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        turnWheel(view, view.viewRect(view.plots()[0]).center(), -120);
        QVERIFY(view.verticalScrollBar()->value() > 0);
        QVERIFY(!view.plotRange(0));
    }

    void hoverReadsTheExactValue()
    {
        const auto view = shownView(steps());
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
        view->setPlotRange(0, PlotRange{1'495, 1'505});
        const ScenePlot &place = view->plots()[0];
        const QPoint stall = (place.place(1'500, 60.125) * view->scale()).toPoint();
        movePointer(*view, stall);
        QVERIFY(view->hoveredSample().has_value());
        QCOMPARE(*view->hoveredSample(), (SamplePick{0, 1'500}));
        QCOMPARE(sampleReadOut(view->figure().plots[0], *view->hoveredSample()),
                 QStringLiteral("CUDA: 60.125 µs\nsample 1,501 of 2,000; round 2, sample 501 of 1,000\n"
                                "outlier: outside 19.250 to 21.750 µs"));
        QVERIFY2(QToolTip::text().contains(QStringLiteral("60.125 µs")), qPrintable(QToolTip::text()));
        const QPoint usual = (place.place(1'503, 20.3) * view->scale()).toPoint();
        movePointer(*view, usual);
        QCOMPARE(view->hoveredSample()->index, 1'503);
        QCOMPARE(sampleReadOut(view->figure().plots[0], *view->hoveredSample()).section(u'\n', 0, 0),
                 QStringLiteral("CUDA: 20.3 µs"));
    }

    void aStallAmongManyIsFoundByTheColumn()
    {
        const Figure figure = steps();
        const FigureScene scene = composeFigure(figure, Layout::Desktop);
        const ScenePlot &place = scene.plots[0];
        const auto pick = nearestSample(figure.plots[0], place, place.place(1'500, 60.125));
        QCOMPARE(*pick, (SamplePick{0, 1'500}));
    }

    void rangesOutliveANewFigureOfTheSameName()
    {
        const auto view = shownView(steps());
        view->setPlotRange(0, PlotRange{100, 200});
        view->setFigure(steps());
        QCOMPARE(*view->plotRange(0), (PlotRange{100, 200}));
        Figure other = steps();
        other.plots[0].title = QStringLiteral("Layer normalization");
        view->setFigure(other);
        QVERIFY(!view->plotRange(0));
    }

    void aRangeIsDrawnForFilesToo()
    {
        Figure figure = steps();
        figure.plots[0].range = PlotRange{99, 199};
        const QStringList texts = checks::drawnTexts(layoutFigure(figure, Layout::Desktop));
        QVERIFY2(texts.contains(QStringLiteral("1024 × 1024 × 1024 · samples 100 to 200 of 2,000, round 1")),
                 qPrintable(texts.join(u'\n')));
        QVERIFY(texts.contains(QStringLiteral("distribution of all")));
        const FigureScene scene = composeFigure(figure, Layout::Desktop);
        QCOMPARE(scene.curves.size(), 1);
        QCOMPARE(scene.curves[0].points.size(), 101); // each of them
        QCOMPARE(scene.curves[0].points.first().x(), scene.plots[0].area.left());
        QCOMPARE(scene.curves[0].points.last().x(), scene.plots[0].area.right());
    }

    void costDependsOnThePixels()
    {
        QList<double> many;
        for (int i = 0; i < 300'000; ++i)
            many.append(20 + 0.1 * (i % 10) + (i == 123'456 ? 9 : 0));
        const Figure figure = samples::sampleFigure({rounds(QStringLiteral("CUDA"), {many})});
        const FigureScene scene = composeFigure(figure, Layout::Desktop);
        const ScenePlot &place = scene.plots[0];
        QVERIFY(static_cast<double>(scene.curves[0].points.size()) <= 2 * (place.area.width() + 1));
        const auto least = std::ranges::min(scene.curves[0].points, {}, &QPointF::y);
        QVERIFY(std::abs(least.y() - place.place(0, 29.6).y()) < 1e-9); // the one extreme is not lost
        QVERIFY(std::abs(place.indexAt(least.x()) - 123'456) < 1'000);
    }

    void outliersAreCountedAndMarked()
    {
        const Figure figure = steps();
        const QStringList texts = checks::drawnTexts(layoutFigure(figure, Layout::Desktop));
        QVERIFY2(texts.contains(QStringLiteral("1 of 2,000 samples are outliers")), qPrintable(texts.join(u'\n')));
        const FigureScene scene = composeFigure(figure, Layout::Desktop);
        const QPointF stall = scene.plots[0].place(1'500, 60.125);
        QVERIFY(std::ranges::any_of(scene.areas, [&](const SceneArea &area) {
            const QPointF centre = area.outline.boundingRect().center();
            return area.outline.size() == 4 && std::abs(centre.x() - stall.x()) < 2 &&
                   std::abs(centre.y() - stall.y()) < 0.1;
        }));
    }

    void whatHasNoValueIsACrossAndAGap()
    {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        const Figure figure =
            samples::sampleFigure({rounds(QStringLiteral("CUDA"), {{5, 6, nan, 5, 6}, {5, nan, nan, 6, 6}})});
        const FigureScene scene = composeFigure(figure, Layout::Desktop);
        QCOMPARE(scene.curves.size(), 3); // broken twice
        QCOMPARE(std::ranges::count_if(scene.marks,
                                       [](const SceneLine &line) { return line.color.kind == SceneColor::Attention; }),
                 3 * 2);
        QVERIFY(checks::drawnTexts(layoutFigure(figure, Layout::Desktop))
                    .contains(QStringLiteral("3 samples without a value, each a cross on the axis")));
    }

    void aFailedSeriesSaysSo()
    {
        FigureSeries failed;
        failed.label = QStringLiteral("Triton");
        failed.stateText = QStringLiteral("failed");
        Figure figure = steps();
        figure.plots[0].series.append(failed);
        const QStringList texts = checks::drawnTexts(layoutFigure(figure, Layout::Desktop));
        QVERIFY2(texts.contains(QStringLiteral("Triton: failed")), qPrintable(texts.join(u'\n')));
        QCOMPARE(composeFigure(figure, Layout::Desktop).curves.size(), 1);
    }

    void distributionHoldsEverySample()
    {
        // Bars of a distribution are as long as their steps hold samples: the longest fills its lane.
        const Figure figure = samples::sampleFigure({rounds(QStringLiteral("CUDA"), {{10, 10, 10, 10, 20, 20}})});
        const FigureScene scene = composeFigure(figure, Layout::Desktop);
        QList<double> lengths;
        for (const SceneArea &area : scene.areas)
            if (area.outline.boundingRect().left() > scene.plots[0].area.right() &&
                area.outline.boundingRect().height() > 3)
                lengths.append(area.outline.boundingRect().width());
        QCOMPARE(lengths.size(), 2);
        QCOMPARE(lengths[0], 2 * lengths[1]);
    }
};

QTEST_MAIN(SamplePlotsTest)
#include "tst_sampleplots.moc"
