// SPDX-License-Identifier: GPL-3.0-or-later
#include "importresults.h"

#include "console.h"
#include "statistics.h"
#include "texttable.h"
#include "viewrows.h"

namespace stagecraft::commands {

namespace {

using evidence::Value;
using evidence::ValueRow;
using widgets::ValueCell;

// The mean; where there is none, the state, unless it is "this tool does not record it".
ValueCell timeCell(const Value &value)
{
    if (value.estimate)
        return {{}, value.estimate->mean, {}};
    return {value.state == evidence::State::Unavailable ? QString() : evidence::stateName(value.state), {}, {}};
}

QString sourceOf(const ValueRow &row)
{
    QStringList sources;
    for (const Value *value : {&row.kernel, &row.span}) {
        if (value->estimate)
            sources.append(value->source);
    }
    return sources.join(QStringLiteral(", "));
}

// Whatever of them had a time: of kernels, or of spans.
ValueCell countCell(const Value &value)
{
    return value.estimate && value.estimate->samples > 0
               ? ValueCell{{}, static_cast<double>(value.estimate->samples), {}}
               : ValueCell{};
}

// Why there is no time, or what its row warns of.
QString remarkOf(const ValueRow &row)
{
    if (row.kernel.estimate || row.span.estimate)
        return row.note.contains(QLatin1String("unlike kinds of launches")) ? row.note.section(u';', 0, 0) : QString();
    return row.span.state == evidence::State::Unavailable ? row.kernel.reason : row.span.reason;
}

widgets::ValueTable tableOf(const evidence::Namespace &evidence)
{
    widgets::ValueTable table;
    table.title = evidence.gpu.isEmpty() ? evidence.name : evidence.name + QStringLiteral(", ") + evidence.gpu;
    const auto column = [&table](const char *title, const char *unit, bool isNumeric, int decimals) {
        table.columns.append(
            {QLatin1String(title), QLatin1String(title), QString::fromUtf8(unit), isNumeric, decimals, {}});
    };
    column("operation", "", false, 0);
    column("dims", "", false, 0);
    column("implementation", "", false, 0);
    column("kernel time", "µs", true, 3);
    column("iterations", "", true, 0);
    column("launches", "per iteration", true, 2);
    column("span", "µs", true, 3);
    column("samples", "", true, 0);
    column("source", "", false, 0);
    column("remark", "", false, 0);
    for (const ValueRow &row : evidence::valueRows(evidence))
        table.rows.append({{row.operation, {}, {}},
                           {evidence::dimsText(row.dims), {}, {}},
                           {row.implementation, {}, {}},
                           timeCell(row.kernel),
                           countCell(row.kernel),
                           timeCell(row.launches),
                           timeCell(row.span),
                           countCell(row.span),
                           {sourceOf(row), {}, {}},
                           {remarkOf(row), {}, {}}});
    return table;
}

} // namespace

void printImported(const evidence::Namespace &evidence, const QString &directory)
{
    for (const QString &line : textTable(tableOf(evidence)))
        printLine(line);
    printLine(QStringLiteral("Evidence: %1").arg(directory));
}

} // namespace stagecraft::commands
