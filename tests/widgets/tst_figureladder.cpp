// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureexport.h"
#include "geometrychecks.h"
#include "samplefigures.h"
#include "theme.h"

#include <QTest>

using namespace stagecraft::widgets;
using checks::areaOf;
using checks::drawnTexts;

Q_DECLARE_METATYPE(stagecraft::widgets::Figure)

namespace {

constexpr int kDesktop = 1220, kMiddle = 700, kMobile = 365;

FigureGeometry laidOut(Figure figure, int width)
{
    figure.desktopWidth = width;
    return layoutFigure(figure, Layout::Desktop);
}

// Drawn pixels of the colour, in the row of pixels through the middle of the bar, at scale 1.
int pixels(const Figure &figure, Theme theme, const QRectF &bar)
{
    const QImage image = figureImage(figure, Layout::Desktop, theme, 1);
    const QRgb wanted = roleColor({ColorRole::Own, 0}, theme).rgb();
    int count = 0;
    for (int x = 0; x < image.width(); ++x)
        count += image.pixel(x, static_cast<int>(bar.center().y())) == wanted;
    return count;
}

} // namespace

// Ladders: bars with the factor between them, what changed, lists and repeated values.
class FigureLadderTest : public QObject
{
    Q_OBJECT

private slots:
    void textsKeepTheirPlace_data()
    {
        QTest::addColumn<Figure>("figure");
        const QString longText = QStringLiteral("a-name-without-a-space-that-nobody-would-want-to-read-in-a-figure ") +
                                 QStringLiteral("with more words than any column has room for, again and again");
        FigureLadder full = samples::ladder(3);
        full.lists = {
            {QStringLiteral("Attempts"), QStringLiteral("not kept"), {samples::entry("a"), samples::entry("b")}}};
        full.dots = {samples::dots()};
        FigureLadder wordy = full;
        wordy.title = wordy.subtitle = longText + longText;
        for (LadderStep &step : wordy.steps) {
            step.title = step.label = step.text = longText;
            step.bar.flags = {longText};
        }
        for (FigureEntry &entry : wordy.lists[0].entries)
            entry.title = entry.metric = entry.valueText = entry.factor = entry.against = entry.verdict = longText;
        for (FigureDotRow &row : wordy.dots[0].rows)
            row.label = row.valueText = row.rangeText = longText;
        wordy.lists[0].title = wordy.lists[0].subtitle = wordy.dots[0].title = wordy.dots[0].subtitle = longText;
        FigureLadder equal = full;
        for (FigureDotRow &row : equal.dots[0].rows)
            row.values = {5, 5, 5};
        FigureLadder ratios = full;
        ratios.dots = {samples::ratios()};
        ratios.dots[0].rows[1].rangeText = longText;
        ratios.dots[0].rows[2].stateText = longText;
        FigureLadder floored = samples::ladder(10, 3);
        floored.floors = {{64, QStringLiteral("fp32 floor 64 µs"), longText},
                          {410, QStringLiteral("3xtf32 floor 410 µs"), {}},
                          {1, longText, longText}};
        for (int i = 0; i < 10; ++i)
            floored.steps[i].bar.floor = i % 4 - 1;
        QTest::newRow("floors") << samples::ladderFigure({floored});
        FigureLadder wordyFloors = wordy;
        wordyFloors.floors = floored.floors;
        for (LadderStep &step : wordyFloors.steps)
            step.bar.floor = 1;
        QTest::newRow("floors and long texts") << samples::ladderFigure({wordyFloors});
        QTest::newRow("ratios") << samples::ladderFigure({ratios});
        QTest::newRow("one step") << samples::ladderFigure({samples::ladder(1)});
        QTest::newRow("three steps, lists and dots") << samples::ladderFigure({full, full});
        QTest::newRow("ten steps, one failed") << samples::ladderFigure({samples::ladder(10, 3)});
        QTest::newRow("long texts") << samples::ladderFigure({wordy});
        QTest::newRow("equal runs") << samples::ladderFigure({equal});
        QTest::newRow("nothing") << samples::ladderFigure({FigureLadder()});
    }

