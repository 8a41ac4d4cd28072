// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparecolumns.h"

#include "captions.h"
#include "comparewords.h"
#include "viewrows.h"

#include <algorithm>

namespace stagecraft::views {

using widgets::ValueCell;

namespace {

bool saysNothing(const widgets::ValueColumn &column, const ValueCell &cell)
{
    const bool isWarmCache = column.id == QLatin1String("cache") && isWarm(cell.text);
    return !cell.number && (cell.text.isEmpty() || isWarmCache);
}

} // namespace

widgets::ValueColumn textColumn(const char *id, const char *title, const char *toolTip)
{
    return {QString::fromUtf8(id), QString::fromUtf8(title), QString(), false, 0, QString::fromUtf8(toolTip)};
}

widgets::ValueColumn numberColumn(const char *id, const char *title, const char *unit, int decimals,
                                  const char *toolTip)
{
    return {QString::fromUtf8(id),     QString::fromUtf8(title), QString::fromUtf8(unit), true, decimals,
            QString::fromUtf8(toolTip)};
}

ValueCell textCell(const QString &text, const QString &toolTip)
{
    return {text, std::nullopt, toolTip};
}

ValueCell stateCell(evidence::State state, const QString &reason)
{
    return {evidence::stateName(state), std::nullopt, reason};
}

ValueCell valueCell(const evidence::Value &value)
{
    const evidence::Estimate *estimate = drawable(value);
    return estimate ? ValueCell{QString(), estimate->mean, sourceLabel(value.source)}
                    : stateCell(value.state, value.reason);
}

ValueCell changeCell(const evidence::Change &change)
{
    return change.percent ? ValueCell{QString(), change.percent, QString()} : textCell(changeLack(change), change.why);
}

ValueCell boundCell(const evidence::ComparedRow &row)
{
    if (row.bound)
        return {QString(), row.bound, someOf(row.boundOperations)};
    return row.drift == evidence::Drift::OtherGpu
               ? textCell(QStringLiteral("another GPU"))
               : textCell(QStringLiteral("unknown"),
                          QStringLiteral("no other operation is unchanged and soundly measured"));
}

void dropEmptyColumns(widgets::ValueTable &table)
{
    for (qsizetype column = table.columns.size() - 1; column >= 0; --column) {
        const bool isEmpty = std::all_of(table.rows.begin(), table.rows.end(), [&](const QList<ValueCell> &row) {
            return saysNothing(table.columns[column], row[column]);
        });
        if (!isEmpty)
            continue;
        table.columns.removeAt(column);
        for (QList<ValueCell> &row : table.rows)
            row.removeAt(column);
    }
}

} // namespace stagecraft::views
