// SPDX-License-Identifier: GPL-3.0-or-later
#include "cachestate.h"
#include "captions.h"
#include "comparecolumns.h"
#include "compareparts.h"
#include "comparewords.h"

#include <algorithm>
#include <functional>

namespace stagecraft::views {

using evidence::Change;
using evidence::ComparedRow;
using evidence::Comparison;
using evidence::ValueRow;
using widgets::ValueCell;
using widgets::ValueColumn;

namespace {

// A row of the table: compared, or of one side alone.
struct Entry
{
    const ComparedRow *compared = nullptr;
    const ValueRow *base = nullptr, *now = nullptr; // one of them is absent where `compared` is
    const ValueRow &any() const { return now ? *now : *base; }
};

struct Column
{
    ValueColumn column;
    std::function<ValueCell(const Entry &)> cell;
};

QList<Entry> entriesOf(const Comparison &comparison)
{
    QList<Entry> entries;
    for (const ComparedRow &row : comparison.rows)
        entries.append({&row, &row.base, &row.now});
    for (const ValueRow &row : comparison.onlyBase)
        entries.append({nullptr, &row, nullptr});
    for (const ValueRow &row : comparison.onlyNow)
        entries.append({nullptr, nullptr, &row});
    return entries;
}

Column words(const ValueColumn &column, const std::function<QString(const Entry &)> &text)
{
    return {column, [text](const Entry &entry) { return textCell(text(entry)); }};
}

// Builds the columns for one audience; names stand in headings and in the words of rows that only one side has.
class Columns
{
public:
    Columns(const Comparison &comparison, const ViewOptions &options)
        : m_baseName(comparison.baseName),
          m_nowName(comparison.nowName),
          m_decimals(compareDecimals(options)),
          m_boundDecimals(boundDecimals(comparison, m_decimals)),
          m_ids(options.audience == Audience::Programs)
    {
    }

    QList<Column> all() const { return identity() + times() + conditions(); }

private:
    QString lone(const Entry &entry) const { return QStringLiteral("only in ") + (entry.now ? m_nowName : m_baseName); }

    QList<Column> identity() const
    {
        const bool ids = m_ids;
        QList<Column> columns{
            words(textColumn("operation", "operation", "what is computed"),
                  [ids](const Entry &entry) { return ids ? entry.any().operation : entry.any().operationTitle; }),
            words(textColumn("dims", "dims", "the operation's dimensions"),
                  [ids](const Entry &entry) {
                      return ids ? evidence::dimsText(entry.any().dims) : dimsLabel(entry.any().dims);
                  }),
            words(textColumn("cache", "cache", "cache state before each call"), [ids](const Entry &entry) {
                return ids ? entry.any().cache : evidence::cacheState(entry.any().cache);
            })};
        return columns + (ids ? idColumns() : labelColumns());
    }

    static QList<Column> labelColumns()
    {
        return {words(textColumn("implementation", "implementation", "who computes it; base → new where they differ"),
                      [](const Entry &entry) {
                          return entry.compared ? comparedLabel(*entry.compared) : rowLabel(entry.any());
                      }),
                words(textColumn("stage", "stage", "version of this project's kernel; base → new where they differ"),
                      [](const Entry &entry) {
                          return entry.compared ? comparedStages(*entry.compared)
                                                : entry.any().stage.section(QLatin1Char('/'), 1);
                      })};
    }

    static QList<Column> idColumns()
    {
        const auto of = [](const ValueRow *row, QString ValueRow::*member) { return row ? row->*member : QString(); };
        const auto column = [&of](const char *id, const char *toolTip, const ValueRow *Entry::*which,
                                  QString ValueRow::*member) {
            return words(textColumn(id, id, toolTip),
                         [of, which, member](const Entry &entry) { return of(entry.*which, member); });
        };
        return {column("implementation", "who computes it, new", &Entry::now, &ValueRow::implementation),
                column("base_implementation", "who computes it, base", &Entry::base, &ValueRow::implementation),
                column("stage", "version of the kernel, new", &Entry::now, &ValueRow::stage),
                column("base_stage", "version of the kernel, base", &Entry::base, &ValueRow::stage),
                column("arithmetic", "arithmetic, new", &Entry::now, &ValueRow::arithmetic),
                column("base_arithmetic", "arithmetic, base", &Entry::base, &ValueRow::arithmetic)};
    }

    QList<Column> times() const
    {
        return metric(Metric::Kernel, &ComparedRow::kernel) + drift() + metric(Metric::Span, &ComparedRow::span) +
               (m_ids ? spanRanges() : QList<Column>());
    }

    // What a span is judged by where there is no kernel time: whether the ranges of the round means overlap.
    QList<Column> spanRanges() const
    {
        const auto column = [this](const QString &id, const QString &what, const ValueRow *Entry::*which,
                                   const std::function<std::optional<double>(const evidence::Estimate &)> &number) {
            return Column{{id, id, QStringLiteral("µs"), true, m_decimals, what}, [which, number](const Entry &entry) {
                              const evidence::Estimate *estimate =
                                  entry.*which ? drawable((entry.*which)->span) : nullptr;
                              return ValueCell{{}, estimate ? number(*estimate) : std::nullopt, {}};
                          }};
        };
        QList<Column> columns;
        for (const auto &[prefix, which] :
             {std::pair(QStringLiteral("base_span"), &Entry::base), std::pair(QStringLiteral("span"), &Entry::now)})
            columns += {column(prefix + QStringLiteral("_median_us"), QStringLiteral("median of all spans"), which,
                               [](const evidence::Estimate &span) { return span.median; }),
                        column(prefix + QStringLiteral("_low_us"), QStringLiteral("smallest mean of a round"), which,
                               [](const evidence::Estimate &span) { return std::optional(span.low); }),
                        column(prefix + QStringLiteral("_high_us"), QStringLiteral("largest mean of a round"), which,
                               [](const evidence::Estimate &span) { return std::optional(span.high); })};
        return columns;
    }

