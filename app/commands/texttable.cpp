// SPDX-License-Identifier: GPL-3.0-or-later
#include "texttable.h"

#include <algorithm>

namespace stagecraft::commands {

namespace {

struct Column
{
    QStringList cells; // heading first
    bool rightAligned = false;
    qsizetype width = 0;
};

Column textColumn(const widgets::ValueTable &table, qsizetype index)
{
    const widgets::ValueColumn &source = table.columns[index];
    Column column;
    column.rightAligned = source.numeric;
    column.cells.append(source.unit.isEmpty() ? source.title : QStringLiteral("%1 %2").arg(source.title, source.unit));
    for (const auto &row : table.rows) {
        const widgets::ValueCell cell = row.value(index);
        column.cells.append(cell.number ? widgets::displayNumber(*cell.number, source) : cell.text);
    }
    for (const QString &cell : column.cells)
        column.width = std::max(column.width, cell.size());
    return column;
}

bool isEmpty(const Column &column)
{
    return std::all_of(column.cells.begin() + 1, column.cells.end(),
                       [](const QString &cell) { return cell.isEmpty(); });
}

QString lineOf(const QList<Column> &columns, qsizetype row)
{
    QString line;
    for (const Column &column : columns) {
        const QString &cell = column.cells[row];
        line += column.rightAligned ? cell.rightJustified(column.width) : cell.leftJustified(column.width);
        line += QStringLiteral("  ");
    }
    while (line.endsWith(QLatin1Char(' ')))
        line.chop(1);
    return line;
}

} // namespace

QStringList textTable(const widgets::ValueTable &table)
{
    if (!table.unavailable.isEmpty())
        return {QStringLiteral("%1: unavailable: %2").arg(table.title, table.unavailable)};
    QList<Column> columns;
    for (qsizetype index = 0; index < table.columns.size(); ++index) {
        Column column = textColumn(table, index);
        if (!isEmpty(column))
            columns.append(std::move(column));
    }
    QStringList lines;
    for (qsizetype row = 0; row <= table.rows.size(); ++row)
        lines.append(lineOf(columns, row));
    return lines + table.footer;
}

} // namespace stagecraft::commands
