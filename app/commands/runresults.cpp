// SPDX-License-Identifier: GPL-3.0-or-later
#include "runresults.h"

#include "console.h"
#include "texttable.h"
#include "verdict.h"
#include "viewcatalogue.h"

#include <algorithm>
#include <functional>
#include <QCoreApplication>

namespace stagecraft::commands {

namespace {

constexpr int footerWidth = 100;

// Whether every row says the same in this column, which the footer then says for all.
bool isUniform(const widgets::ValueTable &table, qsizetype column)
{
    return std::ranges::all_of(table.rows, [&](const QList<widgets::ValueCell> &row) {
        return row.value(column).text == table.rows.first().value(column).text;
    });
}

void dropColumns(widgets::ValueTable &table, const std::function<bool(qsizetype)> &isUnwanted)
{
    for (qsizetype column = table.columns.size() - 1; column >= 0; --column) {
        if (!isUnwanted(column))
            continue;
        table.columns.removeAt(column);
        for (QList<widgets::ValueCell> &row : table.rows)
            row.removeAt(column);
    }
}

// The columns that a terminal has room for; the files have the others.
widgets::ValueTable narrowed(widgets::ValueTable table)
{
    static const QStringList always = {QStringLiteral("cache"), QStringLiteral("kernel_median_us"),
                                       QStringLiteral("span_median_us"), QStringLiteral("span_low_us"),
                                       QStringLiteral("span_high_us")};
    dropColumns(table, [&](qsizetype column) {
        const QString &id = table.columns[column].id;
        return always.contains(id) || (id == QLatin1String("span_source") && isUniform(table, column));
    });
    return table;
}

const widgets::ValueCell *cellOf(const widgets::ValueTable &table, const QList<widgets::ValueCell> &row, const char *id)
{
    const auto found = std::ranges::find(table.columns, QLatin1String(id), &widgets::ValueColumn::id);
    return found == table.columns.end() ? nullptr : &row[found - table.columns.begin()];
}

// What the row is about, apart from its metric.
QStringList subjectOf(const widgets::ValueTable &table, const QList<widgets::ValueCell> &row)
{
    QStringList subject;
    for (const char *id : {"operation", "dims", "cache", "implementation"}) {
        const widgets::ValueCell *cell = cellOf(table, row, id);
        subject.append(cell ? cell->text : QString());
    }
    return subject;
}

bool hasRatio(const widgets::ValueTable &table, const QList<widgets::ValueCell> &row)
{
    const widgets::ValueCell *ratio = cellOf(table, row, "median_ratio");
    return ratio && ratio->number;
}

bool isNotRun(const widgets::ValueTable &table, const QList<widgets::ValueCell> &row)
{
    const widgets::ValueCell *verdict = cellOf(table, row, "verdict");
    return verdict && verdict->text == evidence::stateName(evidence::State::NotRun);
}

// One row for each implementation: its kernel time's, which come first, or the span's where kernel times cannot be
// compared, or were not taken at all: then the span's says what there is to say.
void keepOneMetric(widgets::ValueTable &table)
{
    QList<QList<widgets::ValueCell>> kept;
    for (const auto &row : std::as_const(table.rows)) {
        const auto same = std::ranges::find_if(
            kept, [&](const auto &other) { return subjectOf(table, other) == subjectOf(table, row); });
        if (same == kept.end())
            kept.append(row);
        else if (!hasRatio(table, *same) && (hasRatio(table, row) || isNotRun(table, *same)))
            *same = row;
    }
    table.rows = kept;
}

void printVerdicts(const evidence::Namespace &evidence, const views::ViewOptions &options)
{
    widgets::ValueTable table = views::buildTable(views::ViewId::Verdicts, evidence, options);
    // Of one implementation alone there is nothing to say.
    if (!table.unavailable.isEmpty())
        return;
    keepOneMetric(table);
    static const QStringList shown = {
        QStringLiteral("operation"),        QStringLiteral("dims"),     QStringLiteral("implementation"),
        QStringLiteral("reference"),        QStringLiteral("metric"),   QStringLiteral("median_ratio"),
        QStringLiteral("rounds_in_favour"), QStringLiteral("rounds"),   QStringLiteral("verdict"),
        QStringLiteral("reason"),           QStringLiteral("next_step")};
    dropColumns(table, [&](qsizetype column) { return !shown.contains(table.columns[column].id); });
    table.footer = wrapped(evidence::verdictRule(), footerWidth);
    printLine({});
    for (const QString &line : textTable(table))
        printLine(line);
}

} // namespace

void printResults(const evidence::Namespace &evidence, const QString &directory)
{
    views::ViewOptions options;
    options.programVersion = QCoreApplication::applicationVersion();
    for (const QString &line : textTable(narrowed(views::buildValueTable(evidence, options))))
        printLine(line);
    printVerdicts(evidence, options);
    printLine({});
    printLine(QStringLiteral("Evidence: %1").arg(directory));
}

} // namespace stagecraft::commands
