// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparewords.h"

#include "viewcatalogue.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::views {

using evidence::ComparedRow;
using evidence::Comparison;
using evidence::Drift;
using widgets::fixedNumber;

namespace {

const QString arrow = QStringLiteral(" → ");

QString stageName(const QString &stage)
{
    return stage.section(QLatin1Char('/'), 1);
}

QString recorded(const QString &text)
{
    return text.isEmpty() ? QStringLiteral("not recorded") : text;
}

QString direction(double percent)
{
    return percent < 0 ? QStringLiteral("faster") : QStringLiteral("slower");
}

// Drifts are small where a machine is quiet: two digits tell them from none.
int boundDigits(double bound, int decimals)
{
    return bound < 0.1 ? std::max(decimals, 2) : decimals;
}

QString driftLabel(const evidence::ImplementationPair &pair)
{
    return changeText(evidence::implementationLabel(pair.base), evidence::implementationLabel(pair.now));
}

} // namespace

evidence::ComparisonOptions comparisonOptions(const ViewOptions &options)
{
    return {options.pairs, options.implementations, options.unchanged};
}

QString compareUnavailable(const evidence::Namespace &evidence, const ViewOptions &options)
{
    if (options.baselines.isEmpty())
        return QStringLiteral("name an earlier namespace to compare with (--baseline NAMESPACE)");
    QStringList empty;
    if (evidence::valueRows(evidence).isEmpty())
        empty.append(evidence.name);
    for (const evidence::Namespace *baseline : options.baselines)
        if (evidence::valueRows(*baseline).isEmpty())
            empty.append(baseline->name);
    return empty.isEmpty() ? QString()
                           : QStringLiteral("no sound measurement in %1").arg(empty.join(QStringLiteral(", ")));
}

QString signedPercent(double percent, int decimals)
{
    const QString digits = fixedNumber(std::abs(percent), decimals);
    const bool isZero = digits == fixedNumber(0, decimals);
    const QString sign = isZero ? QString() : percent < 0 ? QStringLiteral("−") : QStringLiteral("+");
    return QStringLiteral("%1%2 %").arg(sign, digits);
}

QString changeText(const QString &base, const QString &now)
{
    return base == now ? now : base + arrow + now;
}

QString comparedLabel(const ComparedRow &row)
{
    return changeText(rowLabel(row.base), rowLabel(row.now));
}

QString comparedStages(const ComparedRow &row)
{
    const QString base = stageName(row.base.stage), now = stageName(row.now.stage);
    if (base.isEmpty() && now.isEmpty())
        return {};
    return changeText(recorded(base), recorded(now));
}

QString changeLack(const evidence::Change &change)
{
    return !change.base && !change.now ? QStringLiteral("unavailable") : QStringLiteral("not comparable");
}

QString verdictWords(const ComparedRow &row, int decimals)
{
    if (!row.judged().percent)
        return changeLack(row.judged());
    if (row.isUndecided())
        return QStringLiteral("undecided, by span: measure more rounds");
    const double percent = *row.judged().percent;
    const bool isNone = signedPercent(percent, decimals) == signedPercent(0, decimals);
    if (row.drift == Drift::Beyond && (isNone || row.makesBound))
        return isNone ? QStringLiteral("no change") : QStringLiteral("unchanged, sets the drift");
    const QString way = isNone ? QStringLiteral("no change") : direction(percent);
    if (row.isJudgedBySpan())
        return way + QStringLiteral(", by span: bound unknown");
    if (row.drift == Drift::Within || row.drift == Drift::OtherGpu)
        return driftName(row.drift);
    return QStringLiteral("%1, %2").arg(way, driftName(row.drift));
}

QString boundText(const ComparedRow &row, int decimals)
{
    return row.bound ? QStringLiteral("drift %1 %").arg(fixedNumber(*row.bound, boundDigits(*row.bound, decimals)))
                     : QString();
}

QString someOf(const QStringList &names)
{
    constexpr qsizetype shown = 12;
    const QString text = names.first(std::min(shown, names.size())).join(QStringLiteral(", "));
    return names.size() > shown ? QStringLiteral("%1 and %2 more").arg(text).arg(names.size() - shown) : text;
}

int boundDecimals(const Comparison &comparison, int decimals)
{
    for (const ComparedRow &row : comparison.rows)
        if (row.bound)
            decimals = std::max(decimals, boundDigits(*row.bound, decimals));
    return decimals;
}

QList<evidence::Flag> comparedFlags(const ComparedRow &row, Metric metric)
{
    QList<evidence::Flag> flags = metricFlags(row.base, metric);
    for (const evidence::Flag flag : metricFlags(row.now, metric))
        if (!flags.contains(flag))
            flags.append(flag);
    return flags;
}

QString driftsLine(const Comparison &comparison, int decimals)
{
    QStringList parts;
    for (const evidence::ImplementationDrift &drift : comparison.drifts) {
        QString part = drift.bound ? QStringLiteral("%1 %2 % (%3)")
                                         .arg(driftLabel(drift.pair),
                                              fixedNumber(*drift.bound, boundDigits(*drift.bound, decimals)),
                                              someOf(drift.operations))
                                   : driftLabel(drift.pair) + QStringLiteral(" unknown");
        if (!drift.leftOut.isEmpty())
            part += QStringLiteral(", left out: ") + someOf(drift.leftOut);
        parts.append(part);
    }
    if (parts.isEmpty())
        return {};
    if (comparison.isAcrossGpus)
        return QStringLiteral("Drift: none is told between two GPUs.");
    return QStringLiteral("Drift of what is unchanged: %1.").arg(parts.join(QStringLiteral(" · ")));
}

int compareDecimals(const ViewOptions &options)
{
    return options.decimals < 0 ? 1 : options.decimals;
}

QStringList compareRules(const ViewOptions &options)
{
    const QString unchanged =
        options.unchanged
            ? QStringLiteral("Unchanged, as the reader says: %1.")
                  .arg(options.unchanged->isEmpty() ? QStringLiteral("none")
                                                    : options.unchanged->join(QStringLiteral(", ")))
            : QStringLiteral("Unchanged is what has the same dims, cache state, arithmetic and stage source; without "
                             "hashes the same stage, else the same kernels and resources.");
    return {
        QStringLiteral("Change: new ÷ base − 1 of the means, in percent; below zero is faster."),
        QStringLiteral(
            "Drift bound of an operation: the largest change of kernel time among the other unchanged "
            "operations of the implementation that were measured soundly on both sides; a change up to it is within "
            "drift. ") +
            unchanged};
}

} // namespace stagecraft::views
