// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisongate.h"

#include "cachestate.h"
#include "comparisonparts.h"

#include <cmath>

namespace stagecraft::evidence {

namespace {

QString nameOf(const ValueRow &row)
{
    const QString cache = cacheState(row.cache);
    const QString name = QStringLiteral("%1 %2 %3").arg(row.operation, dimsText(row.dims), row.implementation);
    return cache == cacheState({}) ? name : name + QStringLiteral(" (%1 cache)").arg(cache);
}

bool hasValue(const ValueRow &row)
{
    return measuredEstimate(row.kernel) || measuredEstimate(row.span);
}

// What the base has a value of and the new one has not, or none that can be compared with it; empty: nothing is lost.
QString lostText(const ComparedRow &row)
{
    if (row.kernel.base && !row.kernel.now)
        return QStringLiteral("lost, ") + row.kernel.why;
    if (row.span.base && !row.span.now)
        return (row.kernel.base ? QStringLiteral("lost its span, ") : QStringLiteral("lost, ")) + row.span.why;
    if (hasValue(row.base) && !row.judged().percent)
        return QStringLiteral("lost, ") + (row.kernel.base ? row.kernel.why : row.span.why);
    return {};
}

QString number(double value)
{
    return QString::number(value, 'f', 2);
}

// As it was asked for: 3, 2.5.
QString plainNumber(double value)
{
    return QString::number(value, 'g', 6);
}

QString signedPercent(double percent)
{
    return (percent < 0 ? QStringLiteral("−") : QStringLiteral("+")) + number(std::abs(percent)) + QStringLiteral(" %");
}

QString times(const ComparedRow &row)
{
    const Change &change = row.judged();
    return QStringLiteral("%1: %2 %3 → %4 µs, %5")
        .arg(nameOf(row.now), row.isJudgedBySpan() ? QStringLiteral("span") : QStringLiteral("kernel time"),
             number(*change.base), number(*change.now), signedPercent(*change.percent));
}

QString slowerText(const ComparedRow &row)
{
    if (row.isJudgedBySpan())
        return times(row) + QStringLiteral(", by the span's percentage alone: there is no kernel time");
    if (!row.bound)
        return times(row) + QStringLiteral(", by the percentage alone: no other operation is unchanged");
    return times(row) + QStringLiteral(", beyond drift (%1 %)").arg(number(*row.bound));
}

// A row that became slower by more than is allowed and does not fail.
QString hiddenText(const ComparedRow &row, double percent)
{
    if (row.isUndecided())
        return times(row) + QStringLiteral(", undecided: the ranges of the spans' round means overlap, or there is no "
                                           "second round; measure more rounds, or kernel times");
    return times(row) + QStringLiteral(", within drift (%1 %): the drift bound of %1 % exceeds %2 %, which hides it; "
                                       "measure both again on a quieter machine")
                            .arg(number(*row.bound), plainNumber(percent));
}

// Rounds that the new namespace lost beyond those that the base lost, too.
QString missingRounds(const ComparedRow &row)
{
    const auto lost = [](const Value &value) { return value.estimate ? value.estimate->lostRounds : 0; };
    QStringList texts;
    for (const auto &[metric, name] : {std::pair(&ValueRow::kernel, "kernel time"), std::pair(&ValueRow::span, "span")})
        if (const Value &value = row.now.*metric; lost(value) > lost(row.base.*metric))
            texts.append(
                QStringLiteral("%1 over fewer rounds than were begun (%2)").arg(QLatin1String(name), value.reason));
    return texts.join(QStringLiteral("; "));
}

void judge(GateResult &result, const ComparedRow &row, double percent)
{
    if (const QString lost = lostText(row); !lost.isEmpty())
        result.failures.append(QStringLiteral("%1: %2").arg(nameOf(row.now), lost));
    else if (!row.judged().percent)
        result.remarks.append(
            QStringLiteral("%1: not judged, the base has no value of it (%2)").arg(nameOf(row.now), row.judged().why));
    if (row.isSlowerBeyond(percent))
        result.failures.append(slowerText(row));
    else if (row.judged().percent && *row.judged().percent > percent)
        result.remarks.append(hiddenText(row, percent));
    if (const QString missing = missingRounds(row); !missing.isEmpty())
        result.remarks.append(QStringLiteral("%1: %2").arg(nameOf(row.now), missing));
}

// What the numbers rest on that nobody recorded or that was left out.
void remarkGrounds(GateResult &result, const Comparison &comparison)
{
    if (!comparison.gpuNotRecorded.isEmpty())
        result.remarks.append(QStringLiteral("the GPU of %1 is not recorded: the percentages hold only if both were "
                                             "measured on the same one")
                                  .arg(comparison.gpuNotRecorded.join(QStringLiteral(" and "))));
    for (const ImplementationDrift &drift : comparison.drifts)
        if (!drift.isBeside && !drift.leftOut.isEmpty())
            result.remarks.append(QStringLiteral("left out of the drift of %1: %2")
                                      .arg(drift.pair.now, drift.leftOut.join(QStringLiteral(", "))));
}

QStringList unknownBounds(const Comparison &comparison)
{
    QStringList names;
    for (const ComparedRow &row : comparison.rows)
        if (row.judged().percent && !row.isUndecided() && (row.isJudgedBySpan() || row.drift == Drift::Unknown))
            names.append(nameOf(row.now));
    return names;
}

} // namespace

GateResult judgeGate(const Comparison &comparison, double percent)
{
    GateResult result;
    if (comparison.isAcrossGpus) {
        result.failures = {QStringLiteral("%1 and %2 were measured on two GPUs, whose values are never one series; "
                                          "measure the base on the GPU of the new one")
                               .arg(comparison.baseName, comparison.nowName)};
        result.summary = QStringLiteral("failed: it cannot be judged");
        return result;
    }
    remarkGrounds(result, comparison);
    qsizetype judged = 0;
    for (const ComparedRow &row : comparison.rows) {
        judged += row.judged().percent.has_value();
        judge(result, row, percent);
    }
    for (const ValueRow &row : comparison.onlyBase)
        if (hasValue(row))
            result.failures.append(QStringLiteral("%1: lost, %2 has no such row").arg(nameOf(row), comparison.nowName));
    if (judged == 0)
        result.failures.append(QStringLiteral("nothing could be compared"));
    if (const QStringList names = unknownBounds(comparison); !names.isEmpty())
        result.remarks.append(QStringLiteral("judged by the percentage alone, since their drift is unknown: %1")
                                  .arg(names.join(QStringLiteral(", "))));
    result.passed = result.failures.isEmpty();
    result.summary =
        result.passed ? QStringLiteral("passed: of %1 compared, none became slower by more than %2 % and beyond drift")
                            .arg(judged)
                            .arg(plainNumber(percent))
                      : QStringLiteral("failed: %1 of the above").arg(result.failures.size());
    return result;
}

} // namespace stagecraft::evidence
