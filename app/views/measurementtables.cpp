// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurementtables.h"

#include "captions.h"
#include "rowcolumns.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::ValueRow;

namespace {

QList<RowColumn> metricColumns(Metric metric, const QList<ValueRow> &rows, const ViewOptions &options)
{
    const int decimals = metricDecimals(rows, metric, options);
    switch (metric) {
    case Metric::Kernel:
        return kernelColumns(decimals, options);
    case Metric::Launches:
        return launchesColumns(decimals, options);
    case Metric::Span:
        break;
    }
    return spanColumns(rows, decimals, options);
}

QList<RowColumn> readAgainst(const QList<ValueRow> &all, int decimals, const ViewOptions &options)
{
    return floorColumns(decimals, options) + peerColumns(all, decimals, options);
}

// A column whose every cell would only repeat that nothing was recorded helps no reader; programs get it all the same.
void dropEmptyColumns(QList<RowColumn> &columns, const QList<ValueRow> &rows)
{
    const bool warm = std::all_of(rows.begin(), rows.end(), [](const ValueRow &row) { return isWarm(row.cache); });
    columns.removeIf([&](const RowColumn &column) {
        if (warm && column.column.id == QLatin1String("cache")) // what is warm needs no word unless something is not
            return true;
        return column.optional && std::none_of(rows.begin(), rows.end(), [&](const ValueRow &row) {
                   const widgets::ValueCell cell = column.cell(row);
                   return cell.number || (!column.column.numeric && !cell.text.isEmpty());
               });
    });
}

QString tableUnavailable(const QList<Metric> &metrics, const QList<ValueRow> &rows, const evidence::Namespace &evidence,
                         const ViewOptions &options)
{
    QStringList reasons;
    for (const Metric metric : metrics) {
        const QString reason = unavailableReason(rows, metric, evidence, options);
        if (reason.isEmpty())
            return {};
        if (!reasons.contains(reason))
            reasons.append(reason);
    }
    return reasons.join(QStringLiteral("; "));
}

} // namespace

widgets::ValueTable measurementTable(const QString &id, const QString &title, const QList<Metric> &metrics,
                                     const evidence::Namespace &evidence, const ViewOptions &options)
{
    const QList<ValueRow> all = evidence::valueRows(evidence), rows = selectedRows(all, options);
    widgets::ValueTable table;
    table.id = id;
    table.title = QStringLiteral("%1: %2").arg(evidence.name, title);
    table.footer = footer(metrics, evidence, rows, QString(), options);
    table.unavailable = tableUnavailable(metrics, rows, evidence, options);

    QList<RowColumn> columns = identityColumns(options);
    for (const Metric metric : metrics) {
        columns += metricColumns(metric, rows, options);
        if (metric == Metric::Kernel)
            columns += readAgainst(all, metricDecimals(rows, metric, options), options);
    }
    if (metrics.contains(Metric::Kernel) || metrics.contains(Metric::Span)) {
        columns += baselineColumns(metricDecimals(rows, Metric::Kernel, options), options);
        table.footer += baselineNotes(evidence, options);
    }
    if (options.audience == Audience::People)
        columns += errorColumns(options);
    columns += conditionColumns(metrics, options);
    if (options.audience == Audience::Programs)
        columns += errorColumns(options);
    if (options.audience == Audience::People)
        dropEmptyColumns(columns, rows);

    for (const RowColumn &column : columns)
        table.columns.append(column.column);
    if (!table.unavailable.isEmpty())
        return table;
    for (const ValueRow &row : rows) {
        QList<widgets::ValueCell> cells;
        for (const RowColumn &column : columns)
            cells.append(column.cell(row));
        table.rows.append(cells);
    }
    return table;
}

} // namespace stagecraft::views