    void textsKeepTheirPlace()
    {
        QFETCH(Figure, figure);
        for (const int width : {kDesktop, 900, kMiddle, 480, kMobile, 280}) {
            const QString fault = checks::misplaced(laidOut(figure, width));
            QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("%1: %2").arg(width).arg(fault)));
        }
    }

    void barsAreProportionalOnOneScale()
    {
        const Figure figure = samples::ladderFigure({samples::ladder(4)});
        for (const int width : {kDesktop, kMiddle, kMobile}) {
            const FigureGeometry geometry = laidOut(figure, width);
            QCOMPARE(geometry.hits.size(), 4);
            const double unit = geometry.hits[0].bar.width() / 400;
            QVERIFY(geometry.hits[0].bar.width() > width * 0.3);
            for (int i = 1; i < 4; ++i) {
                QVERIFY(std::abs(geometry.hits[i].bar.width() - unit * 400 * std::pow(0.8, i)) < 1e-6);
                QCOMPARE(geometry.hits[i].bar.left(), geometry.hits[0].bar.left());
            }
        }
    }

    void barsAreAsLongInPixels()
    {
        const Figure figure = samples::ladderFigure({samples::ladder(3)});
        const FigureGeometry geometry = laidOut(figure, kDesktop);
        for (const Theme theme : {Theme::Dark, Theme::Light})
            for (const FigureHit &hit : geometry.hits)
                QVERIFY(std::abs(pixels(figure, theme, hit.bar) - hit.bar.width()) <= 1);
    }

    void factorsStandBetweenTheirBars()
    {
        const Figure figure = samples::ladderFigure({samples::ladder(3)});
        for (const int width : {kDesktop, kMiddle, kMobile}) {
            const FigureGeometry geometry = laidOut(figure, width);
            for (int i = 0; i < 2; ++i) {
                const QRectF factor = areaOf(geometry, QStringLiteral("1.25×"), i);
                QVERIFY(!factor.isNull());
                QVERIFY(factor.top() >= geometry.hits[i].bar.bottom());
                QVERIFY(factor.bottom() <= geometry.hits[i + 1].bar.top());
            }
        }
        const QRectF beside = areaOf(laidOut(figure, kDesktop), QStringLiteral("1.25×"));
        QVERIFY(beside.left() > laidOut(figure, kDesktop).hits[0].bar.right()); // at the end of the longer bar
    }

    // A factor can be wider than the values that it stands between, and then has the less room behind them.
    void shortValuesLeaveRoomForTheirFactor()
    {
        FigureLadder ladder = samples::ladder(2);
        for (LadderStep &step : ladder.steps) {
            step.bar.valueText = QStringLiteral("4");
            step.thinText.clear();
            step.thin.reset();
        }
        ladder.steps[1].factor = QStringLiteral("1234.25×");
        for (const int width : {kDesktop, kMiddle, kMobile})
            QVERIFY(drawnTexts(laidOut(samples::ladderFigure({ladder}), width)).contains(ladder.steps[1].factor));
    }

    void aStateTakesThePlaceOfItsBar()
    {
        const Figure figure = samples::ladderFigure({samples::ladder(5, 2)});
        for (const int width : {kDesktop, kMobile}) {
            const FigureGeometry geometry = laidOut(figure, width);
            QVERIFY(geometry.hits[2].bar.isEmpty());
            const QString drawn = drawnTexts(geometry).join(u' ');
            QVERIFY(drawn.contains(QStringLiteral("failed")));
            QVERIFY2(drawn.contains(QStringLiteral("an illegal address: run compute-sanitizer on it")),
                     qPrintable(drawn));
            QCOMPARE(drawnTexts(geometry).count(QStringLiteral("1.25×")), 2); // not against what failed
            QCOMPARE(geometry.hits[2].toolTip, QStringLiteral("step number 2: failed"));
        }
    }

    void everyTextIsThere()
    {
        FigureLadder ladder = samples::ladder(2);
        ladder.steps[1].bar.flags = {QStringLiteral("documented only")};
        ladder.lists = {{QStringLiteral("Attempts"), {}, {samples::entry(QStringLiteral("an attempt"))}}};
        ladder.dots = {samples::dots()};
        for (const int width : {kDesktop, kMiddle, kMobile}) {
            const FigureGeometry geometry = laidOut(samples::ladderFigure({ladder}), width);
            const QString drawn = drawnTexts(geometry).join(u'|');
            for (const char *text : {"step number 0", "label 1", "400.0", "320.0", "span 352.0", "documented only",
                                     "Attempts", "an attempt", "span", "210.51 µs", "1.45× as long", "145.61 µs",
                                     "slower", "Repeated runs", "one warp", "13.64", "12.53–12.94", "12.5", "14.0"})
                QVERIFY2(drawn.contains(QString::fromUtf8(text)), text);
        }
    }

    void narrowLaddersPutTheTextBelow()
    {
        const Figure figure = samples::ladderFigure({samples::ladder(1)});
        const auto text = [](const FigureGeometry &geometry) {
            for (const FigureText &candidate : geometry.texts)
                if (candidate.text.startsWith(QStringLiteral("What changed")))
                    return candidate.area;
            return QRectF();
        };
        const FigureGeometry desktop = laidOut(figure, kDesktop), mobile = laidOut(figure, kMobile);
        QVERIFY(text(desktop).left() > desktop.hits[0].bar.right());
        QVERIFY(text(mobile).top() >= mobile.hits[0].bar.bottom());
        QVERIFY(areaOf(mobile, QStringLiteral("step number 0")).bottom() <= mobile.hits[0].bar.top());
        QVERIFY(!drawnTexts(mobile).contains(figure.ladders[0].steps[0].text)); // it needs more than one line
        QVERIFY(drawnTexts(mobile).join(u' ').contains(figure.ladders[0].steps[0].text));
    }

    // Above the bars in three columns, else as a key; the line crosses the bars that name the floor, and no other.
    void floorsStandOnTheScale_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {kDesktop, kMiddle, kMobile})
            QTest::addRow("%d", width) << width;
    }
    void floorsStandOnTheScale()
    {
        QFETCH(int, width);
        FigureLadder ladder = samples::ladder(3);
        ladder.floors = {{100, QStringLiteral("floor 100.0 µs"), QStringLiteral("copy")}};
        for (const int i : {0, 2})
            ladder.steps[i].bar.floor = 0;
        Figure figure = samples::ladderFigure({ladder});
        figure.desktopWidth = width;
        const FigureGeometry geometry = layoutFigure(figure, Layout::Desktop);
        const QRectF text = areaOf(geometry, QStringLiteral("floor 100.0 µs: copy"));
        QVERIFY(!text.isNull() && text.bottom() <= geometry.hits[0].area.top());
        for (const Theme theme : {Theme::Dark, Theme::Light}) {
            const QImage image = figureImage(figure, Layout::Desktop, theme, 1);
            const QRgb own = roleColor({ColorRole::Own, 0}, theme).rgb();
            for (int i = 0; i < 3; ++i) {
                const QRectF bar = geometry.hits[i].bar;
                const int x = static_cast<int>(bar.left() + 100 * geometry.hits[0].bar.width() / 400);
                bool crossed = false;
                for (int near = x - 2; near <= x + 2; ++near)
                    crossed = crossed || image.pixel(near, static_cast<int>(bar.center().y())) != own;
                QCOMPARE(crossed, i != 1);
            }
        }
    }

    void aValueStandsBehindItsFloor()
    {
        FigureLadder ladder = samples::ladder(1);
        ladder.floors = {{500, QStringLiteral("floor 500 µs"), {}}};
        ladder.steps[0].bar.floor = 0;
        for (const int width : {kDesktop, kMiddle, kMobile}) {
            const FigureGeometry geometry = laidOut(samples::ladderFigure({ladder}), width);
            const QRectF bar = geometry.hits[0].bar;
            QVERIFY(areaOf(geometry, QStringLiteral("400.0")).left() > bar.left() + bar.width() * 500 / 400);
        }
    }

    void listsShareTheirColumns()
    {
        FigureLadder ladder = samples::ladder(1);
        ladder.lists = {{QStringLiteral("Steps"), {}, {samples::entry(QStringLiteral("short"))}},
                        {QStringLiteral("Attempts"), {}, {samples::entry(QStringLiteral("a title that is longer"))}}};
        ladder.lists[1].entries[0].valueText = QStringLiteral("13.40–14.00 µs");
        const FigureGeometry geometry = laidOut(samples::ladderFigure({ladder}), kDesktop);
        QCOMPARE(areaOf(geometry, QStringLiteral("span"), 1).left(), areaOf(geometry, QStringLiteral("span")).left());
        QCOMPARE(areaOf(geometry, QStringLiteral("210.51 µs")).right(),
                 areaOf(geometry, QStringLiteral("13.40–14.00 µs")).right());
    }

    void everyRowAnswersToThePointer()
    {
        FigureLadder ladder = samples::ladder(2);
        ladder.lists = {{QStringLiteral("Attempts"), {}, {samples::entry(QStringLiteral("an attempt"))}}};
        ladder.lists[0].entries[0].toolTip = QStringLiteral("exactly 210.512 µs");
        ladder.dots = {samples::dots()};
        const FigureGeometry geometry = laidOut(samples::ladderFigure({ladder}), kDesktop);
        QCOMPARE(geometry.hits.size(), 5);
        QCOMPARE(geometry.hits[2].toolTip, QStringLiteral("exactly 210.512 µs"));
        QCOMPARE(geometry.hits[2].panelIndex, 1);
        QCOMPARE(geometry.hits[4].panelIndex, 2);
        QCOMPARE(geometry.hits[4].barIndex, 1);
    }

    // A half and a double are as far from 1; the limit's line has its text, a state its row, a long tail its own line.
    void ratiosStandOnALogarithmicScale()
    {
        FigureLadder ladder;
        ladder.dots = {samples::ratios()};
        const Figure figure = samples::ladderFigure({ladder});
        for (const int width : {kDesktop, kMiddle, kMobile}) {
            const FigureGeometry geometry = laidOut(figure, width);
            const double half = areaOf(geometry, "0.5").center().x(), one = areaOf(geometry, "1").center().x(),
                         twice = areaOf(geometry, "2").center().x();
            if (width != kMobile) // there the first tick's text is pushed into the figure
                QVERIFY2(std::abs((one - half) - (twice - one)) < 1.5, qPrintable(QString::number(width)));
            QVERIFY(std::abs(areaOf(geometry, "equal").center().x() - one) < 1.5);
            QVERIFY(drawnTexts(geometry).join(u' ').contains("failed: the result is wrong"));
            QVERIFY(drawnTexts(geometry).join(u' ').contains("a reason that is too long to stand behind its value"));
            QVERIFY(!drawnTexts(geometry).join(u' ').contains(u'…'));
        }
    }

    // Below the value and right of the scale: nothing of a row stands over the axis or under another row's label.
    void whatIsTooLongForItsLineStaysBehindTheScale()
    {
        FigureLadder ladder;
        ladder.dots = {samples::ratios()};
        const QString note = QStringLiteral("the ranges of the round medians overlap, few samples, and more than that");
        ladder.dots[0].rows[0].rangeText = note;
        const Figure figure = samples::ladderFigure({ladder});
        for (const int width : {kDesktop, kMiddle, kMobile}) {
            const FigureGeometry geometry = laidOut(figure, width);
            const QRectF value = areaOf(geometry, ladder.dots[0].rows[0].valueText);
            QStringList behind;
            for (const FigureText &text : geometry.texts)
                if (text.area.left() >= value.left() - 0.5 && text.area.top() >= value.top())
                    behind.append(text.text);
            QVERIFY2(behind.join(u' ').contains(note), qPrintable(QString::number(width)));
            QCOMPARE(checks::misplaced(geometry), QString());
        }
    }

    void aNoteStandsInPlaceOfRows()
    {
        FigureLadder ladder;
        ladder.dots = {samples::ratios()};
        ladder.dots[0].rows.clear();
        ladder.dots[0].note = QStringLiteral("unavailable: the CPU launches no GPU kernels");
        const FigureGeometry geometry = laidOut(samples::ladderFigure({ladder}), kDesktop);
        QVERIFY(drawnTexts(geometry).contains(ladder.dots[0].note));
        QVERIFY(!drawnTexts(geometry).contains("equal")); // without values there is no scale
        QCOMPARE(checks::misplaced(geometry), QString());
    }

    void dotsAreAsManyAsRuns()
    {
        FigureLadder ladder;
        ladder.dots = {samples::dots()};
        const Figure figure = samples::ladderFigure({ladder});
        const FigureGeometry geometry = laidOut(figure, kDesktop);
        const QImage image = figureImage(figure, Layout::Desktop, Theme::Dark, 1);
        const QRgb wanted = roleColor({ColorRole::Own, 0}, Theme::Dark).rgb();
        for (const FigureHit &hit : geometry.hits) {
            int count = 0;
            for (int y = static_cast<int>(hit.area.top()); y < static_cast<int>(hit.area.bottom()); ++y)
                for (int x = 0; x < image.width(); ++x)
                    count += image.pixel(x, y) == wanted;
            // A disc of radius 3.5 has some 25 pixels of full colour; five do not hide each other.
            QVERIFY2(count > 4 * 25 && count < 5 * 40, qPrintable(QString::number(count)));
        }
    }
};

QTEST_MAIN(FigureLadderTest)
#include "tst_figureladder.moc"
