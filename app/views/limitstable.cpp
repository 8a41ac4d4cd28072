// SPDX-License-Identifier: GPL-3.0-or-later
#include "captions.h"
#include "comparecolumns.h"
#include "counterrows.h"
#include "kernelnames.h"
#include "limitsview.h"

#include <functional>

namespace stagecraft::views {

using evidence::Limit;
using widgets::ValueCell;
using widgets::ValueColumn;

namespace {

struct CounterColumn
{
    ValueColumn column;
    std::function<ValueCell(const CounterRow &)> cell;
};

// What was not counted or cannot be told is unavailable, never 0.
ValueCell amount(const std::optional<double> &value, const CounterRow &row)
{
    if (value)
        return {QString(), value, QString()};
    const bool counted = row.state == evidence::State::Ok;
    return {evidence::stateName(counted ? evidence::State::Unavailable : row.state), std::nullopt,
            counted ? QStringLiteral("not counted, or not known") : row.reason};
}

CounterColumn text(const QString &id, const QString &title, const QString &toolTip,
                   const std::function<QString(const CounterRow &)> &value)
{
    return {{id, title, QString(), false, 0, toolTip}, [value](const CounterRow &row) { return textCell(value(row)); }};
}

CounterColumn number(const QString &id, const QString &title, const QString &unit, int decimals, const QString &toolTip,
                     const std::function<std::optional<double>(const CounterRow &)> &value)
{
    return {{id, title, unit, true, decimals, toolTip},
            [value](const CounterRow &row) { return amount(value(row), row); }};
}

QString idOf(Limit limit, const char *ending)
{
    return evidence::limitId(limit).replace(QLatin1Char('-'), QLatin1Char('_')) + QLatin1String(ending);
}

const evidence::UnitUse *useOf(const CounterRow &row, Limit unit)
{
    const auto found = std::ranges::find(row.answer.units, unit, &evidence::UnitUse::unit);
    return found == row.answer.units.end() ? nullptr : &*found;
}

QList<CounterColumn> nameColumns(bool ids)
{
    QList<CounterColumn> columns{
        text(QStringLiteral("operation"), QStringLiteral("operation"), QStringLiteral("what is computed"),
             [ids](const CounterRow &row) { return ids ? row.operation : evidence::operationLabel(row.operation); }),
        text(QStringLiteral("implementation"), QStringLiteral("implementation"),
             QStringLiteral("the stage, or who computes it"),
             [ids](const CounterRow &row) { return ids ? row.implementation : counterRowName(row); })};
    if (!ids)
        return columns;
    return columns +
           QList<CounterColumn>{
               text(QStringLiteral("dims"), QStringLiteral("dims"), QStringLiteral("the operation's dimensions"),
                    [](const CounterRow &row) { return evidence::dimsText(row.dims); }),
               text(QStringLiteral("cache"), QStringLiteral("cache"), QStringLiteral("warm or cold"),
                    [](const CounterRow &row) { return row.cache; }),
               text(QStringLiteral("stage"), QStringLiteral("stage"), QStringLiteral("the stage file"),
                    [](const CounterRow &row) { return row.stage; }),
               text(QStringLiteral("arithmetic"), QStringLiteral("arithmetic"), QStringLiteral("what it computes in"),
                    [](const CounterRow &row) { return row.arithmetic; }),
               text(QStringLiteral("kernel"), QStringLiteral("kernel"), QStringLiteral("the kernel's name"),
                    [](const CounterRow &row) { return row.kernel.kernelName; }),
               text(QStringLiteral("launch"), QStringLiteral("launch"),
                    QStringLiteral("which of the kernels of one call"),
                    [](const CounterRow &row) { return QString::number(row.kernelNumber + 1); }),
               text(QStringLiteral("grid"), QStringLiteral("grid"), QStringLiteral("blocks along x, y and z"),
                    [](const CounterRow &row) { return row.kernel.gridSize; }),
               text(QStringLiteral("block"), QStringLiteral("block"), QStringLiteral("threads along x, y and z"),
                    [](const CounterRow &row) { return row.kernel.blockSize; })};
}

CounterColumn shareColumn(int decimals)
{
    return number(QStringLiteral("time_share"), QStringLiteral("share"), QStringLiteral("%"), decimals,
                  QStringLiteral("of the kernel time of the call"),
                  [](const CounterRow &row) { return row.sharePercent; });
}

CounterColumn sentenceColumn()
{
    return text(QStringLiteral("sentence"), QStringLiteral("sentence"), QStringLiteral("the answer in words"),
                [](const CounterRow &row) {
                    return row.state == evidence::State::Ok ? evidence::shortageSentence(row.answer) : row.reason;
                });
}

// The sentence stands beside the limit for people, who read, and behind all numbers for programs.
QList<CounterColumn> answerColumns(bool ids, int decimals)
{
    const auto named = [ids](Limit limit) { return ids ? evidence::limitId(limit) : evidence::limitName(limit); };
    QList<CounterColumn> columns{
        number(QStringLiteral("kernel_us"), QStringLiteral("kernel"), QStringLiteral("µs"), decimals,
               QStringLiteral("its time in the ordinary rounds"),
               [](const CounterRow &row) {
                   return row.facts.kernelUs ? row.facts.kernelUs : row.kernelCount > 1 ? std::nullopt : row.callUs;
               }),
        {{QStringLiteral("short_of"), QStringLiteral("short of"), QString(), false, 0,
          QStringLiteral("what the kernel has too little of")},
         [named](const CounterRow &row) {
             return row.state == evidence::State::Ok
                        ? ValueCell{named(row.answer.limit), std::nullopt, evidence::shortageSentence(row.answer)}
                        : ValueCell{evidence::stateName(row.state), std::nullopt, row.reason};
         }},
        number(QStringLiteral("margin_points"), QStringLiteral("margin"), QStringLiteral("points"), decimals,
               QStringLiteral("by which it leads the next limit, in percentage points"),
               [](const CounterRow &row) { return row.answer.marginPoints; }),
        text(QStringLiteral("next"), QStringLiteral("next"), QStringLiteral("the limit behind it"),
             [named](const CounterRow &row) { return row.answer.next ? named(*row.answer.next) : QString(); })};
    if (!ids)
        columns.insert(2, sentenceColumn());
    return columns;
}

QList<CounterColumn> unitColumns(bool ids, int decimals)
{
    QList<CounterColumn> columns;
    for (int i = 0; i < evidence::kUnitCount; ++i) {
        const Limit unit = static_cast<Limit>(i);
        columns.append(number(idOf(unit, "_percent"), evidence::limitName(unit), QStringLiteral("%"), decimals,
                              QStringLiteral("of its peak; of L2 and DRAM bandwidth, of the fastest copy or read where "
                                             "that is more"),
                              [unit](const CounterRow &row) {
                                  const evidence::UnitUse *use = useOf(row, unit);
                                  return use ? use->level() : std::nullopt;
                              }));
        if (ids && (unit == Limit::L2Bandwidth || unit == Limit::DramBandwidth))
            columns.append(number(idOf(unit, "_of_measured_percent"), evidence::limitName(unit), QStringLiteral("%"),
                                  decimals, QStringLiteral("bytes ÷ kernel time, of the fastest copy or read"),
                                  [unit](const CounterRow &row) {
                                      const evidence::UnitUse *use = useOf(row, unit);
                                      return use ? use->ofMeasured : std::nullopt;
                                  }));
    }
    const auto ofTime = [&](const char *id, const char *title, std::optional<double> evidence::Shortage::*member) {
        columns.append(number(QString::fromUtf8(id), QString::fromUtf8(title), QStringLiteral("%"), decimals,
                              QStringLiteral("of the kernel time"),
                              [member](const CounterRow &row) { return row.answer.*member; }));
    };
    ofTime("launch_ramp_percent", "launch ramp", &evidence::Shortage::rampPercent);
    ofTime("tail_percent", "tail", &evidence::Shortage::tailPercent);
    if (ids)
        ofTime("busy_percent", "busy", &evidence::Shortage::busyPercent);
    ofTime("waiting_percent", "waiting", &evidence::Shortage::waitingPercent);
    return columns;
}

// Every metric by its name in Nsight Compute, as it was recorded.
QList<CounterColumn> metricColumns(const QList<CounterRow> &rows)
{
    QMap<QString, QString> units;
    for (const CounterRow &row : rows)
        units.insert(row.units);
    QList<CounterColumn> columns;
    for (auto it = units.begin(); it != units.end(); ++it)
        columns.append(number(it.key(), it.key(), it.value(), 3, QStringLiteral("as it was counted"),
                              [name = it.key()](const CounterRow &row) {
                                  const auto found = row.kernel.values.constFind(name);
                                  return found == row.kernel.values.constEnd() ? std::nullopt : std::optional(*found);
                              }));
    return columns;
}

} // namespace

widgets::ValueTable limitsTable(const evidence::Namespace &evidence, const ViewOptions &options)
{
    const bool ids = options.audience == Audience::Programs;
    const int decimals = options.decimals < 0 ? 1 : options.decimals;
    widgets::ValueTable table;
    table.id = viewName(ViewId::Limits);
    table.title = QStringLiteral("%1: what each kernel is short of").arg(evidence.name);
    const QList<CounterRow> rows = counterRows(evidence, options, ids);
    table.unavailable = countersUnavailable(rows, evidence);
    QList<CounterColumn> columns = nameColumns(ids);
    if (ids || std::ranges::any_of(rows, [](const CounterRow &row) { return row.kernelCount > 1; }))
        columns.append(shareColumn(decimals));
    columns += answerColumns(ids, decimals) + unitColumns(ids, decimals);
    if (ids) {
        columns.append(sentenceColumn());
        columns += metricColumns(rows);
    }
    for (const CounterColumn &column : columns)
        table.columns.append(column.column);
    if (table.unavailable.isEmpty())
        for (const CounterRow &row : rows) {
            QList<ValueCell> cells;
            for (const CounterColumn &column : columns)
                cells.append(column.cell(row));
            table.rows.append(cells);
        }
    table.footer = table.unavailable.isEmpty() ? limitsFooter(evidence, options) : originLines(evidence, options);
    return table;
}

} // namespace stagecraft::views
