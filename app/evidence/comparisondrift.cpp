// SPDX-License-Identifier: GPL-3.0-or-later
#include "cachestate.h"
#include "comparisonparts.h"
#include "valueparts.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::evidence {

namespace {

struct Unchanged
{
    bool is = false;
    QString why;
};

// An empty hash is "not recorded".
QString sourceHash(const Namespace &evidence, const QString &stage)
{
    return stage.isEmpty() ? QString() : evidence.sourceSha256.value(stage);
}

Unchanged byKernels(const ComparedRow &row, const Namespace &base, const Namespace &now)
{
    const QSet<QString> before = kernelSignatures(base, row.base), after = kernelSignatures(now, row.now);
    if (before.isEmpty() || after.isEmpty())
        return {false, QStringLiteral("neither stage nor kernels are recorded in both")};
    const bool isSame = before == after;
    return {isSame,
            isSame ? QStringLiteral("same kernel names and resources") : QStringLiteral("other kernels or resources")};
}

// Section 6 of the design; dims and cache state are the same in both, or there would be no row.
Unchanged judged(const ComparedRow &row, const Namespace &base, const Namespace &now)
{
    const QString before = sourceHash(base, row.base.stage), after = sourceHash(now, row.now.stage);
    if (!before.isEmpty() && !after.isEmpty())
        return {before == after,
                before == after ? QStringLiteral("same stage source") : QStringLiteral("other stage source")};
    if (!row.base.stage.isEmpty() && !row.now.stage.isEmpty()) {
        const bool isSame = row.base.stage == row.now.stage;
        return {isSame, isSame ? QStringLiteral("same stage") : QStringLiteral("other stage")};
    }
    return byKernels(row, base, now);
}

// What names none is of mage, or of a time when there was no other.
QString arithmeticOf(const ValueRow &row)
{
    return row.arithmetic.isEmpty() ? QStringLiteral("fp32") : row.arithmetic;
}

Unchanged unchanged(const ComparedRow &row, const Namespace &base, const Namespace &now,
                    const ComparisonOptions &options)
{
    if (options.unchanged)
        return {options.unchanged->contains(row.now.operation), QStringLiteral("said by the reader")};
    return arithmeticOf(row.base) == arithmeticOf(row.now) ? judged(row, base, now)
                                                           : Unchanged{false, QStringLiteral("other arithmetic")};
}

// Stages measured by name (cuda/ID) are this project's kernels, as `cuda` is.
ImplementationPair family(const ComparedRow &row)
{
    return {row.base.implementation.section(QLatin1Char('/'), 0, 0),
            row.now.implementation.section(QLatin1Char('/'), 0, 0)};
}

bool isSameOperation(const ComparedRow &a, const ComparedRow &b)
{
    return a.now.operation == b.now.operation && a.now.dims == b.now.dims &&
           cacheState(a.now.cache) == cacheState(b.now.cache);
}

struct Bound
{
    std::optional<double> percent;
    QStringList operations;

    void add(const ComparedRow &row)
    {
        percent = std::max(percent.value_or(0), std::abs(*row.kernel.percent));
        if (!operations.contains(row.now.operation))
            operations.append(row.now.operation);
    }
};

Bound boundOf(const ComparedRow &row, const QList<ComparedRow> &rows)
{
    Bound bound;
    for (const ComparedRow &other : rows)
        if (other.isUnchanged && other.kernel.percent && family(other) == family(row) && !isSameOperation(other, row))
            bound.add(other);
    return bound;
}

Drift driftOf(const ComparedRow &row, bool isAcrossGpus)
{
    if (!row.kernel.percent)
        return Drift::NoValue;
    if (isAcrossGpus)
        return Drift::OtherGpu;
    if (!row.bound)
        return Drift::Unknown;
    return std::abs(*row.kernel.percent) <= *row.bound ? Drift::Within : Drift::Beyond;
}

QList<ImplementationDrift> driftsOf(const Comparison &comparison)
{
    QList<ImplementationDrift> drifts;
    for (const ComparedRow &row : comparison.rows) {
        const ImplementationPair pair = family(row);
        const auto isOf = [&pair](const ImplementationDrift &drift) { return drift.pair == pair; };
        if (std::any_of(drifts.begin(), drifts.end(), isOf))
            continue;
        Bound bound;
        for (const ComparedRow &other : comparison.rows)
            if (other.isUnchanged && other.kernel.percent && family(other) == pair)
                bound.add(other);
        drifts.append({pair, comparison.isAcrossGpus ? std::nullopt : bound.percent, bound.operations});
    }
    QStringList ids;
    for (const ImplementationDrift &drift : drifts)
        ids.append(drift.pair.now);
    const QStringList order = implementationOrder(ids);
    std::stable_sort(drifts.begin(), drifts.end(), [&order](const auto &a, const auto &b) {
        return order.indexOf(a.pair.now) < order.indexOf(b.pair.now);
    });
    return drifts;
}

QString signature(const KernelRecord &record)
{
    return QStringLiteral("%1 %2 %3 %4 %5")
        .arg(record.kernelName, record.gridSize, record.blockSize)
        .arg(*record.registersPerThread)
        .arg(*record.sharedMemBytes);
}

bool isOf(const Namespace &evidence, const Capture &capture, const ValueRow &row)
{
    return capture.operation == row.operation && capture.language == row.implementation &&
           (capture.dims.isEmpty() || row.dims.isEmpty() || capture.dims == row.dims) &&
           cacheState(captureCache(evidence, capture)) == cacheState(row.cache);
}

} // namespace

QSet<QString> kernelSignatures(const Namespace &evidence, const ValueRow &row)
{
    QSet<QString> signatures;
    for (const Capture &capture : evidence.captures) {
        if (!isOf(evidence, capture, row))
            continue;
        for (const KernelRecord &record : capture.records) {
            if (!record.registersPerThread || !record.sharedMemBytes)
                return {};
            signatures.insert(signature(record));
        }
    }
    return signatures;
}

void judgeDrift(Comparison &comparison, const Namespace &base, const Namespace &now, const ComparisonOptions &options)
{
    for (ComparedRow &row : comparison.rows) {
        const Unchanged found = unchanged(row, base, now, options);
        row.isUnchanged = found.is;
        row.unchangedWhy = found.why;
    }
    for (ComparedRow &row : comparison.rows) {
        const Bound bound = comparison.isAcrossGpus ? Bound() : boundOf(row, comparison.rows);
        row.bound = bound.percent;
        row.boundOperations = bound.operations;
        row.drift = driftOf(row, comparison.isAcrossGpus);
    }
    comparison.drifts = driftsOf(comparison);
}

} // namespace stagecraft::evidence