    // The mean of either side and the change between them.
    QList<Column> metric(Metric metric, const Change ComparedRow::*change) const
    {
        const QString id = metric == Metric::Kernel ? QStringLiteral("kernel") : QStringLiteral("span");
        const QString title = metricTitle(metric).toLower();
        const auto time = [&](const QString &column, const QString &name, const ValueRow *Entry::*which) {
            return Column{{column, QStringLiteral("%1 in %2").arg(id, name), QStringLiteral("µs"), true, m_decimals,
                           QStringLiteral("%1 in %2, mean").arg(title, name)},
                          [metric, which](const Entry &entry) {
                              return entry.*which ? valueCell(metricValue(*(entry.*which), metric))
                                                  : stateCell(evidence::State::NotRun, QString());
                          }};
        };
        const Column percent{{id + QStringLiteral("_change_percent"), QStringLiteral("Δ ") + id, QStringLiteral("%"),
                              true, m_decimals,
                              QStringLiteral("%1: new ÷ base − 1 in percent; below zero is faster").arg(title)},
                             [change](const Entry &entry) {
                                 return entry.compared ? changeCell(entry.compared->*change) : textCell(QString());
                             }};
        return {time(QStringLiteral("base_%1_us").arg(id), m_baseName, &Entry::base),
                time(QStringLiteral("%1_us").arg(id), m_nowName, &Entry::now), percent};
    }

    QList<Column> drift() const
    {
        QList<Column> columns{
            {{QStringLiteral("drift_bound_percent"), QStringLiteral("drift"), QStringLiteral("%"), true,
              m_boundDecimals,
              QStringLiteral("largest change among the other unchanged operations of the implementation")},
             [](const Entry &entry) { return entry.compared ? boundCell(*entry.compared) : textCell(QString()); }},
            words(textColumn("verdict", "verdict", "whether the change is more than drift"),
                  [names = *this](const Entry &entry) {
                      return entry.compared ? verdictWords(*entry.compared, names.m_decimals) : names.lone(entry);
                  }),
            {textColumn("unchanged", "unchanged",
                        "whether the kernel is the same in both, so that only the machine moved"),
             [](const Entry &entry) {
                 if (!entry.compared)
                     return textCell(QString());
                 return textCell(entry.compared->isUnchanged ? QStringLiteral("yes") : QStringLiteral("no"),
                                 entry.compared->unchangedWhy);
             }}};
        if (m_ids) {
            columns.append(
                words(textColumn("unchanged_reason", "unchanged reason", "what says so"),
                      [](const Entry &entry) { return entry.compared ? entry.compared->unchangedWhy : QString(); }));
            columns.append(words(
                textColumn("drift_bound_operations", "drift of", "the operations that the bound is of"),
                [](const Entry &entry) {
                    return entry.compared ? entry.compared->boundOperations.join(QStringLiteral("; ")) : QString();
                }));
        }
        return columns;
    }

    QList<Column> conditions() const
    {
        QList<Column> columns{words(textColumn("reason", "why not", "why there is no change to tell"),
                                    [](const Entry &entry) { return reasonOf(entry); }),
                              words(textColumn("flags", "flags", "what to know before trusting the values"),
                                    [](const Entry &entry) { return flagsOf(entry); })};
        if (!m_ids)
            return columns;
        const QString base = m_baseName, now = m_nowName;
        columns.append(words(textColumn("base_namespace", "base namespace", "where the row is of"),
                             [base](const Entry &entry) { return entry.base ? base : QString(); }));
        columns.append(words(textColumn("namespace", "namespace", "where the row is of"),
                             [now](const Entry &entry) { return entry.now ? now : QString(); }));
        return columns;
    }

    static QString reasonOf(const Entry &entry)
    {
        if (!entry.compared)
            return entry.any().kernel.reason;
        return entry.compared->judged().percent ? QString() : entry.compared->judged().why;
    }

    static QString flagsOf(const Entry &entry)
    {
        QStringList labels;
        for (const ValueRow *row : {entry.base, entry.now})
            if (row)
                for (const evidence::Flag flag : row->flags)
                    labels.append(evidence::flagLabel(flag));
        labels.removeDuplicates();
        return labels.join(QStringLiteral(", "));
    }

    QString m_baseName, m_nowName;
    int m_decimals, m_boundDecimals;
    bool m_ids;
};

} // namespace

widgets::ValueTable twoTable(const evidence::Namespace &base, const evidence::Namespace &now,
                             const ViewOptions &options)
{
    const Comparison comparison = evidence::compare(base, now, comparisonOptions(options));
    const QList<Column> columns = Columns(comparison, options).all();
    widgets::ValueTable table;
    table.title = QStringLiteral("%1 against %2").arg(now.name, base.name);
    for (const Column &column : columns)
        table.columns.append(column.column);
    for (const Entry &entry : entriesOf(comparison)) {
        QList<ValueCell> cells;
        for (const Column &column : columns)
            cells.append(column.cell(entry));
        table.rows.append(cells);
    }
    for (const evidence::Difference &difference : comparison.differences)
        table.footer.append(QStringLiteral("Differs: ") + differenceLine(difference));
    table.footer += compareFooter(comparison, originsOf(base, now, comparison), options);
    if (options.audience == Audience::People)
        dropEmptyColumns(table);
    return table;
}

} // namespace stagecraft::views
