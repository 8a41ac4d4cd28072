// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureexport.h"
#include "geometrychecks.h"
#include "samplefigures.h"
#include "theme.h"

#include <QTest>

using namespace stagecraft::widgets;
using checks::areaOf;
using samples::bar;

Q_DECLARE_METATYPE(stagecraft::widgets::Figure)
Q_DECLARE_METATYPE(stagecraft::widgets::Layout)

namespace {

FigurePanel panel(const QList<FigureBar> &bars)
{
    return {.title = QStringLiteral("Matrix multiplication"),
            .subtitle = QStringLiteral("1024 × 1024 × 1024"),
            .unit = QStringLiteral("µs"),
            .bars = bars};
}

FigureBar whiskered(FigureBar bar, double low, double high)
{
    bar.low = low;
    bar.high = high;
    return bar;
}

FigureBar flagged(FigureBar bar, const QStringList &flags)
{
    bar.flags = flags;
    return bar;
}

FigurePanel limited()
{
    FigurePanel result = panel({bar("full", 1536), bar("some", 1024), bar("none", {}, "unavailable")});
    result.limit = FigureLimit{1536, QStringLiteral("limit 1536")};
    for (FigureBar &limitedBar : result.bars)
        limitedBar.details = {QStringLiteral("limited by registers, of which each thread takes more than there are"),
                              QStringLiteral("256 blocks × 256 threads · 56 registers · 33792 B shared")};
    result.notes = {QStringLiteral("a note below the ticks")};
    return result;
}

// fp32's floor is longer than the last bar, which has another; the first bar has none.
FigurePanel floored(const QString &what = QStringLiteral("multiply-adds at full rate"))
{
    FigurePanel result =
        panel({bar("none", 56.0), bar("a", 80.0), bar("b", 33.0), bar("c", {}, "failed"), bar("split", 20.0)});
    result.floors = {{32.1, QStringLiteral("fp32 floor 32.1 µs"), what},
                     {12.4, QStringLiteral("3xtf32 floor 12.4 µs"), what}};
    for (const int i : {1, 2, 3})
        result.bars[i].floor = 0;
    result.bars[4].floor = 1;
    return result;
}

QList<FigureBar> everyState()
{
    QList<FigureBar> bars{bar("own", 80.0)};
    for (const char *state : {"failed", "unavailable: the capture library was refused by another profiler", "pending",
                              "not run", "invalid"})
        bars << bar(QStringLiteral("b%1").arg(bars.size()), {}, QString::fromUtf8(state));
    for (const char *state : {"throttled", "undecided"})
        bars << bar(QStringLiteral("b%1").arg(bars.size()), 79.0, QString::fromUtf8(state));
    return bars;
}

QList<FigureBar> twelve()
{
    QList<FigureBar> bars;
    for (int i = 0; i < 12; ++i)
        bars << whiskered(bar(QStringLiteral("implementation %1").arg(i), 10.0 + 17 * i, {}, i), 9.0 + 16 * i,
                          11.0 + 19 * i);
    return bars;
}

} // namespace

class FigureLayoutTest : public QObject
{
    Q_OBJECT

private slots:
    void textsKeepTheirPlace_data();
    void textsKeepTheirPlace();
    void barsAreProportional();
    void barsStartAtTheZeroLine();
    void everyLabelAndValueIsThere();
    void statesStandInPlaceOfBars();
    void longStatesAreRepeatedInFull();
    void valueWithAStateKeepsItsBar();
    void notANumberIsNotABar();
    void countsHaveWholeTicks();
    void valuesStandAtTheBarsEnd();
    void theLongestBarsValueStandsBehindIt();
    void mobileStacksPanels();
    void narrowFigureTakesFewerColumns();
    void widthIsTheLayouts();
    void shortenedTextKeepsTheWhole();
    void unavailableSaysWhy();
    void offScaleSamplesAreCounted();
    void detailsStandBelowTheirBar();
    void theScaleReachesTheLimit();
    void longLabelsTakeFewerColumns();
    void floorsAreNamedAboveTheBars();
    void aFloorCrossesItsOwnBars_data();
    void aFloorCrossesItsOwnBars();
    void textsStandBehindTheFloor();
    void theScaleReachesTheFloors();
    void barsBesideEachOtherStandLevel();
};

