// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureview.h"
#include "samplefigures.h"

#include <QAccessible>
#include <QClipboard>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

using namespace stagecraft::widgets;

class FigureViewTest : public QObject
{
    Q_OBJECT

private slots:
    void layoutFollowsTheWidth();
    void everythingCanBeScrolledTo();
    void wideViewsAreEnlarged();
    void arrowKeysVisitEveryBar();
    void sidewaysKeysChangeThePanel();
    void clickChoosesTheBar();
    void hoverReadsOut();
    void toolTipShowsTextAsItIs();
    void currentBarIsOutlined();
    void isAccessible();
    void copiesAnImage();
    void shrinkingFigureKeepsAValidBar();
    void emptyFigureIsHarmless();
    void themeChangesTheGround();
};

void FigureViewTest::layoutFollowsTheWidth()
{
    FigureView view;
    view.setFigure(samples::noteFigure());
    view.resize(400, 600);
    view.show();
    QTRY_COMPARE_WITH_TIMEOUT(view.layoutUsed(), Layout::Mobile, 30'000);
    QVERIFY(view.hits()[3].area.top() > view.hits()[2].area.bottom());
    view.resize(800, 600);
    QTRY_COMPARE_WITH_TIMEOUT(view.layoutUsed(), Layout::Desktop, 30'000);
    QCOMPARE(view.hits()[3].area.top(), view.hits()[0].area.top());
    QCOMPARE(view.horizontalScrollBar()->maximum(), 0);
}

void FigureViewTest::everythingCanBeScrolledTo()
{
    FigureView view;
    view.setFigure(samples::noteFigure());
    view.resize(400, 200);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QVERIFY(view.verticalScrollBar()->maximum() > 0);
    view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum());
    QVERIFY(view.viewport()->rect().contains(view.viewRect(view.hits().last())));
}

void FigureViewTest::wideViewsAreEnlarged()
{
    FigureView view;
    view.setFigure(samples::noteFigure());
    view.resize(900, 600);
    view.show();
    QTRY_COMPARE_WITH_TIMEOUT(view.scale(), 1.0, 30'000);
    view.resize(1200, 600);
    QTRY_VERIFY_WITH_TIMEOUT(view.scale() > 1.2, 30'000);
    QVERIFY(view.viewRect(view.hits().last()).right() <= view.viewport()->width());
    view.resize(4000, 600);
    QTRY_COMPARE_WITH_TIMEOUT(view.scale(), 1.5, 30'000);
}

void FigureViewTest::arrowKeysVisitEveryBar()
{
    FigureView view;
    view.setFigure(samples::noteFigure());
    view.resize(400, 200);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    for (int i = 0; i < 6; ++i) {
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.currentBar(), i);
        QVERIFY(view.viewport()->rect().contains(view.viewRect(view.hits()[i]))); // scrolled into view
    }
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(view.currentBar(), 5);
    QTest::keyClick(&view, Qt::Key_Home);
    QCOMPARE(view.currentBar(), 0);
    QTest::keyClick(&view, Qt::Key_End);
    QCOMPARE(view.currentBar(), 5);
    QTest::keyClick(&view, Qt::Key_Escape);
    QCOMPARE(view.currentBar(), -1);
}

void FigureViewTest::sidewaysKeysChangeThePanel()
{
    FigureView view;
    view.setFigure(samples::noteFigure());
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.currentBar(), 4); // the second bar of the second panel
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.currentBar(), 4);
    QTest::keyClick(&view, Qt::Key_Left);
    QCOMPARE(view.currentBar(), 1);
}

void FigureViewTest::clickChoosesTheBar()
{
    FigureView view;
    view.setFigure(samples::noteFigure());
    view.resize(800, 600);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.viewRect(view.hits()[2]).center());
    QCOMPARE(view.currentBar(), 2);
}

