// SPDX-License-Identifier: GPL-3.0-or-later
#include "captions.h"
#include "resourcerows.h"
#include "resourcesview.h"
#include "viewrows.h"

#include <algorithm>
#include <functional>

namespace stagecraft::views {

using widgets::ValueCell;
using widgets::ValueColumn;

namespace {

struct ResourceColumn
{
    ValueColumn column;
    std::function<ValueCell(const ResourceRow &)> cell;
    bool programsOnly = false;
};

ValueCell words(const QString &text)
{
    return {text, std::nullopt, QString()};
}

// A count that is not recorded is unavailable, never 0.
template <typename Count>
ValueCell count(const std::optional<Count> &value, const QString &reason = QStringLiteral("not recorded"))
{
    if (value)
        return {QString(), static_cast<double>(*value), QString()};
    return {evidence::stateName(evidence::State::Unavailable), std::nullopt, reason};
}

ResourceColumn text(const char *id, const char *title, const char *toolTip,
                    const std::function<QString(const ResourceRow &)> &value, bool programsOnly = false)
{
    return {{QString::fromUtf8(id), QString::fromUtf8(title), QString(), false, 0, QString::fromUtf8(toolTip)},
            [value](const ResourceRow &row) { return words(value(row)); },
            programsOnly};
}

ResourceColumn number(const char *id, const char *title, const char *unit, int decimals, const char *toolTip,
                      const std::function<ValueCell(const ResourceRow &)> &cell)
{
    return {{QString::fromUtf8(id), QString::fromUtf8(title), QString::fromUtf8(unit), true, decimals,
             QString::fromUtf8(toolTip)},
            cell};
}

// Of one launch; bytes and registers as the compiler or the kernel records have them.
template <typename Count>
ResourceColumn launchCount(const char *id, const char *title, const char *unit, const char *toolTip,
                           std::optional<Count> evidence::LaunchResources::*member)
{
    return number(id, title, unit, 0, toolTip, [member](const ResourceRow &row) { return count(row.launch.*member); });
}

QList<ResourceColumn> nameColumns(bool ids)
{
    return {
        text("operation", "operation", "what is computed",
             [ids](const ResourceRow &row) { return ids ? row.operation : evidence::operationLabel(row.operation); }),
        text("dims", "dims", "the operation's dimensions",
             [ids](const ResourceRow &row) { return ids ? evidence::dimsText(row.dims) : dimsLabel(row.dims); }),
        text("kind", "kind", "stage, attempt or implementation", [](const ResourceRow &row) { return row.kind; }),
        text("id", "id", "of the stage or implementation", [](const ResourceRow &row) { return row.id; }),
        text("title", "title", "what it is", [](const ResourceRow &row) { return row.label; }),
        text(
            "launch", "launch", "which of the kernels of one call",
            [](const ResourceRow &row) { return QString::number(row.launchNumber + 1); }, true),
        text(
            "entry", "kernel", "the kernel's name", [](const ResourceRow &row) { return row.launch.entry; }, true),
        text("grid", "grid", "blocks along x, y and z", [](const ResourceRow &row) { return row.launch.grid; }),
        text("block", "block", "threads along x, y and z", [](const ResourceRow &row) { return row.launch.block; })};
}

QList<ResourceColumn> takenColumns()
{
    using evidence::LaunchResources;
    return {launchCount("blocks", "blocks", "", "blocks of the grid", &LaunchResources::blocks),
            launchCount("threads_per_block", "threads", "", "threads of a block", &LaunchResources::threadsPerBlock),
            launchCount("registers_per_thread", "registers", "", "of a thread", &LaunchResources::registersPerThread),
            launchCount("shared_mem_bytes", "shared", "B", "shared memory of a block, static and dynamic",
                        &LaunchResources::sharedMemBytes),
            launchCount("local_bytes", "local", "B", "local memory of a thread", &LaunchResources::localBytes),
            launchCount("spill_bytes", "spilled", "B", "registers that the compiler put into local memory, of a thread",
                        &LaunchResources::spillBytes),
            launchCount("barriers", "barriers", "", "barriers that the kernel uses", &LaunchResources::barriers)};
}

QList<ResourceColumn> outcomeColumns(const SmFacts &facts)
{
    return {number("resident_threads_per_sm", "resident", "", 0, "threads of the kernel that one SM holds at once",
                   [](const ResourceRow &row) { return count(row.residency.threads, row.residency.reason); }),
            number("max_threads_per_sm", "limit", "", 0, "threads that one SM can hold",
                   [facts](const ResourceRow &) { return count(facts.threads); }),
            text("resident_source", "from",
                 "driver: its own figure; calculated: from the columns before; grid: its blocks spread over the SMs",
                 [](const ResourceRow &row) { return row.residency.source; }),
            text("limited_by", "limited by", "what there is too little of",
                 [](const ResourceRow &row) { return row.residency.limitedBy; }),
            number("blocks_per_sm", "blocks per SM", "", 0, "blocks of the kernel that fit on one SM",
                   [](const ResourceRow &row) { return count(row.residency.blocksPerSm, row.residency.reason); }),
            number("waves", "waves", "", 2, "blocks of the grid ÷ blocks that all SMs hold at once",
                   [](const ResourceRow &row) { return count(row.residency.waves, row.residency.reason); }),
            text(
                "state", "state", "ok, or that the resident threads are unavailable",
                [](const ResourceRow &row) {
                    return evidence::stateName(row.residency.threads ? evidence::State::Ok
                                                                     : evidence::State::Unavailable);
                },
                true),
            text(
                "reason", "reason", "why they are", [](const ResourceRow &row) { return row.residency.reason; }, true)};
}

// A column that says of every row that nothing is recorded helps no reader; programs get it all the same.
bool isEmpty(const ResourceColumn &column, const QList<ResourceRow> &rows)
{
    return std::none_of(rows.begin(), rows.end(), [&column](const ResourceRow &row) {
        const ValueCell cell = column.cell(row);
        return column.column.numeric ? cell.number.has_value() : !cell.text.isEmpty();
    });
}

} // namespace

widgets::ValueTable resourcesTable(const evidence::Namespace &evidence, const ViewOptions &options)
{
    widgets::ValueTable table;
    table.id = viewName(ViewId::Resources);
    table.title = QStringLiteral("%1: resources").arg(evidence.name);
    const bool programs = options.audience == Audience::Programs;
    QList<ResourceColumn> columns = nameColumns(programs) + takenColumns() + outcomeColumns(smFacts(evidence));
    const QList<ResourceRow> rows = resourceRows(evidence, options);
    if (!programs)
        columns.removeIf(
            [&rows](const ResourceColumn &column) { return column.programsOnly || isEmpty(column, rows); });
    for (const ResourceColumn &column : columns)
        table.columns.append(column.column);
    for (const ResourceRow &row : rows) {
        QList<ValueCell> cells;
        for (const ResourceColumn &column : columns)
            cells.append(column.cell(row));
        table.rows.append(cells);
    }
    const widgets::Figure figure = resourcesFigure(evidence, options);
    table.unavailable = figure.unavailable;
    table.footer = figure.footer;
    return table;
}

} // namespace stagecraft::views
