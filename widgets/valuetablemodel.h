// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme.h"
#include "valuetable.h"

#include <QAbstractTableModel>

namespace stagecraft::widgets {

// A value table as an item model. Numbers are shown with their column's decimals; SortRole has the stored number.
class ValueTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Role
    {
        SortRole = Qt::UserRole, // double for a number, QString else
        NumericRole,             // bool: the cell holds a number
        GroupStartRole,          // bool: the first column differs from the row above in the table's own order
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setTable(const ValueTable &table); // keeps selection where only values change
    const ValueTable &table() const { return m_table; }
    void setTheme(Theme theme);
    Theme theme() const { return m_theme; }

    int rowCount(const QModelIndex &parent = {}) const final;
    int columnCount(const QModelIndex &parent = {}) const final;
    QVariant data(const QModelIndex &index, int role) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final;

private:
    QVariant foreground(int row, int column) const;
    bool startsGroup(int row) const;

    ValueTable m_table;
    Theme m_theme = Theme::Dark;
};

} // namespace stagecraft::widgets