void FigureViewTest::hoverReadsOut()
{
    FigureView view;
    Figure figure = samples::noteFigure();
    figure.rows[0].panels[0].bars[1].toolTip = QStringLiteral("Triton: 71.93692 µs");
    view.setFigure(figure);
    view.resize(800, 600);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QPoint place = view.viewRect(view.hits()[1]).center();
    QHelpEvent help(QEvent::ToolTip, place, view.viewport()->mapToGlobal(place));
    QApplication::sendEvent(view.viewport(), &help);
    QVERIFY2(QToolTip::text().contains(QStringLiteral("Triton: 71.93692 µs")), qPrintable(QToolTip::text()));

    const QImage before = view.viewport()->grab().toImage();
    QTest::mouseMove(view.viewport(), place);
    QTRY_VERIFY_WITH_TIMEOUT(view.viewport()->grab().toImage() != before, 30'000); // the row is marked
}

void FigureViewTest::toolTipShowsTextAsItIs()
{
    FigureView view;
    Figure figure = samples::noteFigure();
    figure.rows[0].panels[0].bars[0].toolTip = QStringLiteral("PyTorch <img src='x'>");
    view.setFigure(figure);
    view.resize(800, 600);
    view.show();
    const QPoint place = view.viewRect(view.hits()[0]).center();
    QHelpEvent help(QEvent::ToolTip, place, view.viewport()->mapToGlobal(place));
    QApplication::sendEvent(view.viewport(), &help);
    QVERIFY(!QToolTip::text().contains(QStringLiteral("<img")));
    QVERIFY(QToolTip::text().contains(QStringLiteral("&lt;img")));
}

void FigureViewTest::currentBarIsOutlined()
{
    FigureView view;
    view.setFigure(samples::noteFigure());
    view.resize(800, 600);
    view.show();
    view.activateWindow();
    view.setFocus();
    QVERIFY(QTest::qWaitForWindowActive(&view));
    QTest::keyClick(&view, Qt::Key_Down);
    const QImage image = view.viewport()->grab().toImage();
    const QRect row = view.viewRect(view.hits()[0]);
    const QColor outline = image.pixelColor(row.left() - 3, row.center().y());
    QVERIFY(qGray(outline.rgb()) > qGray(themeColors(Theme::Dark).ground.rgb()) + 40);
}

void FigureViewTest::isAccessible()
{
    FigureView view;
    view.setFigure(samples::noteFigure());
    QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(&view);
    QVERIFY(interface);
    QCOMPARE(interface->text(QAccessible::Name), QStringLiteral("Kernel time. matmul: PyTorch 44.0 µs"));
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(interface->text(QAccessible::Description), QStringLiteral("PyTorch: 44.0"));
}

void FigureViewTest::copiesAnImage()
{
    FigureView view;
    view.setFigure(samples::noteFigure());
    view.resize(400, 300); // whatever the view shows, the figure as designed is copied
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->image().width(), 2 * 740);
}

void FigureViewTest::shrinkingFigureKeepsAValidBar()
{
    FigureView view;
    view.setFigure(samples::noteFigure());
    QTest::keyClick(&view, Qt::Key_End);
    Figure smaller = samples::noteFigure();
    smaller.rows[0].panels.removeLast();
    view.setFigure(smaller);
    QCOMPARE(view.currentBar(), 2);
}

void FigureViewTest::emptyFigureIsHarmless()
{
    FigureView view;
    view.setFigure({});
    view.resize(300, 200);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Left, Qt::Key_End, Qt::Key_Escape})
        QTest::keyClick(&view, key);
    QCOMPARE(view.currentBar(), -1);
}

void FigureViewTest::themeChangesTheGround()
{
    FigureView view;
    view.setFigure(samples::noteFigure());
    view.resize(800, 600);
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        view.setTheme(theme);
        const QImage image = view.viewport()->grab().toImage();
        QCOMPARE(image.pixelColor(1, 1), themeColors(theme).ground);
        QCOMPARE(image.pixelColor(1, image.height() - 2), themeColors(theme).ground);
    }
}

QTEST_MAIN(FigureViewTest)
#include "tst_figureview.moc"
