// SPDX-License-Identifier: GPL-3.0-or-later
#include "cachestate.h"
#include "captions.h"
#include "verdictrows.h"
#include "verdictsview.h"

#include <algorithm>

namespace stagecraft::views {

namespace {

using widgets::ValueCell;

widgets::ValueColumn words(const char *id, const char *title, const char *toolTip)
{
    return {QString::fromUtf8(id), QString::fromUtf8(title), QString(), false, 0, QString::fromUtf8(toolTip)};
}

widgets::ValueColumn number(const char *id, const char *title, const char *unit, int decimals, const char *toolTip)
{
    return {QString::fromUtf8(id),     QString::fromUtf8(title), QString::fromUtf8(unit), true, decimals,
            QString::fromUtf8(toolTip)};
}

QList<widgets::ValueColumn> columns(int decimals)
{
    return {words("operation", "operation", "what is computed"),
            words("dims", "dims", "the operation's dimensions"),
            words("cache", "cache", "cache state before each call"),
            words("implementation", "implementation", "who computes it"),
            words("reference", "reference", "what it is compared with"),
            words("metric", "metric", "kernel time or span; never one with the other"),
            number("median_ratio", "ratio", "", decimals,
                   "the implementation's time ÷ the reference's: median over the rounds; below 1 is faster"),
            number("ratio_low", "low", "", decimals, "smallest ratio of a round"),
            number("ratio_high", "high", "", decimals, "largest ratio of a round"),
            number("rounds_in_favour", "faster in (rounds)", "", 0, "rounds in which the implementation was faster"),
            number("rounds", "rounds", "", 0, "that both have"),
            words("ranges", "ranges", "of the round medians of both: apart, or overlapping"),
            number("resolution", "resolution", "%", 1,
                   "the larger of both spreads: largest distance of a round median from their median"),
            words("verdict", "verdict", "of the implementation against the reference"),
            words("reason", "why", "why it is neither faster nor slower"),
            words("next_step", "next step", "what would decide it"),
            words("flags", "flags", "what to know before trusting the values")};
}

ValueCell text(const QString &text, const QString &toolTip = QString())
{
    return {text, std::nullopt, toolTip};
}

ValueCell amount(const VerdictRow &row, std::optional<double> value)
{
    return value ? ValueCell{QString(), value, QString()} : text(row.outcome, row.reason);
}

QString metricWords(Metric metric, bool ids)
{
    if (ids)
        return metric == Metric::Kernel ? QStringLiteral("kernel_us") : QStringLiteral("span_us");
    return metricTitle(metric).toLower();
}

ValueCell flagsCell(const VerdictRow &row)
{
    QStringList labels, texts;
    for (const evidence::Flag flag : row.flags) {
        labels.append(evidence::flagLabel(flag));
        texts.append(evidence::flagText(flag));
    }
    return text(labels.join(QStringLiteral(", ")), texts.join(QLatin1Char('\n')));
}

QList<ValueCell> cells(const VerdictRow &row, const VerdictGroup &group, bool ids)
{
    const evidence::Verdict *verdict = row.verdict && row.verdict->medianRatio ? &*row.verdict : nullptr;
    std::optional<double> median, low, high, resolution, favour, rounds;
    if (verdict) {
        const auto [least, most] = std::minmax_element(verdict->ratios.begin(), verdict->ratios.end());
        median = verdict->medianRatio;
        low = *least;
        high = *most;
        favour = verdict->roundsInFavour;
        rounds = verdict->rounds;
        resolution = 100 * verdict->resolution.value_or(0);
    }
    const QString ranges = !verdict                 ? QString()
                           : verdict->rangesOverlap ? QStringLiteral("overlap")
                                                    : QStringLiteral("apart");
    const bool isLone = row.row.implementation.isEmpty();
    return {text(ids ? group.operation : group.title),
            text(ids ? evidence::dimsText(group.dims) : dimsLabel(group.dims)),
            text(ids                          ? group.cache
                 : group.cacheWords.isEmpty() ? QString()
                                              : evidence::cacheState(group.cache)),
            text(isLone ? QString()
                 : ids  ? row.row.implementation
                        : rowLabel(row.row)),
            text(ids ? group.reference : group.referenceLabel),
            text(metricWords(row.metric, ids)),
            amount(row, median),
            amount(row, low),
            amount(row, high),
            amount(row, favour),
            amount(row, rounds),
            text(ranges),
            amount(row, resolution),
            text(row.outcome, row.verdict ? row.verdict->text : row.reason),
            text(row.reason),
            text(row.nextStep),
            flagsCell(row)};
}

// People are spared columns in which nothing stands.
void dropEmptyColumns(widgets::ValueTable &table)
{
    for (qsizetype column = table.columns.size() - 1; column >= 0; --column) {
        const bool isEmpty = std::all_of(table.rows.begin(), table.rows.end(), [column](const QList<ValueCell> &row) {
            return !row[column].number && row[column].text.isEmpty();
        });
        if (!isEmpty)
            continue;
        table.columns.removeAt(column);
        for (QList<ValueCell> &row : table.rows)
            row.removeAt(column);
    }
}

} // namespace

widgets::ValueTable verdictsTable(const evidence::Namespace &evidence, const ViewOptions &options)
{
    const QList<VerdictGroup> groups = verdictGroups(evidence, options);
    const bool ids = options.audience == Audience::Programs;
    widgets::ValueTable table;
    table.id = viewName(ViewId::Verdicts);
    table.title = QStringLiteral("%1: verdicts").arg(evidence.name);
    table.columns = columns(verdictDecimals(options));
    table.unavailable = verdictsUnavailable(groups, evidence, options);
    table.footer =
        verdictsFooter(QStringLiteral("The column gives the median of the rounds."), groups, evidence, options);
    if (!table.unavailable.isEmpty())
        return table;
    for (const VerdictGroup &group : groups)
        for (const QList<VerdictRow> &rows : {group.kernel, group.span})
            for (const VerdictRow &row : rows)
                table.rows.append(cells(row, group, ids));
    if (!ids)
        dropEmptyColumns(table);
    return table;
}

} // namespace stagecraft::views
