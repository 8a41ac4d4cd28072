// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme.h"
#include "valuetable.h"

#include <QTableView>

class QSortFilterProxyModel;

namespace stagecraft::widgets {

class ValueTableDelegate;
class ValueTableModel;

// Shows a value table: numbers aligned on the decimal point, units in the headers, groups set apart by a rule. A click
// on a header sorts by the stored number (values before states), a third click restores the table's own order.
// Ctrl+C copies the selected cells, or everything where nothing is selected. GUI thread only.
class ValueTableView : public QTableView
{
    Q_OBJECT

public:
    explicit ValueTableView(QWidget *parent = nullptr);

    void setTable(const ValueTable &table);
    const ValueTable &table() const;
    void setTheme(Theme theme);

    ValueTable selectedTable() const; // what copy() copies, in the order shown

public slots:
    void copy(); // tab-separated text with stored precision, and an HTML table

signals:
    void exportRequested();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void fitColumns();

    ValueTableModel *m_model;
    QSortFilterProxyModel *m_sorted;
    ValueTableDelegate *m_delegate;
};

} // namespace stagecraft::widgets
