// SPDX-License-Identifier: GPL-3.0-or-later
#include "cachestate.h"
#include "captions.h"
#include "comparecolumns.h"
#include "compareparts.h"
#include "comparetrend.h"
#include "comparewords.h"

namespace stagecraft::views {

using evidence::ValueRow;
using widgets::ValueCell;
using widgets::ValueColumn;

namespace {

QList<ValueColumn> columnsOf(const Trend &trend, int decimals, bool ids)
{
    QList<ValueColumn> columns{textColumn("operation", "operation", "what is computed"),
                               textColumn("dims", "dims", "the operation's dimensions"),
                               textColumn("cache", "cache", "cache state before each call"),
                               textColumn("implementation", "implementation", "who computes it"),
                               textColumn("stage", "stage", "versions of this project's kernel, along the row")};
    const auto times = [&](const QString &id) {
        for (const QString &name : trend.names)
            columns.append({QStringLiteral("%1_%2_us").arg(name, id), QStringLiteral("%1 in %2").arg(id, name),
                            QStringLiteral("µs"), true, decimals,
                            QStringLiteral("mean of the %1 in %2").arg(id, name)});
    };
    times(QStringLiteral("kernel"));
    if (ids)
        times(QStringLiteral("span"));
    columns.append(
        {QStringLiteral("kernel_change_percent"), QStringLiteral("Δ kernel"), QStringLiteral("%"), true, decimals,
         QStringLiteral("kernel time: %1 ÷ %2 − 1 in percent").arg(trend.names.last(), trend.names.first())});
    columns.append({QStringLiteral("drift_bound_percent"), QStringLiteral("drift"), QStringLiteral("%"), true,
                    boundDecimals(trend.firstToLast, decimals),
                    QStringLiteral("largest change among the other unchanged operations of the implementation")});
    columns.append(
        textColumn("verdict", "verdict", "whether the change from the first to the last is more than drift"));
    columns.append(textColumn("reason", "why not", "why there is no change to tell"));
    return columns;
}

// People see the whole way, "tiled → registers → k64"; programs get the ids.
ValueCell stageCell(const TrendRow &row, bool ids)
{
    QStringList names = row.stages();
    if (!ids)
        for (QString &name : names)
            name = name.section(QLatin1Char('/'), 1);
    return textCell(names.join(ids ? QStringLiteral("; ") : QStringLiteral(" → ")));
}

QList<ValueCell> cellsOf(const TrendRow &row, int decimals, bool ids)
{
    const ValueRow &any = row.any();
    QList<ValueCell> cells{textCell(ids ? any.operation : any.operationTitle),
                           textCell(ids ? evidence::dimsText(any.dims) : dimsLabel(any.dims)),
                           textCell(ids ? any.cache : evidence::cacheState(any.cache)),
                           textCell(ids ? any.implementation : rowLabel(any)), stageCell(row, ids)};
    const auto times = [&](Metric metric) {
        for (const std::optional<ValueRow> &place : row.places)
            cells.append(place ? valueCell(metricValue(*place, metric))
                               : stateCell(evidence::State::NotRun, QStringLiteral("not measured there")));
    };
    times(Metric::Kernel);
    if (ids)
        times(Metric::Span);
    if (!row.change) {
        cells += {textCell({}), textCell({}), textCell(QStringLiteral("not comparable")),
                  textCell(QStringLiteral("the first or the last namespace did not measure it"))};
        return cells;
    }
    cells += {changeCell(row.change->kernel), boundCell(*row.change), textCell(verdictWords(*row.change, decimals)),
              textCell(row.change->judged().percent ? QString() : row.change->judged().why)};
    return cells;
}

} // namespace

widgets::ValueTable trendTable(const evidence::Namespace &now, const ViewOptions &options)
{
    const Trend trend = trendOf(now, options);
    const bool ids = options.audience == Audience::Programs;
    widgets::ValueTable table;
    table.title = QStringLiteral("%1: trend").arg(trend.names.join(QStringLiteral(", ")));
    table.columns = columnsOf(trend, compareDecimals(options), ids);
    for (const TrendRow &row : trend.rows)
        table.rows.append(cellsOf(row, compareDecimals(options), ids));
    for (const int place : trend.gpuBreaks)
        table.footer.append(QStringLiteral("%1 was measured on another GPU than %2: they are never one series.")
                                .arg(trend.names[place], trend.names[place - 1]));
    table.footer += trend.stepLines;
    table.footer += compareFooter(trend.firstToLast, originsOf(trend, now, options), options);
    if (!ids)
        dropEmptyColumns(table);
    return table;
}

} // namespace stagecraft::views