void FigureLayoutTest::textsKeepTheirPlace_data()
{
    QTest::addColumn<Figure>("figure");
    QTest::addColumn<Layout>("layout");
    const QString longText = QStringLiteral("an-external-program-with-a-name-nobody-would-want-to-read-in-a-figure");
    QList<QPair<const char *, Figure>> figures;
    figures.append({"note", samples::noteFigure()});
    figures.append({"limit and details", samples::oneRow({limited(), limited()}, 2)});
    figures.append({"floors", samples::oneRow({floored(), floored(longText), panel({bar("a", 1.0)})}, 3)});
    FigurePanel wordy = floored(longText + longText);
    for (FigureLimit &floor : wordy.floors)
        floor.text = longText + longText;
    figures.append({"floors with long texts", samples::oneRow({wordy, wordy}, 2)});
    FigurePanel equal = floored();
    equal.floors[1].value = equal.floors[0].value;
    FigurePanel far = floored();
    far.floors[0].value = 1e6;
    FigurePanel pending = panel({bar("a", {}, "pending")});
    pending.floors = floored().floors;
    pending.bars[0].floor = 0;
    figures.append({"equal, far and lone floors", samples::oneRow({equal, far, pending}, 3)});
    FigurePanel wrong = floored();
    wrong.bars[0].floor = 7;
    wrong.floors[1].value = std::nan("");
    figures.append({"floors that are none", samples::oneRow({wrong})});
    figures.append({"one bar", samples::oneRow({panel({bar("own", 1.0)})})});
    figures.append({"twelve bars", samples::oneRow({panel(twelve()), panel(twelve())}, 2)});
    figures.append({"states", samples::oneRow({panel(everyState()), panel(everyState())}, 2)});
    figures.append({"long labels", samples::oneRow({panel({bar(longText, 80.0), bar(longText, 40.0)})})});
    figures.append({"long value", samples::oneRow({panel({bar("a", 123456789012.0), bar("b", 3.0)})})});
    figures.append({"tiny values", samples::oneRow({panel({bar("a", 1.2e-7), bar("b", 3e-9)})})});
    figures.append({"range", samples::oneRow({panel({bar("a", 1e9), bar("b", 1e-3), bar("c", 5e8)})})});
    figures.append({"zeros", samples::oneRow({panel({bar("a", 0.0), bar("b", 0.0)})})});
    figures.append({"no bars", samples::oneRow({panel({})})});
    figures.append(
        {"flags", samples::oneRow({panel({flagged(bar("a", 80.0), {"faster than a known floor", "throttled"}),
                                          flagged(bar("b", {}, "failed"), {"launches vary"})})},
                                  3)});
    Figure titles = samples::noteFigure();
    titles.title = titles.subtitle = titles.rows[0].title = titles.rows[0].subtitle = longText + u' ' + longText;
    titles.rows[0].panels[0].title = titles.rows[0].panels[0].subtitle = longText + longText;
    titles.footer << longText + longText + longText + u' ' + longText;
    figures.append({"long titles", titles});
    Figure noTitles = samples::noteFigure();
    noTitles.title.clear();
    noTitles.rows[0].title.clear();
    noTitles.rows[0].panels[0].title.clear();
    figures.append({"no titles", noTitles});
    figures.append(
        {"samples", samples::sampleFigure({samples::series("a", 0, 300, 50), samples::series("b", 1, 300, 51),
                                           samples::series(longText, 2, 300, 52)})});
    QList<FigureSeries> many;
    for (int i = 0; i < 12; ++i)
        many << samples::series(QStringLiteral("implementation %1").arg(i), i, 40, 5e6 + i);
    figures.append({"twelve series", samples::sampleFigure(many)});
    figures.append(
        {"no samples",
         samples::sampleFigure({FigureSeries{.label = "a", .color = {}, .values = {}, .stateText = "pending"}})});
    figures.append({"no series", samples::sampleFigure({})});
    for (const auto &[name, figure] : figures)
        for (const Layout layout : {Layout::Desktop, Layout::Mobile})
            QTest::addRow("%s %s", name, layout == Layout::Desktop ? "desktop" : "mobile") << figure << layout;
}

void FigureLayoutTest::textsKeepTheirPlace()
{
    QFETCH(Figure, figure);
    QFETCH(Layout, layout);
    const QString fault = checks::misplaced(layoutFigure(figure, layout));
    QVERIFY2(fault.isEmpty(), qPrintable(fault));
}

