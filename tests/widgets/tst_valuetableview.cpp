// SPDX-License-Identifier: GPL-3.0-or-later
#include "samplefigures.h"
#include "theme.h"
#include "valuetablemodel.h"
#include "valuetableview.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QHeaderView>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>

using namespace stagecraft::widgets;

namespace {

QStringList column(const ValueTableView &view, int index)
{
    QStringList list;
    for (int row = 0; row < view.model()->rowCount(); ++row)
        list << view.model()->index(row, index).data().toString();
    return list;
}

// The rightmost pixel column of a cell that is not ground.
int inkEnd(const QImage &image, const QRect &cell)
{
    for (int x = cell.right() - 1; x > cell.left(); --x)
        for (int y = cell.top() + 4; y < cell.bottom() - 4; ++y)
            if (qGray(image.pixel(x, y)) > 90)
                return x;
    return -1;
}

} // namespace

class ValueTableViewTest : public QObject
{
    Q_OBJECT

private slots:
    void modelIsSound();
    void showsNumbersInTheirPrecision();
    void headersCarryUnits();
    void toolTipsAreText();
    void statesAndRepeatedGroupsAreMuted();
    void sortsByTheStoredNumber();
    void statesSortLast();
    void groupsAreSetApart();
    void decimalPointsAlign();
    void copiesEverything();
    void copiesTheSelectionInTheOrderShown();
    void updatesKeepTheSelection();
    void unavailableIsShown();
};

void ValueTableViewTest::modelIsSound()
{
    ValueTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTable(samples::table());
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.columnCount(), 3);
    ValueTable changed = samples::table();
    changed.rows[0][2] = samples::number(70);
    model.setTable(changed);
    changed.rows.removeLast();
    changed.rows[0].removeLast(); // a row shorter than the header
    model.setTable(changed);
    QCOMPARE(model.index(0, 2).data().toString(), QString());
    model.setTable({});
    QCOMPARE(model.rowCount(), 0);
}

void ValueTableViewTest::showsNumbersInTheirPrecision()
{
    ValueTableView view;
    view.setTable(samples::table());
    QCOMPARE(column(view, 2), (QStringList{"71.9", "failed", "11.0", "7.6"}));
}

void ValueTableViewTest::headersCarryUnits()
{
    ValueTableView view;
    view.setTable(samples::table());
    QCOMPARE(view.model()->headerData(2, Qt::Horizontal).toString(), QStringLiteral("kernel (µs)"));
    QVERIFY(
        view.model()->headerData(2, Qt::Horizontal, Qt::ToolTipRole).toString().contains("sum of kernel durations"));
}

void ValueTableViewTest::toolTipsAreText()
{
    ValueTable table = samples::table();
    table.rows[0][2].toolTip = QStringLiteral("<b>71.93692</b>");
    ValueTableView view;
    view.setTable(table);
    QVERIFY(view.model()->index(0, 2).data(Qt::ToolTipRole).toString().contains(QStringLiteral("&lt;b&gt;")));
}

void ValueTableViewTest::statesAndRepeatedGroupsAreMuted()
{
    ValueTableView view;
    view.setTable(samples::table());
    const auto color = [&](int row, int section) {
        return view.model()->index(row, section).data(Qt::ForegroundRole).value<QColor>();
    };
    const ThemeColors &colors = themeColors(Theme::Dark);
    QCOMPARE(color(0, 2), colors.ink);
    QCOMPARE(color(1, 2), colors.muted);
    QCOMPARE(color(0, 0), colors.ink);
    QCOMPARE(color(1, 0), colors.muted);
    QCOMPARE(color(2, 0), colors.ink);
}

void ValueTableViewTest::sortsByTheStoredNumber()
{
    ValueTable table = samples::table();
    table.rows[0][2].number = 7.6249; // shown as 7.6, as the last row: the stored number decides
    ValueTableView view;
    view.setTable(table);
    view.sortByColumn(2, Qt::AscendingOrder);
    QCOMPARE(column(view, 1), (QStringList{"triton", "triton", "cuda", "cuda"}));
    QCOMPARE(column(view, 0), (QStringList{"gelu", "matmul", "gelu", "matmul"}));
    view.sortByColumn(-1, Qt::AscendingOrder);
    QCOMPARE(column(view, 0), (QStringList{"matmul", "matmul", "gelu", "gelu"}));
}

