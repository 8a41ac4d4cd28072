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

// The base's ids that one of the new namespace is compared with. What no hand pairs is paired with its own id.
QStringList baseIdsOf(const QString &now, const QList<ImplementationPair> &pairs)
{
    QStringList ids;
    bool isTaken = false;
    for (const ImplementationPair &pair : pairs) {
        if (pair.now == now)
            ids.append(pair.base);
        isTaken = isTaken || pair.base == now;
    }
    return ids.isEmpty() && !isTaken ? QStringList{now} : ids;
}

QString rowKey(const ValueRow &row, const QString &implementation)
{
    return operationKey(row) + QChar(QChar::LineFeed) + implementation;
}

// Places of the base's rows by what a row of the new namespace is looked up with.
QHash<QString, QList<qsizetype>> placesOf(const QList<ValueRow> &rows)
{
    QHash<QString, QList<qsizetype>> places;
    for (qsizetype i = 0; i < rows.size(); ++i)
        places[rowKey(rows[i], rows[i].implementation)].append(i);
    return places;
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
QList<ValueRow> lone(const QList<ValueRow> &rows, const QSet<qsizetype> &paired)
{
    QList<ValueRow> left;
    for (qsizetype i = 0; i < rows.size(); ++i)
        if (!paired.contains(i))
            left.append(rows[i]);
    return left;
}

void pairRows(Comparison &comparison, const QList<ValueRow> &baseRows, const QList<ValueRow> &nowRows,
              const QList<ImplementationPair> &pairs)
{
    const QHash<QString, QList<qsizetype>> places = placesOf(baseRows);
    QSet<qsizetype> pairedBase, pairedNow;
    for (qsizetype i = 0; i < nowRows.size(); ++i)
        for (const QString &id : baseIdsOf(nowRows[i].implementation, pairs))
            for (const qsizetype j : places.value(rowKey(nowRows[i], id))) {
                ComparedRow row;
                row.base = baseRows[j];
                row.now = nowRows[i];
                row.kernel = changeOf(row.base, row.now, &ValueRow::kernel, comparison);
                row.span = changeOf(row.base, row.now, &ValueRow::span, comparison);
                comparison.rows.append(row);
                pairedNow.insert(i);
                pairedBase.insert(j);
            }
    comparison.onlyBase = lone(baseRows, pairedBase);
    comparison.onlyNow = lone(nowRows, pairedNow);
}

// Leaves what was asked for. What was judged stays as it is, and the drift of the others stands beside.
void choose(Comparison &comparison, const QStringList &implementations)
{
    const auto isUnwanted = [&](const ValueRow &row) { return !contains(implementations, row.implementation); };
    comparison.rows.removeIf([&](const ComparedRow &row) { return isUnwanted(row.base) && isUnwanted(row.now); });
    comparison.onlyBase.removeIf(isUnwanted);
    comparison.onlyNow.removeIf(isUnwanted);
    for (ImplementationDrift &drift : comparison.drifts)
        drift.isBeside = std::none_of(comparison.rows.begin(), comparison.rows.end(), [&](const ComparedRow &row) {
            return familyOf(row.base.implementation) == drift.pair.base &&
                   familyOf(row.now.implementation) == drift.pair.now;
        });
    std::stable_partition(comparison.drifts.begin(), comparison.drifts.end(),
                          [](const ImplementationDrift &drift) { return !drift.isBeside; });
}

bool hasRange(const Estimate &estimate)
{
    return estimate.roundMeans.size() > 1 || estimate.low < estimate.high;
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

// Of each implementation what it measured.
QMap<QString, QSet<QString>> operationsByImplementation(const Namespace &evidence)
{
    QMap<QString, QSet<QString>> operations;
    for (const ValueRow &row : valueRows(evidence))
        operations[row.implementation].insert(operationKey(row));
    return operations;
}

} // namespace

const Estimate *measuredEstimate(const Value &value)
{
    const bool isResult = value.state == State::Ok || value.state == State::Throttled;
    return isResult && value.estimate ? &*value.estimate : nullptr;
}

QString operationKey(const ValueRow &row)
{
    return QStringList{row.operation, dimsText(row.dims), cacheState(row.cache)}.join(QChar(QChar::LineFeed));
}

QString familyOf(const QString &implementation)
{
    return implementation.section(QLatin1Char('/'), 0, 0);
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
    return !kernel.base && span.percent;
}

bool ComparedRow::isUndecided() const
{
    if (!isJudgedBySpan())
        return false;
    const Estimate *before = measuredEstimate(base.span), *after = measuredEstimate(now.span);
    return !before || !after || !hasRange(*before) || !hasRange(*after) ||
           (before->low <= after->high && after->low <= before->high);
}

bool ComparedRow::isSlowerBeyond(double percent) const
{
    const Change &change = judged();
    return change.percent && *change.percent > percent && (isJudgedBySpan() ? !isUndecided() : drift != Drift::Within);
}

Comparison compare(const Namespace &base, const Namespace &now, const ComparisonOptions &options)
{
    Comparison comparison;
    comparison.baseName = base.name;
    comparison.nowName = now.name;
    comparison.isAcrossGpus = isAcrossGpus(base, now);
    comparison.differences = namespaceDifferences(base, now);
    for (const Namespace *evidence : {&base, &now})
        if (gpuOf(*evidence).isEmpty())
            comparison.gpuNotRecorded.append(evidence->name);
    pairRows(comparison, valueRows(base), valueRows(now), options.pairs);
    judgeDrift(comparison, base, now, options);
    choose(comparison, options.implementations);
    sortBySize(comparison.rows);
    return comparison;
}

QList<ImplementationPair> likelyPairs(const Namespace &base, const Namespace &now)
{
    auto left = operationsByImplementation(base), leftNow = operationsByImplementation(now);
    for (const QString &id : left.keys())
        if (leftNow.remove(id) > 0)
            left.remove(id);
    QList<ImplementationPair> pairs;
    for (const ImplementationPair &pair : sameThings())
        if (left.contains(pair.base) && leftNow.contains(pair.now)) {
            pairs.append(pair);
            left.remove(pair.base);
            leftNow.remove(pair.now);
        }
    if (left.size() == 1 && leftNow.size() == 1 && left.first().intersects(leftNow.first()))
        pairs.append({left.firstKey(), leftNow.firstKey()});
    return pairs;
}

} // namespace stagecraft::evidence