void FigureLayoutTest::barsAreProportional()
{
    const Figure figure = samples::noteFigure();
    for (const Layout layout : {Layout::Desktop, Layout::Mobile}) {
        const FigureGeometry geometry = layoutFigure(figure, layout);
        QCOMPARE(geometry.hits.size(), 6);
        for (int first : {0, 3}) {
            const QList<FigureBar> &bars = figure.rows[0].panels[first / 3].bars;
            const double unit = geometry.hits[first].bar.width() / *bars[0].value;
            for (int i = 1; i < 3; ++i)
                QVERIFY(std::abs(geometry.hits[first + i].bar.width() - unit * *bars[i].value) < 1e-6);
        }
    }
}

void FigureLayoutTest::barsStartAtTheZeroLine()
{
    const FigureGeometry geometry = layoutFigure(samples::noteFigure(), Layout::Mobile);
    for (const FigureHit &hit : geometry.hits) {
        QCOMPARE(hit.bar.left(), geometry.hits[0].bar.left());
        QCOMPARE(hit.bar.height(), hit.area.height() / 2);
    }
}

void FigureLayoutTest::everyLabelAndValueIsThere()
{
    const QStringList found = checks::drawnTexts(layoutFigure(samples::noteFigure(), Layout::Desktop));
    for (const char *expected : {"Kernel time", "Matrix multiplication", "1024 × 1024 × 1024", "PyTorch", "Triton",
                                 "cuda", "44.0", "71.9", "80.0", "15.8", "7.6", "11.0", "µs"})
        QVERIFY2(found.contains(QString::fromUtf8(expected)), expected);
}

void FigureLayoutTest::statesStandInPlaceOfBars()
{
    const FigureGeometry geometry =
        layoutFigure(samples::oneRow({panel({bar("a", 5.0), bar("b", {}, "failed")})}), Layout::Desktop);
    QVERIFY(!geometry.hits[0].bar.isEmpty());
    QVERIFY(geometry.hits[1].bar.isEmpty());
    QVERIFY(checks::drawnTexts(geometry).contains(QStringLiteral("failed")));
    QCOMPARE(geometry.hits[1].toolTip, QStringLiteral("b: failed"));
}

void FigureLayoutTest::longStatesAreRepeatedInFull()
{
    const QString reason = QStringLiteral("unavailable: libcupti.so.13 was found but does not fit the loaded driver");
    const FigureGeometry geometry =
        layoutFigure(samples::oneRow({panel({bar("host", {}, reason), bar("cuda", {}, "failed")})}), Layout::Mobile);
    QStringList below;
    for (const FigureText &text : geometry.texts)
        if (text.area.top() > geometry.hits.last().area.bottom())
            below << text.text;
    QVERIFY2(below.join(u' ').contains(QStringLiteral("host: ") + reason), qPrintable(below.join(u'|')));
    QVERIFY(!below.join(u' ').contains(QStringLiteral("cuda: ")));
    for (const Layout layout : {Layout::Desktop, Layout::Mobile})
        for (const QString &text : checks::drawnTexts(layoutFigure(samples::noteFigure(), layout)))
            QVERIFY2(!text.contains(u':'), qPrintable(text)); // nothing was shortened: no notes
}

void FigureLayoutTest::valueWithAStateKeepsItsBar()
{
    const FigureGeometry geometry =
        layoutFigure(samples::oneRow({panel({bar("a", 5.0, "throttled")})}), Layout::Desktop);
    QVERIFY(!geometry.hits[0].bar.isEmpty());
    QVERIFY(checks::drawnTexts(geometry).contains(QStringLiteral("throttled")));
    QVERIFY(checks::drawnTexts(geometry).contains(QStringLiteral("5.0")));
}

void FigureLayoutTest::notANumberIsNotABar()
{
    for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(), -3.0}) {
        const FigureGeometry geometry =
            layoutFigure(samples::oneRow({panel({bar("a", value, "invalid")})}), Layout::Desktop);
        QVERIFY(geometry.hits[0].bar.isEmpty());
        QVERIFY(checks::drawnTexts(geometry).contains(QStringLiteral("invalid")));
    }
}

void FigureLayoutTest::countsHaveWholeTicks()
{
    FigurePanel launches = panel({bar("a", 2.0), bar("b", 1.0)});
    launches.unit.clear();
    const QStringList found = checks::drawnTexts(layoutFigure(samples::oneRow({launches}), Layout::Desktop));
    QVERIFY(found.contains(QStringLiteral("1")) && found.contains(QStringLiteral("2")));
    QVERIFY(!found.contains(QStringLiteral("0.5")) && !found.contains(QStringLiteral("1.5")));
}

