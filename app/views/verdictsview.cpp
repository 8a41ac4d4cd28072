// SPDX-License-Identifier: GPL-3.0-or-later
#include "verdictsview.h"

#include "captions.h"
#include "figurebars.h"
#include "verdictrows.h"

#include <algorithm>

namespace stagecraft::views {

using widgets::displayNumber;
using widgets::FigureDotRow;
using widgets::FigureDots;
using widgets::storedNumber;

namespace {

int decimalsOf(const ViewOptions &options)
{
    return options.decimals < 0 ? 3 : options.decimals;
}

QString roundsWords(const evidence::Verdict &verdict)
{
    const int rounds = verdict.kind == evidence::Verdict::Slower ? verdict.roundsAgainst : verdict.roundsInFavour;
    return QStringLiteral("%1 of %2 rounds").arg(rounds).arg(verdict.rounds);
}

// Behind the outcome: in how many rounds, or why there is none.
QString evidenceWords(const VerdictRow &row)
{
    QStringList parts{row.verdict->kind == evidence::Verdict::Undecided ? row.reason : roundsWords(*row.verdict)};
    for (const evidence::Flag flag : row.flags)
        parts.append(evidence::flagLabel(flag));
    return parts.join(QStringLiteral(", "));
}

QString rowToolTip(const VerdictRow &row, const VerdictGroup &group)
{
    QStringList lines{QStringLiteral("%1 against %2, %3")
                          .arg(rowLabel(row.row), group.referenceLabel, metricTitle(row.metric).toLower())};
    if (!row.verdict) {
        lines.append(QStringLiteral("%1: %2").arg(row.outcome, row.reason));
        return lines.join(QLatin1Char('\n'));
    }
    QStringList ratios;
    for (const double ratio : row.verdict->ratios)
        ratios.append(storedNumber(ratio));
    lines.append(row.verdict->text);
    lines.append(row.nextStep.isEmpty() ? QString() : QStringLiteral("next: ") + row.nextStep);
    lines.append(ratios.isEmpty() ? QString() : QStringLiteral("rounds: ") + ratios.join(QStringLiteral(", ")));
    for (const evidence::Flag flag : row.flags)
        lines.append(evidence::flagText(flag));
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

FigureDotRow dotRow(const VerdictRow &row, const VerdictGroup &group, int decimals)
{
    FigureDotRow dots;
    dots.label = barLabel(row.row);
    dots.color = colorRole(row.row.implementation);
    dots.toolTip = rowToolTip(row, group);
    if (!row.verdict || !row.verdict->medianRatio) {
        dots.stateText = QStringLiteral("%1: %2").arg(row.outcome, row.reason);
        return dots;
    }
    dots.values = row.verdict->ratios;
    dots.mark = *row.verdict->medianRatio;
    dots.valueText = QStringLiteral("%1 · %2×").arg(row.outcome, displayNumber(dots.mark, decimals));
    dots.rangeText = evidenceWords(row);
    return dots;
}

// The reason once where no row can be compared and all for the same.
QString commonState(const QList<VerdictRow> &rows)
{
    const auto same = [&rows](const VerdictRow &row) {
        return !row.verdict && row.outcome == rows.first().outcome && row.reason == rows.first().reason;
    };
    return std::all_of(rows.begin(), rows.end(), same)
               ? QStringLiteral("%1: %2").arg(rows.first().outcome, rows.first().reason)
               : QString();
}

FigureDots dots(const QList<VerdictRow> &rows, const VerdictGroup &group, int decimals)
{
    FigureDots chart;
    chart.title = metricTitle(rows.first().metric);
    chart.areRatios = true;
    chart.note = commonState(rows);
    if (!chart.note.isEmpty())
        return chart;
    chart.subtitle = QStringLiteral("÷ that of %1 · below 1 is faster").arg(group.referenceLabel);
    chart.unit = QStringLiteral("ratio");
    chart.limit = widgets::FigureLimit{1, QStringLiteral("equal")};
    for (const VerdictRow &row : rows)
        chart.rows.append(dotRow(row, group, decimals));
    return chart;
}

widgets::FigureLadder ladder(const VerdictGroup &group, int decimals)
{
    widgets::FigureLadder ladder;
    ladder.title = group.title;
    QStringList parts{dimsLabel(group.dims),
                      group.cache == QLatin1String("cold") ? QStringLiteral("cold cache") : QString(),
                      QStringLiteral("against %1").arg(group.referenceLabel)};
    parts.removeAll(QString());
    ladder.subtitle = parts.join(QStringLiteral(" · "));
    ladder.dots = {dots(group.kernel, group, decimals), dots(group.span, group, decimals)};
    return ladder;
}

QList<evidence::ValueRow> measuredRows(const QList<VerdictGroup> &groups)
{
    QList<evidence::ValueRow> rows;
    for (const VerdictGroup &group : groups)
        for (const VerdictRow &row : group.span)
            rows.append(row.row);
    return rows;
}

// `reading`: how to read what stands above.
QStringList verdictsFooter(const QString &reading, const QList<VerdictGroup> &groups,
                           const evidence::Namespace &evidence, const ViewOptions &options)
{
    QStringList lines;
    if (verdictsUnavailable(groups, evidence, options).isEmpty())
        lines = {QStringLiteral("A ratio is of one round: the implementation's median ÷ the reference's; below 1 the "
                                "implementation is faster. ") +
                     reading,
                 evidence::verdictRule()};
    return lines + originLines(evidence, options, measuredRows(groups));
}

QString rowWords(const VerdictRow &row, int decimals)
{
    if (!row.verdict || !row.verdict->medianRatio)
        return QStringLiteral("%1 %2 (%3)").arg(rowLabel(row.row), row.outcome, row.reason);
    return QStringLiteral("%1 takes %2 times as long, %3 (%4)")
        .arg(rowLabel(row.row), displayNumber(*row.verdict->medianRatio, decimals), row.outcome, evidenceWords(row));
}

QString altWords(const widgets::Figure &figure, const QList<VerdictGroup> &groups, int decimals)
{
    if (!figure.unavailable.isEmpty())
        return QStringLiteral("%1: unavailable, %2").arg(figure.title, figure.unavailable);
    QStringList sentences{figure.title + QStringLiteral(", ") + figure.subtitle};
    for (const VerdictGroup &group : groups)
        for (const QList<VerdictRow> &rows : {group.kernel, group.span}) {
            QStringList words;
            for (const VerdictRow &row : rows)
                words.append(rowWords(row, decimals));
            sentences.append(QStringLiteral("%1 %2, %3 against %4: %5")
                                 .arg(group.title, dimsLabel(group.dims), metricTitle(rows.first().metric).toLower(),
                                      group.referenceLabel, words.join(QStringLiteral(", "))));
        }
    return sentences.join(QStringLiteral(". ")) + QLatin1Char('.');
}

} // namespace

widgets::Figure verdictsFigure(const evidence::Namespace &evidence, const ViewOptions &options)
{
    const QList<VerdictGroup> groups = verdictGroups(evidence, options);
    widgets::Figure figure;
    figure.id = viewName(ViewId::Verdicts);
    figure.title = QStringLiteral("Verdicts");
    figure.subtitle = QStringLiteral("time ÷ the reference's time, round by round: 0.5 is half its time · %1 · %2")
                          .arg(machineText(evidence), evidence.name);
    figure.metadata = provenance(evidence, figure.id, options);
    figure.unavailable = verdictsUnavailable(groups, evidence, options);
    if (figure.unavailable.isEmpty())
        for (const VerdictGroup &group : groups)
            figure.ladders.append(ladder(group, decimalsOf(options)));
    figure.footer = verdictsFooter(QStringLiteral("Each dot is a round, the mark the median of the rounds. Scales are "
                                                  "logarithmic, one for each metric of each operation."),
                                   groups, evidence, options);
    figure.altText = altWords(figure, groups, decimalsOf(options));
    return figure;
}

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
            number("rounds_in_favour", "in favour", "", 0, "rounds in which the implementation was faster"),
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
            text(ids ? programDims(group.dims) : dimsLabel(group.dims)),
            text(group.cache),
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
    table.columns = columns(decimalsOf(options));
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
