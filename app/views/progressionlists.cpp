// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressionlists.h"

#include "progressionvalues.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::OperationProgression;
using evidence::ProgressionAb;
using evidence::ProgressionAttempt;
using evidence::ProgressionStep;
using widgets::displayNumber;
using widgets::FigureDots;
using widgets::FigureEntry;
using widgets::FigureList;
using widgets::storedNumber;

namespace {

QString rangeText(double low, double high, int decimals)
{
    const QString from = displayNumber(low, decimals), to = displayNumber(high, decimals);
    return from == to ? from : from + QStringLiteral("–") + to;
}

QString joinedLines(QStringList lines)
{
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

FigureList stepList(const OperationProgression &operation, int decimals)
{
    FigureList list;
    list.title = QStringLiteral("Single steps");
    list.subtitle = QStringLiteral("factor against the step before where both have the same metric");
    const ProgressionStep *previous = nullptr;
    for (const ProgressionStep &step : operation.steps) {
        FigureEntry entry;
        entry.title = step.title;
        entry.metric = step.metric;
        entry.valueText = displayNumber(step.value, decimals) + QStringLiteral(" µs");
        if (previous && previous->metric == step.metric)
            if (const auto ratio = factor(previous->value, step.value))
                entry.factor = displayNumber(*ratio, decimals) + QStringLiteral("×");
        entry.toolTip = QStringLiteral("%1\n%2 %3 µs").arg(step.title, step.metric, storedNumber(step.value));
        list.entries.append(entry);
        previous = &step;
    }
    return list;
}

// "against 145.61 µs, retained 4×4 build, same run"
QString againstText(const ProgressionAttempt &attempt, int decimals)
{
    QStringList parts;
    if (attempt.valueOfThat)
        parts.append(displayNumber(*attempt.valueOfThat, decimals) + QStringLiteral(" µs"));
    const QString &named = attempt.comparedWith.isEmpty() ? attempt.comparedWithStage : attempt.comparedWith;
    if (!named.isEmpty())
        parts.append(named);
    return parts.isEmpty() ? QString() : QStringLiteral("against ") + parts.join(QStringLiteral(", "));
}

QString attemptToolTip(const ProgressionAttempt &attempt, const FigureEntry &entry)
{
    const QString value =
        hasValue(attempt)
            ? QStringLiteral("%1 %2 µs")
                  .arg(attempt.metric,
                       attempt.low == attempt.high
                           ? storedNumber(attempt.low)
                           : QStringLiteral("%1 to %2").arg(storedNumber(attempt.low), storedNumber(attempt.high)))
            : QStringLiteral("%1: %2").arg(attempt.metric, entry.stateText);
    return joinedLines({entry.title, attempt.change, value, kernelRemark(attempt.kernelState, attempt.kernelReason),
                        entry.against, entry.factor, entry.verdict, attempt.evidence});
}

FigureEntry attemptEntry(const ProgressionAttempt &attempt, int decimals)
{
    FigureEntry entry;
    entry.title = withArithmetic(attempt.title.isEmpty() ? attempt.id : attempt.title, attempt.arithmetic);
    entry.metric = attempt.metric;
    entry.against = againstText(attempt, decimals);
    entry.verdict = attempt.verdict;
    if (attempt.state != evidence::State::Ok) {
        entry.stateText = evidence::stateName(attempt.state);
        if (!attempt.reason.isEmpty())
            entry.verdict = attempt.reason;
    }
    if (hasValue(attempt))
        entry.valueText = rangeText(attempt.low, attempt.high, decimals) + QStringLiteral(" µs");
    if (const auto ratio = attemptRatio(attempt))
        entry.factor = rangeText(ratio->low, ratio->high, decimals) + QStringLiteral("× as long");
    entry.toolTip = attemptToolTip(attempt, entry);
    return entry;
}

FigureList attemptList(const OperationProgression &operation, int decimals, const QString &name)
{
    FigureList list;
    list.title = QStringLiteral("Attempts, not adopted");
    QStringList kinds;
    for (const ProgressionAttempt &attempt : operation.attempts) {
        list.entries.append(attemptEntry(attempt, decimals));
        if (!kinds.contains(attempt.evidence))
            kinds.append(attempt.evidence);
    }
    // Said once where it holds for all, and not where the figure says it already.
    if (kinds.size() == 1 && kinds.first() != name)
        list.subtitle = kinds.first();
    return list;
}

// Of the stage or attempt whose runs these are; empty where the progression does not have it.
QString arithmeticOf(const ProgressionAb &ab, const OperationProgression &operation)
{
    const auto find = [&](const auto &entries) {
        for (const auto &entry : entries)
            if (operation.operation + QLatin1Char('/') + entry.id == ab.stage)
                return entry.arithmetic;
        return QString();
    };
    const QString ofStage = find(operation.stages);
    return ofStage.isEmpty() ? find(operation.attempts) : ofStage;
}

widgets::FigureDotRow dotRow(const ProgressionAb &ab, const OperationProgression &operation, int decimals)
{
    widgets::FigureDotRow row;
    row.label = withArithmetic(ab.title.isEmpty() ? ab.stage : ab.title, arithmeticOf(ab, operation));
    row.color = {widgets::ColorRole::Own, 0};
    row.values = ab.runs;
    row.mark = ab.mean;
    row.valueText = displayNumber(ab.mean, decimals);
    if (!ab.runs.isEmpty()) {
        const auto [low, high] = std::minmax_element(ab.runs.begin(), ab.runs.end());
        row.rangeText = rangeText(*low, *high, decimals);
    }
    QStringList runs;
    for (const double run : ab.runs)
        runs.append(storedNumber(run));
    row.toolTip =
        joinedLines({row.label, ab.stage, QStringLiteral("%1, mean %2 µs").arg(ab.metric, storedNumber(ab.mean)),
                     runs.isEmpty() ? QString() : QStringLiteral("runs ") + runs.join(QStringLiteral(", "))});
    return row;
}

} // namespace

QList<FigureList> progressionLists(const OperationProgression &operation, int decimals, const QString &name)
{
    QList<FigureList> lists;
    if (!operation.steps.isEmpty())
        lists.append(stepList(operation, decimals));
    if (!operation.attempts.isEmpty())
        lists.append(attemptList(operation, decimals, name));
    return lists;
}

QList<FigureDots> progressionDots(const OperationProgression &operation, int decimals)
{
    QList<FigureDots> charts;
    for (const ProgressionAb &ab : operation.ab) {
        const QString subtitle =
            QStringLiteral("%1 in µs: a dot a run, the line their mean; the scale need not start at zero")
                .arg(ab.metric);
        const auto same = std::find_if(charts.begin(), charts.end(),
                                       [&](const FigureDots &chart) { return chart.subtitle == subtitle; });
        if (same != charts.end())
            same->rows.append(dotRow(ab, operation, decimals));
        else
            charts.append(
                {QStringLiteral("Repeated runs"), subtitle, QStringLiteral("µs"), {dotRow(ab, operation, decimals)}});
    }
    return charts;
}

QString entryWords(const FigureEntry &entry)
{
    QStringList parts{
        QStringLiteral("%1 %2").arg(entry.metric, entry.valueText.isEmpty() ? entry.stateText : entry.valueText),
        entry.against, entry.factor, entry.verdict};
    parts.removeAll(QString());
    return QStringLiteral("%1: %2").arg(entry.title, parts.join(QStringLiteral(", ")));
}

} // namespace stagecraft::views