void FigureLayoutTest::valuesStandAtTheBarsEnd()
{
    const FigureGeometry geometry =
        layoutFigure(samples::oneRow({panel({bar("a", 80.0), whiskered(bar("b", 40.0), 35, 60)})}), Layout::Desktop);
    QCOMPARE(areaOf(geometry, "80.0").left() - geometry.hits[0].bar.right(), 8.0);
    const double whiskerEnd = geometry.hits[1].bar.left() + geometry.hits[1].bar.width() * 60 / 40;
    QVERIFY(std::abs(areaOf(geometry, "40.0").left() - whiskerEnd - 8) < 1e-6);
}

// The scale leaves room for the longest bar's value, whatever the digits behind the comma make of the sum.
void FigureLayoutTest::theLongestBarsValueStandsBehindIt()
{
    for (int i = 1; i < 2000; ++i) {
        const Figure figure = samples::oneRow({panel({bar("PyTorch", i * 0.1), bar("Rust", i * 0.015)})});
        const FigureGeometry geometry = layoutFigure(figure, Layout::Desktop);
        const QRectF value = checks::areaOf(geometry, figure.rows[0].panels[0].bars[0].valueText);
        QVERIFY2(value.left() > geometry.hits[0].bar.right(), qPrintable(QString::number(i * 0.1)));
    }
}

void FigureLayoutTest::mobileStacksPanels()
{
    const FigureGeometry desktop = layoutFigure(samples::noteFigure(), Layout::Desktop);
    const FigureGeometry mobile = layoutFigure(samples::noteFigure(), Layout::Mobile);
    QCOMPARE(desktop.hits[3].area.top(), desktop.hits[0].area.top());
    QVERIFY(desktop.hits[3].area.left() > desktop.hits[0].area.right());
    QVERIFY(mobile.hits[3].area.top() > mobile.hits[2].area.bottom());
    QCOMPARE(mobile.hits[3].area.left(), mobile.hits[0].area.left());
}

void FigureLayoutTest::narrowFigureTakesFewerColumns()
{
    Figure figure = samples::noteFigure();
    figure.columns = 5;
    figure.desktopWidth = 400;
    const FigureGeometry geometry = layoutFigure(figure, Layout::Desktop);
    QVERIFY(geometry.hits[3].area.top() > geometry.hits[2].area.bottom());
}

void FigureLayoutTest::widthIsTheLayouts()
{
    Figure figure = samples::noteFigure();
    figure.desktopWidth = 1560;
    QCOMPARE(layoutFigure(figure, Layout::Desktop).size.width(), 1560.0);
    QCOMPARE(layoutFigure(figure, Layout::Mobile).size.width(), 365.0);
}

void FigureLayoutTest::shortenedTextKeepsTheWhole()
{
    const QString label = QStringLiteral("a label that is far too long for the label column of a mobile figure");
    const FigureGeometry geometry = layoutFigure(samples::oneRow({panel({bar(label, 5.0)})}), Layout::Mobile);
    const auto text = std::find_if(geometry.texts.begin(), geometry.texts.end(),
                                   [&](const FigureText &candidate) { return candidate.full == label; });
    QVERIFY(text != geometry.texts.end());
    QVERIFY(text->text.endsWith(u'…') && text->text.size() < label.size());
    QVERIFY(geometry.hits[0].toolTip.contains(label));
}

void FigureLayoutTest::unavailableSaysWhy()
{
    Figure figure = samples::noteFigure();
    figure.unavailable = QStringLiteral("no kernel records");
    const FigureGeometry geometry = layoutFigure(figure, Layout::Desktop);
    QVERIFY(geometry.hits.isEmpty());
    QVERIFY(checks::drawnTexts(geometry).contains(QStringLiteral("Unavailable: no kernel records")));
}

void FigureLayoutTest::offScaleSamplesAreCounted()
{
    FigureSeries series = samples::series("a", 0, 300, 50);
    QList<double> values = series.values.toList();
    values[50] = 4000.25;
    series.values = values;
    const QStringList found = checks::drawnTexts(layoutFigure(samples::sampleFigure({series}), Layout::Desktop));
    QVERIFY2(found.contains(QStringLiteral("1 of 300 samples above the scale, the largest 4000.3 µs")) ||
                 found.contains(QStringLiteral("1 of 300 samples above the scale, the largest 4000.2 µs")),
             qPrintable(found.join(u'\n')));
}

