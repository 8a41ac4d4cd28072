// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison.h"

#include "cachestate.h"
#include "comparisonparts.h"
#include "verdict.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::evidence {

namespace {

bool contains(const QStringList &wanted, const QString &id)
{
    return wanted.isEmpty() || wanted.contains(id);
}

// What no hand pairs is paired with its own id.
QString baseIdOf(const QString &now, const QList<ImplementationPair> &pairs, const QString &base)
{
    bool isNamed = false;
    for (const ImplementationPair &pair : pairs) {
        if (pair.now == now && pair.base == base)
            return base;
        isNamed = isNamed || pair.now == now || pair.base == base;
    }
    return isNamed || now != base ? QString() : base;
}

bool isPair(const ValueRow &base, const ValueRow &now, const ComparisonOptions &options)
{
    return base.operation == now.operation && base.dims == now.dims &&
           cacheState(base.cache) == cacheState(now.cache) &&
           !baseIdOf(now.implementation, options.pairs, base.implementation).isEmpty() &&
           (contains(options.implementations, now.implementation) ||
            contains(options.implementations, base.implementation));
}

QString lackOf(const Value &value, const QString &name)
{
    const QString state = stateName(value.state);
    return value.reason.isEmpty() ? QStringLiteral("%1: %2").arg(name, state)
                                  : QStringLiteral("%1: %2, %3").arg(name, state, value.reason);
}

Change changeOf(const ValueRow &base, const ValueRow &now, Value ValueRow::*metric, const Comparison &names)
{
    Change change;
    if (const Estimate *estimate = measuredEstimate(base.*metric))
        change.base = estimate->mean;
    if (const Estimate *estimate = measuredEstimate(now.*metric))
        change.now = estimate->mean;
    QStringList lacks;
    if (!change.base)
        lacks.append(lackOf(base.*metric, names.baseName));
    if (!change.now)
        lacks.append(lackOf(now.*metric, names.nowName));
    change.why = lacks.isEmpty() ? incomparableReason(now, base, metric) : lacks.join(QStringLiteral("; "));
    if (change.why.isEmpty() && !(*change.base > 0))
        change.why = QStringLiteral("%1: nothing to divide by").arg(names.baseName);
    if (change.why.isEmpty())
        change.percent = (*change.now / *change.base - 1) * 100;
    return change;
}

// Those of one side that no row was made of.
QList<ValueRow> lone(const QList<ValueRow> &rows, const QSet<qsizetype> &paired, const QStringList &implementations)
{
    QList<ValueRow> left;
    for (qsizetype i = 0; i < rows.size(); ++i)
        if (!paired.contains(i) && contains(implementations, rows[i].implementation))
            left.append(rows[i]);
    return left;
}

void sortBySize(QList<ComparedRow> &rows)
{
    const auto size = [](const ComparedRow &row) { return std::abs(row.judged().percent.value_or(0)); };
    std::stable_sort(rows.begin(), rows.end(), [&size](const ComparedRow &a, const ComparedRow &b) {
        const bool hasA = a.judged().percent.has_value(), hasB = b.judged().percent.has_value();
        return hasA != hasB ? hasA : size(a) > size(b);
    });
}

const QList<ImplementationPair> &sameThings()
{
    static const QList<ImplementationPair> pairs{{QStringLiteral("rust"), QStringLiteral("cuda")},
                                                 {QStringLiteral("cuda"), QStringLiteral("rust")},
                                                 {QStringLiteral("python"), QStringLiteral("pytorch")},
                                                 {QStringLiteral("pytorch"), QStringLiteral("python")}};
    return pairs;
}

QSet<QString> implementationsOf(const Namespace &evidence)
{
    QSet<QString> ids;
    for (const ValueRow &row : valueRows(evidence))
        ids.insert(row.implementation);
    return ids;
}

} // namespace

const Estimate *measuredEstimate(const Value &value)
{
    const bool isResult = value.state == State::Ok || value.state == State::Throttled;
    return isResult && value.estimate ? &*value.estimate : nullptr;
}

QString driftName(Drift drift)
{
    switch (drift) {
    case Drift::Within:
        return QStringLiteral("within drift");
    case Drift::Beyond:
        return QStringLiteral("beyond drift");
    case Drift::Unknown:
        return QStringLiteral("bound unknown");
    case Drift::OtherGpu:
        return QStringLiteral("another GPU: not drift");
    case Drift::NoValue:
        break;
    }
    return QStringLiteral("not comparable");
}

bool ComparedRow::isJudgedBySpan() const
{
    return !kernel.base && !kernel.now && span.percent;
}

bool ComparedRow::isSlowerBeyond(double percent) const
{
    const Change &change = judged();
    return change.percent && *change.percent > percent && (isJudgedBySpan() || drift != Drift::Within);
}

Comparison compare(const Namespace &base, const Namespace &now, const ComparisonOptions &options)
{
    Comparison comparison;
    comparison.baseName = base.name;
    comparison.nowName = now.name;
    comparison.isAcrossGpus = isAcrossGpus(base, now);
    comparison.differences = namespaceDifferences(base, now);
    const QList<ValueRow> baseRows = valueRows(base), nowRows = valueRows(now);
    QSet<qsizetype> pairedBase, pairedNow;
    for (qsizetype i = 0; i < nowRows.size(); ++i)
        for (qsizetype j = 0; j < baseRows.size(); ++j) {
            if (!isPair(baseRows[j], nowRows[i], options))
                continue;
            ComparedRow row;
            row.base = baseRows[j];
            row.now = nowRows[i];
            row.kernel = changeOf(row.base, row.now, &ValueRow::kernel, comparison);
            row.span = changeOf(row.base, row.now, &ValueRow::span, comparison);
            comparison.rows.append(row);
            pairedNow.insert(i);
            pairedBase.insert(j);
        }
    comparison.onlyBase = lone(baseRows, pairedBase, options.implementations);
    comparison.onlyNow = lone(nowRows, pairedNow, options.implementations);
    judgeDrift(comparison, base, now, options);
    sortBySize(comparison.rows);
    return comparison;
}

QList<ImplementationPair> likelyPairs(const Namespace &base, const Namespace &now)
{
    const QSet<QString> baseIds = implementationsOf(base), nowIds = implementationsOf(now);
    QList<ImplementationPair> pairs;
    for (const ImplementationPair &pair : sameThings())
        if (baseIds.contains(pair.base) && !nowIds.contains(pair.base) && nowIds.contains(pair.now) &&
            !baseIds.contains(pair.now))
            pairs.append(pair);
    return pairs;
}

} // namespace stagecraft::evidence
