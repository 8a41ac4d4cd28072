// SPDX-License-Identifier: GPL-3.0-or-later
#include "valuetablemodel.h"

#include "plaintooltip.h"

#include <algorithm>

namespace stagecraft::widgets {

namespace {

bool sameShape(const ValueTable &first, const ValueTable &second)
{
    const auto sameColumn = [](const ValueColumn &a, const ValueColumn &b) {
        return a.id == b.id && a.title == b.title && a.unit == b.unit && a.numeric == b.numeric;
    };
    return first.id == second.id && first.rows.size() == second.rows.size() &&
           std::equal(first.columns.begin(), first.columns.end(), second.columns.begin(), second.columns.end(),
                      sameColumn);
}

} // namespace

void ValueTableModel::setTable(const ValueTable &table)
{
    // During a run only values change: a reset would drop selection and scroll position with every sample batch.
    if (sameShape(m_table, table)) {
        m_table = table;
        if (rowCount() > 0 && columnCount() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_table = table;
    endResetModel();
}

void ValueTableModel::setTheme(Theme theme)
{
    m_theme = theme;
    if (rowCount() > 0 && columnCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::ForegroundRole});
}

int ValueTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int ValueTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

bool ValueTableModel::startsGroup(int row) const
{
    return row > 0 && m_table.rows[row].value(0).text != m_table.rows[row - 1].value(0).text;
}

// Numbers are read, so they have the full ink; states and repeated group names step back.
QVariant ValueTableModel::foreground(int row, int column) const
{
    const ValueColumn &header = m_table.columns[column];
    const bool state = header.numeric && !m_table.rows[row].value(column).number;
    const bool repeated = column == 0 && !header.numeric && row > 0 && !startsGroup(row);
    return state || repeated ? themeColors(m_theme).muted : themeColors(m_theme).ink;
}

QVariant ValueTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ValueColumn &column = m_table.columns[index.column()];
    const ValueCell cell = m_table.rows[index.row()].value(index.column());
    const bool isNumber = column.numeric && cell.number.has_value();
    switch (role) {
    case Qt::DisplayRole:
        return isNumber ? displayNumber(*cell.number, column) : cell.text;
    case Qt::ToolTipRole:
        return plainToolTip(cell.toolTip);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((column.numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return foreground(index.row(), index.column());
    case SortRole:
        return isNumber ? QVariant(*cell.number) : QVariant(cell.text);
    case NumericRole:
        return isNumber;
    case GroupStartRole:
        return startsGroup(index.row());
    default:
        return {};
    }
}

QVariant ValueTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const ValueColumn &column = m_table.columns[section];
    switch (role) {
    case Qt::DisplayRole:
        return column.unit.isEmpty() ? column.title : QStringLiteral("%1 (%2)").arg(column.title, column.unit);
    case Qt::ToolTipRole:
        return plainToolTip(column.toolTip);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((column.numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace stagecraft::widgets