void FigureLayoutTest::detailsStandBelowTheirBar()
{
    for (const Layout layout : {Layout::Desktop, Layout::Mobile}) {
        const FigureGeometry geometry = layoutFigure(samples::oneRow({limited()}), layout);
        const QString drawn = checks::drawnTexts(geometry).join(u' ');
        QCOMPARE(drawn.count(QStringLiteral("256 blocks × 256 threads · 56 registers · 33792 B shared")), 3);
        QVERIFY(drawn.contains(QStringLiteral("a note below the ticks")));
        for (int i = 0; i + 1 < geometry.hits.size(); ++i)
            QVERIFY(geometry.hits[i].area.bottom() <= geometry.hits[i + 1].area.top());
        for (const FigureText &text : geometry.texts)
            if (text.text.startsWith(QStringLiteral("limited by")))
                QVERIFY(std::any_of(geometry.hits.begin(), geometry.hits.end(), [&](const FigureHit &hit) {
                    return hit.area.contains(text.area) && (hit.bar.isEmpty() || text.area.top() >= hit.bar.bottom());
                }));
    }
}

void FigureLayoutTest::theScaleReachesTheLimit()
{
    FigurePanel panel = limited();
    panel.bars.removeFirst();
    for (const Layout layout : {Layout::Desktop, Layout::Mobile}) {
        const FigureGeometry geometry = layoutFigure(samples::oneRow({panel}), layout);
        const FigureHit &hit = geometry.hits[0];
        const double limit = hit.bar.left() + hit.bar.width() * 1536 / 1024;
        const QRectF text = areaOf(geometry, QStringLiteral("limit 1536"));
        QVERIFY(std::abs(text.right() - limit) < 1);
        QVERIFY(text.bottom() <= hit.area.top());
        const QRectF value = areaOf(geometry, QStringLiteral("1024.0"));
        QVERIFY(value.right() <= limit || value.left() > limit); // never across the line
    }
    const FigureGeometry full = layoutFigure(samples::oneRow({limited()}), Layout::Desktop);
    QVERIFY(areaOf(full, QStringLiteral("1536.0")).left() > full.hits[0].bar.right());
}

void FigureLayoutTest::longLabelsTakeFewerColumns()
{
    Figure figure = samples::noteFigure();
    figure.desktopWidth = 1560;
    figure.columns = 5;
    figure.rows[0].panels = QList<FigurePanel>(5, figure.rows[0].panels[0]);
    const auto tops = [&] {
        QSet<double> ofFirstBars;
        for (const FigureHit &hit : layoutFigure(figure, Layout::Desktop).hits)
            if (hit.barIndex == 0)
                ofFirstBars.insert(hit.area.top());
        return ofFirstBars.size(); // rows of panels
    };
    QCOMPARE(tops(), 1);
    const QString label = QStringLiteral("four-rows-per-block");
    figure.rows[0].panels[4].bars[1].label = label;
    QCOMPARE(tops(), 2); // three and two, not four and one
    QVERIFY(checks::drawnTexts(layoutFigure(figure, Layout::Desktop)).contains(label));
}

void FigureLayoutTest::floorsAreNamedAboveTheBars()
{
    for (const Layout layout : {Layout::Desktop, Layout::Mobile}) {
        const FigureGeometry geometry = layoutFigure(samples::oneRow({floored()}), layout);
        for (const char *text :
             {"fp32 floor 32.1 µs: multiply-adds at full rate", "3xtf32 floor 12.4 µs: multiply-adds at full rate"}) {
            const QRectF area = areaOf(geometry, QString::fromUtf8(text));
            QVERIFY2(!area.isNull(), text);
            QVERIFY(area.bottom() <= geometry.hits[0].area.top());
        }
    }
    // What it is goes below where the line has no room for it; the short text stays.
    const QString what =
        QStringLiteral("three products of twelve bits each, by every tensor core of the GPU at its full "
                       "rate, with clocks as they were measured, and nothing else going on meanwhile");
    const FigureGeometry geometry = layoutFigure(samples::oneRow({floored(what)}), Layout::Mobile);
    const QRectF text = areaOf(geometry, QStringLiteral("3xtf32 floor 12.4 µs"));
    QVERIFY(!text.isNull() && text.bottom() <= geometry.hits[0].area.top());
    QStringList below;
    for (const FigureText &candidate : geometry.texts)
        if (candidate.area.top() >= geometry.hits.last().area.bottom())
            below << candidate.text;
    QVERIFY2(below.join(u' ').contains(QStringLiteral("3xtf32 floor 12.4 µs: ") + what), qPrintable(below.join(u'|')));
}

