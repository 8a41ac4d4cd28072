// SPDX-License-Identifier: GPL-3.0-or-later
#include "pixelchecks.h"
#include "samplefigures.h"

#include <QTest>

using namespace stagecraft::widgets;

namespace {

const QString longest = QStringLiteral("an-external-program-with-a-name-of-sixty-four-characters-at-most");

FigurePanel panelOf(const QList<FigureBar> &bars)
{
    return {
        .title = longest, .subtitle = QStringLiteral("1024 × 1024 × 1024"), .unit = QStringLiteral("µs"), .bars = bars};
}

FigureBar whiskered(FigureBar bar)
{
    bar.low = *bar.value * 0.9;
    bar.high = *bar.value * 1.2;
    return bar;
}

FigureBar flagged(FigureBar bar)
{
    bar.flags = {QStringLiteral("fewer than five samples"), QStringLiteral("launches vary")};
    return bar;
}

QList<FigureBar> missing()
{
    return {samples::bar("sound", 80.0), samples::bar("failed", {}, "failed"),
            samples::bar("not a number", std::nan(""), "invalid"),
            samples::bar("missing", {}, "unavailable: the capture library was refused by another profiler"),
            samples::bar("not run", {}, "not run")};
}

} // namespace

// What the pictures show, pixel by pixel, in both layouts, at scale 1 and 2, on every ground.
class FigurePixelsTest : public QObject
{
    Q_OBJECT

private slots:
    void picturesShowWhatTheyAreGiven_data()
    {
        QTest::addColumn<Figure>("figure");
        const auto row = [](const char *name, const Figure &figure) { QTest::newRow(name) << figure; };
        row("note", samples::noteFigure());
        const FigurePanel close = panelOf({samples::bar("a", 80.0), samples::bar("b", 79.6), samples::bar("c", 0.4)});
        row("close values", samples::oneRow({close, close}, 2));
        const FigurePanel whiskers = panelOf({whiskered(samples::bar("a", 56.3)), whiskered(samples::bar("b", 12.1))});
        row("whiskers", samples::oneRow({whiskers, whiskers}, 2));
        const FigurePanel labels = panelOf({samples::bar(longest, 344.0), samples::bar(longest + 'b', 141.7)});
        row("longest labels", samples::oneRow({labels, labels, labels}, 3));
        const FigurePanel flags = panelOf({flagged(samples::bar(longest, 7.5)), flagged(samples::bar("b", 3.1))});
        row("flags", samples::oneRow({flags}));
        row("missing values", samples::oneRow({panelOf(missing())}));
        row("missing values beside each other", samples::oneRow({panelOf(missing()), panelOf(missing())}, 2));
        Figure wide = samples::oneRow({labels, whiskers, close, panelOf(missing()), flags}, 5);
        wide.desktopWidth = 1560;
        row("five columns", wide);
    }

    void picturesShowWhatTheyAreGiven()
    {
        QFETCH(Figure, figure);
        for (const Layout layout : {Layout::Desktop, Layout::Mobile})
            for (const Theme theme : {Theme::Dark, Theme::Light, Theme::Page})
                for (const double scale : {1.0, 2.0}) {
                    const QString fault = pixels::fault({figure, layout, theme, scale});
                    QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("scale %1: ").arg(scale) + fault));
                }
    }

    // The checks themselves find what they are for.
    void faultsAreFound()
    {
        const Figure figure = samples::oneRow({panelOf({samples::bar("a", 80.0), samples::bar("b", 40.0)})});
        Figure other = figure;
        other.rows[0].panels[0].bars[1].value = 41.0;
        pixels::Picture picture(figure, Layout::Desktop, Theme::Dark, 2);
        QCOMPARE(pixels::fault(picture), QString());
        picture.image = pixels::Picture(other, Layout::Desktop, Theme::Dark, 2).image;
        QVERIFY(!pixels::lengthFault(picture).isEmpty());

        picture.image.fill(themeColors(Theme::Dark).ground);
        QVERIFY(!pixels::cutText(picture).isEmpty());
        picture.image.setPixelColor(0, 0, themeColors(Theme::Dark).ink);
        QVERIFY(!pixels::strayInk(picture).isEmpty());

        other = samples::oneRow({panelOf({samples::bar("a", {}, "failed"), samples::bar("b", 40.0)})});
        pixels::Picture states(other, Layout::Desktop, Theme::Dark, 1);
        QCOMPARE(pixels::missingMark(states), QString());
        states.image = pixels::Picture(figure, Layout::Desktop, Theme::Dark, 1).image;
        QVERIFY(!pixels::missingMark(states).isEmpty());
    }
};

QTEST_MAIN(FigurePixelsTest)
#include "tst_figurepixels.moc"