void ValueTableViewTest::statesSortLast()
{
    ValueTableView view;
    view.setTable(samples::table());
    view.sortByColumn(2, Qt::AscendingOrder);
    QCOMPARE(column(view, 2), (QStringList{"7.6", "11.0", "71.9", "failed"}));
    view.sortByColumn(2, Qt::DescendingOrder);
    QCOMPARE(column(view, 2), (QStringList{"71.9", "11.0", "7.6", "failed"}));
}

void ValueTableViewTest::groupsAreSetApart()
{
    ValueTableView view;
    view.setTable(samples::table());
    view.resize(600, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const auto ruled = [&](int row) {
        const QRect cell = view.visualRect(view.model()->index(row, 1));
        return view.viewport()->grab().toImage().pixelColor(cell.center().x(), cell.top()) ==
               themeColors(Theme::Dark).rule;
    };
    QVERIFY(ruled(2));
    QVERIFY(!ruled(1) && !ruled(3));
    view.sortByColumn(2, Qt::AscendingOrder); // no groups in another order
    for (int row = 0; row < 4; ++row)
        QVERIFY(!ruled(row));
}

void ValueTableViewTest::decimalPointsAlign()
{
    ValueTable table = samples::table();
    table.rows = {{samples::text("a"), samples::text("b"), samples::number(111.1)},
                  {samples::text("a"), samples::text("b"), samples::number(8.1)},
                  {samples::text("a"), samples::text("b"), samples::number(4711.1)}};
    ValueTableView view;
    view.setTable(table);
    view.resize(600, 300);
    view.show();
    view.clearFocus();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QImage image = view.viewport()->grab().toImage();
    const int end = inkEnd(image, view.visualRect(view.model()->index(1, 2)));
    QVERIFY(end > 0);
    for (const int row : {0, 2})
        QVERIFY(std::abs(inkEnd(image, view.visualRect(view.model()->index(row, 2))) - end) <= 1);
}

void ValueTableViewTest::copiesEverything()
{
    ValueTableView view;
    view.setTable(samples::table());
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    const QMimeData *data = QGuiApplication::clipboard()->mimeData();
    QCOMPARE(data->text(), QStringLiteral("operation\timplementation\tkernel (µs)\nmatmul\ttriton\t71.93692\n"
                                          "matmul\tcuda\tfailed\ngelu\tcuda\t10.97419\ngelu\ttriton\t7.62248\n"));
    QVERIFY(data->html().contains(QStringLiteral("<td class=\"number\">71.9</td>")));
}

void ValueTableViewTest::copiesTheSelectionInTheOrderShown()
{
    ValueTableView view;
    view.setTable(samples::table());
    view.sortByColumn(2, Qt::AscendingOrder);
    view.selectionModel()->select({view.model()->index(0, 1), view.model()->index(1, 2)},
                                  QItemSelectionModel::ClearAndSelect);
    view.copy();
    QCOMPARE(QGuiApplication::clipboard()->text(),
             QStringLiteral("implementation\tkernel (µs)\ntriton\t7.62248\ncuda\t10.97419\n"));
}

void ValueTableViewTest::updatesKeepTheSelection()
{
    ValueTableView view;
    view.setTable(samples::table());
    view.selectRow(2);
    ValueTable changed = samples::table();
    changed.rows[1][2] = samples::number(80.0);
    view.setTable(changed);
    QCOMPARE(view.selectionModel()->selectedRows().size(), 1);
    QCOMPARE(column(view, 2), (QStringList{"71.9", "80.0", "11.0", "7.6"}));
}

void ValueTableViewTest::unavailableIsShown()
{
    ValueTable table = samples::table();
    table.rows.clear();
    ValueTableView view;
    view.resize(500, 200);
    view.setTable(table);
    const QImage before = view.viewport()->grab().toImage();
    table.unavailable = QStringLiteral("no kernel records");
    view.setTable(table);
    QVERIFY(view.viewport()->grab().toImage() != before);
}

QTEST_MAIN(ValueTableViewTest)
#include "tst_valuetableview.moc"