void FigureLayoutTest::aFloorCrossesItsOwnBars_data()
{
    QTest::addColumn<Layout>("layout");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("scale");
    for (const Layout layout : {Layout::Desktop, Layout::Mobile})
        for (const bool dark : {true, false})
            for (const int scale : {1, 2})
                QTest::addRow("%s %s %d", layout == Layout::Desktop ? "desktop" : "mobile", dark ? "dark" : "light",
                              scale)
                    << layout << dark << scale;
}

// In the middle of a bar, what is not the bar's colour is the line of its own floor: in ink, and only there.
void FigureLayoutTest::aFloorCrossesItsOwnBars()
{
    QFETCH(Layout, layout);
    QFETCH(bool, dark);
    QFETCH(int, scale);
    const Theme theme = dark ? Theme::Dark : Theme::Light;
    const Figure figure = samples::oneRow({floored()});
    const FigureGeometry geometry = layoutFigure(figure, layout);
    const QImage image = figureImage(figure, layout, theme, scale);
    const QRgb color = roleColor({ColorRole::Other, 0}, theme).rgb();
    const double unit = geometry.hits[1].bar.width() / 80;
    for (const auto &[index, floor] : {std::pair(0, 0.0), std::pair(1, 32.1), std::pair(2, 32.1), std::pair(4, 12.4)}) {
        const QRectF bar = geometry.hits[index].bar;
        QList<int> other;
        for (int x = static_cast<int>(bar.left() * scale) + 2; x < static_cast<int>(bar.right() * scale) - 2; ++x)
            if (image.pixel(x, static_cast<int>(bar.center().y() * scale)) != color)
                other.append(x);
        if (floor == 0.0) {
            QVERIFY(other.isEmpty());
            continue;
        }
        QVERIFY2(!other.isEmpty() && other.last() - other.first() < 5 * scale, qPrintable(QString::number(index)));
        const double middle = (other.first() + other.last() + 1) / 2.0 / scale;
        QVERIFY2(std::abs(middle - bar.left() - floor * unit) <= 1.5, qPrintable(QString::number(middle)));
    }
}

void FigureLayoutTest::textsStandBehindTheFloor()
{
    FigurePanel panel = floored();
    panel.bars[2].value = 31.9; // faster than its floor: the line passes between the bar and its value
    panel.bars[2].valueText = QStringLiteral("31.9");
    for (const Layout layout : {Layout::Desktop, Layout::Mobile}) {
        const FigureGeometry geometry = layoutFigure(samples::oneRow({panel}), layout);
        const double unit = geometry.hits[1].bar.width() / 80;
        QVERIFY(areaOf(geometry, QStringLiteral("31.9")).left() > geometry.hits[2].bar.left() + 32.1 * unit + 2);
        // Another arithmetic's floor is none of its business: the value stays at the bar's end.
        QCOMPARE(areaOf(geometry, QStringLiteral("20.0")).left() - geometry.hits[4].bar.right(), 8.0);
    }
}

void FigureLayoutTest::theScaleReachesTheFloors()
{
    FigurePanel panel = floored();
    panel.floors[0].value = 200;
    const FigureGeometry geometry = layoutFigure(samples::oneRow({panel}), Layout::Mobile);
    const double unit = geometry.hits[1].bar.width() / 80;
    QVERIFY(geometry.hits[1].bar.left() + 200 * unit <= geometry.hits[1].area.right());
    QVERIFY(areaOf(geometry, QStringLiteral("80.0")).left() > geometry.hits[1].bar.left() + 200 * unit);
}

void FigureLayoutTest::barsBesideEachOtherStandLevel()
{
    const FigureGeometry geometry =
        layoutFigure(samples::oneRow({floored(), panel({bar("a", 1.0)})}, 2), Layout::Desktop);
    QCOMPARE(geometry.hits[5].area.top(), geometry.hits[0].area.top());
}

QTEST_MAIN(FigureLayoutTest)
#include "tst_figurelayout.moc"
