// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisongate.h"

#include "cachestate.h"
#include "comparisonparts.h"

#include <cmath>

namespace stagecraft::evidence {

namespace {

QString nameOf(const ValueRow &row)
{
    QStringList dims;
    for (const qint64 dim : row.dims)
        dims.append(QString::number(dim));
    const QString cache = cacheState(row.cache);
    const QString name = QStringLiteral("%1 %2 %3").arg(row.operation, dims.join(QLatin1Char('x')), row.implementation);
    return cache == cacheState({}) ? name : name + QStringLiteral(" (%1 cache)").arg(cache);
}

bool hasValue(const ValueRow &row)
{
    return measuredEstimate(row.kernel) || measuredEstimate(row.span);
}

// The base has a value here that nothing of the new one answers.
bool isLost(const ComparedRow &row)
{
    return hasValue(row.base) && !row.judged().percent;
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

void judge(GateResult &result, const ComparedRow &row, double percent, const QString &nowName)
{
    if (isLost(row))
        result.failures.append(QStringLiteral("%1: lost, %2").arg(nameOf(row.now), row.judged().why));
    else if (row.isSlowerBeyond(percent))
        result.failures.append(slowerText(row));
    else if (row.judged().percent && *row.judged().percent > percent)
        result.remarks.append(times(row) + QStringLiteral(", within drift (%1 %)").arg(number(*row.bound)));
    else if (!row.judged().percent)
        result.remarks.append(QStringLiteral("%1: not judged, the base has no value of it (%2)")
                                  .arg(nameOf(row.now), row.judged().why.isEmpty() ? nowName : row.judged().why));
}

QStringList unknownBounds(const Comparison &comparison)
{
    QStringList names;
    for (const ComparedRow &row : comparison.rows)
        if (row.judged().percent && (row.isJudgedBySpan() || row.drift == Drift::Unknown))
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
    qsizetype judged = 0;
    for (const ComparedRow &row : comparison.rows) {
        judged += row.judged().percent.has_value();
        judge(result, row, percent, comparison.nowName);
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
