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

QString roundsWords(const evidence::Verdict &verdict)
{
    const int rounds = verdict.kind == evidence::Verdict::Slower ? verdict.roundsAgainst : verdict.roundsInFavour;
    return QStringLiteral("in %1 of %2 rounds").arg(rounds).arg(verdict.rounds);
}

// Behind the outcome: in how many rounds, or why there is none.
QString evidenceWords(const VerdictRow &row)
{
    QStringList parts{row.verdict->kind == evidence::Verdict::Undecided ? row.reason : roundsWords(*row.verdict)};
    for (const evidence::Flag flag : row.flags)
        parts.append(evidence::flagLabel(flag));
    parts.removeDuplicates(); // "throttled" is a reason as well
    return parts.join(QStringLiteral(", "));
}

QString rowToolTip(const VerdictRow &row, const VerdictGroup &group)
{
    QStringList lines{QStringLiteral("%1 against %2, %3")
                          .arg(rowLabel(row.row), group.referenceLabel, metricTitle(row.metric).toLower())};
    if (!row.verdict) {
        lines.append(QStringLiteral("%1: %2").arg(row.outcome, row.reason));
        if (!row.nextStep.isEmpty())
            lines.append(QStringLiteral("next: ") + row.nextStep);
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
    dots.valueText = QStringLiteral("%1× · %2").arg(displayNumber(dots.mark, decimals), row.outcome);
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
    QStringList parts{dimsLabel(group.dims), group.cacheWords, QStringLiteral("against %1").arg(group.referenceLabel)};
    parts.removeAll(QString());
    ladder.subtitle = parts.join(QStringLiteral(" · "));
    ladder.dots = {dots(group.kernel, group, decimals), dots(group.span, group, decimals)};
    return ladder;
}

QString rowWords(const VerdictRow &row, int decimals)
{
    if (!row.verdict || !row.verdict->medianRatio)
        return QStringLiteral("%1 %2 (%3)").arg(rowLabel(row.row), row.outcome, row.reason);
    const bool undecided = row.verdict->kind == evidence::Verdict::Undecided;
    return (undecided ? QStringLiteral("%1 takes %2 times as long, %3 (%4)")
                      : QStringLiteral("%1 takes %2 times as long, %3 %4"))
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
            QList<std::optional<double>> ratios;
            for (const VerdictRow &row : rows) {
                words.append(rowWords(row, decimals));
                ratios.append(row.verdict ? row.verdict->medianRatio : std::nullopt);
            }
            words = spokenWords(words, ratios);
            const QString cache = group.cacheWords.isEmpty() ? QString() : QStringLiteral(", ") + group.cacheWords;
            sentences.append(QStringLiteral("%1 %2, %3 against %4: %5")
                                 .arg(group.title, dimsLabel(group.dims) + cache,
                                      metricTitle(rows.first().metric).toLower(), group.referenceLabel,
                                      words.join(QStringLiteral(", "))));
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
            figure.ladders.append(ladder(group, verdictDecimals(options)));
    figure.footer = verdictsFooter(QStringLiteral("Each dot is a round, the mark the median of the rounds. Scales are "
                                                  "logarithmic, one for each metric of each operation."),
                                   groups, evidence, options);
    figure.altText = altWords(figure, groups, verdictDecimals(options));
    return figure;
}

} // namespace stagecraft::views
