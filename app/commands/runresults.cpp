// SPDX-License-Identifier: GPL-3.0-or-later
#include "runresults.h"

#include "console.h"
#include "countersblock.h"
#include "texttable.h"
#include "verdict.h"
#include "viewcatalogue.h"

#include <algorithm>
#include <functional>
#include <QCoreApplication>

namespace stagecraft::commands {

namespace {

constexpr int footerWidth = 100;
constexpr qsizetype longestCell = 60;

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

// That a kernel time is unavailable, its own column says, and where it has none, launches follow.
void shortenStates(widgets::ValueTable &table)
{
    const auto column = std::ranges::find(table.columns, QLatin1String("state"), &widgets::ValueColumn::id);
    if (column == table.columns.end())
        return;
    const qsizetype index = column - table.columns.begin();
    const QString kernel = QStringLiteral("kernel time "), launches = QStringLiteral("launches ");
    for (QList<widgets::ValueCell> &row : table.rows) {
        QStringList parts = row[index].text.split(QStringLiteral(", "));
        const auto kernelPart =
            std::ranges::find_if(parts, [&](const QString &part) { return part.startsWith(kernel); });
        if (kernelPart != parts.end())
            parts.removeOne(launches + kernelPart->mid(kernel.size()));
        row[index].text = parts.join(QStringLiteral(", "));
    }
}

// The columns that a terminal has room for; the files have the others.
widgets::ValueTable narrowed(widgets::ValueTable table)
{
    static const QStringList always = {QStringLiteral("kernel_median_us"), QStringLiteral("span_median_us"),
                                       QStringLiteral("span_low_us"), QStringLiteral("span_high_us")};
    dropColumns(table, [&](qsizetype column) {
        const QString &id = table.columns[column].id;
        return always.contains(id) || (id == QLatin1String("span_source") && isUniform(table, column));
    });
    shortenStates(table);
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

// One row for each implementation: its kernel time's, which come first, or the span's where kernel times cannot be
// compared: everything that runs has spans, so theirs say what there is to say.
void keepOneMetric(widgets::ValueTable &table)
{
    QList<QList<widgets::ValueCell>> kept;
    for (const auto &row : std::as_const(table.rows)) {
        const auto same = std::ranges::find_if(
            kept, [&](const auto &other) { return subjectOf(table, other) == subjectOf(table, row); });
        if (same == kept.end())
            kept.append(row);
        else if (!hasRatio(table, *same))
            *same = row;
    }
    table.rows = kept;
}

// What is too long for a column stands below the table, each once.
QStringList withoutLongCells(widgets::ValueTable &table)
{
    QStringList below;
    for (QList<widgets::ValueCell> &row : table.rows) {
        for (widgets::ValueCell &cell : row) {
            if (cell.text.size() <= longestCell)
                continue;
            if (const QString whole = QStringLiteral("… ") + cell.text; !below.contains(whole))
                below.append(whole);
            cell.text = cell.text.left(cell.text.lastIndexOf(QLatin1Char(' '), longestCell)).left(longestCell) +
                        QStringLiteral(" …");
        }
    }
    QStringList lines;
    for (const QString &whole : std::as_const(below))
        lines += wrapped(whole, footerWidth);
    return lines;
}

bool isMeasured(const evidence::OperationResult &result, const QString &implementation)
{
    return std::ranges::any_of(result.rounds, [&](const evidence::Round &round) {
        const auto found = round.implementations.constFind(implementation);
        return found != round.implementations.cend() && found->state == evidence::State::Ok;
    });
}

// The one that was asked for; else this project's kernels where they were measured, else what was measured of the
// implementations in the user's order. Empty: nothing was.
QString referenceOf(const evidence::OperationResult &result, const QString &asked)
{
    if (!asked.isEmpty() || result.rounds.isEmpty())
        return asked;
    QStringList candidates = result.rounds.first().order;
    candidates.prepend(QStringLiteral("cuda"));
    const auto found = std::ranges::find_if(candidates, [&](const QString &id) { return isMeasured(result, id); });
    return found == candidates.end() ? QString() : *found;
}

// Each operation has a reference of its own: not every implementation computes all of them.
widgets::ValueTable verdictTable(const evidence::Namespace &evidence, views::ViewOptions options, const QString &asked)
{
    widgets::ValueTable all;
    for (const evidence::OperationResult &result : evidence.results) {
        evidence::Namespace one = evidence;
        one.results = {result};
        one.captures.removeIf([&](const evidence::Capture &capture) {
            return capture.operation != result.operation || capture.dims != result.dims ||
                   capture.cache != result.cache;
        });
        options.reference = referenceOf(result, asked);
        widgets::ValueTable table = views::buildTable(views::ViewId::Verdicts, one, options);
        // Of one implementation alone there is nothing to say.
        if (!table.unavailable.isEmpty())
            continue;
        table.rows = all.rows + table.rows;
        all = table;
    }
    return all;
}

void printVerdicts(const evidence::Namespace &evidence, const views::ViewOptions &options, const QString &reference)
{
    widgets::ValueTable table = verdictTable(evidence, options, reference);
    if (table.rows.isEmpty())
        return;
    keepOneMetric(table);
    static const QStringList shown = {
        QStringLiteral("operation"),        QStringLiteral("dims"),     QStringLiteral("implementation"),
        QStringLiteral("reference"),        QStringLiteral("metric"),   QStringLiteral("median_ratio"),
        QStringLiteral("rounds_in_favour"), QStringLiteral("rounds"),   QStringLiteral("verdict"),
        QStringLiteral("reason"),           QStringLiteral("next_step")};
    dropColumns(table, [&](qsizetype column) { return !shown.contains(table.columns[column].id); });
    table.footer = withoutLongCells(table);
    table.footer += wrapped(QStringLiteral("A ratio is of round medians, the implementation's ÷ the reference's: below "
                                           "1 the implementation is faster. ") +
                                evidence::verdictRule(),
                            footerWidth);
    printLine({});
    for (const QString &line : textTable(table))
        printLine(line);
}

// Spans hold a launch, and this is what one costs at least. Nothing where the run did not measure it.
QString emptyCallText(const evidence::Namespace &evidence)
{
    const auto timeOf = [&](const char *what) {
        const auto found =
            std::ranges::find(evidence.floorMeasurements, QLatin1String(what), &evidence::FloorMeasurement::what);
        const bool known = found != evidence.floorMeasurements.end() && found->unit == QStringLiteral("µs");
        return known ? QString::number(found->value, 'f', 1) : QString();
    };
    const QString span = timeOf("span of an empty kernel"), kernel = timeOf("empty kernel");
    if (span.isEmpty() || kernel.isEmpty())
        return {};
    return QStringLiteral("An empty kernel's call takes %1 µs around it, %2 µs of which are the kernel.")
        .arg(span, kernel);
}

} // namespace

void printResults(const evidence::Namespace &evidence, const QString &directory, const QString &reference)
{
    views::ViewOptions options;
    options.programVersion = QCoreApplication::applicationVersion();
    for (const QString &line : textTable(narrowed(views::buildValueTable(evidence, options))))
        printLine(line);
    if (const QString text = emptyCallText(evidence); !text.isEmpty())
        printLine(text);
    printVerdicts(evidence, options, reference);
    printLine({});
    if (const QStringList lines = countersBlock(evidence); !lines.isEmpty()) {
        for (const QString &line : lines)
            printLine(line);
        printLine({});
    }
    printLine(QStringLiteral("Evidence: %1").arg(directory));
}

} // namespace stagecraft::commands
