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

QString captureKey(const QString &operation, const QString &implementation)
{
    return operation + QChar(QChar::LineFeed) + implementation;
}

// The captures of a namespace by operation and implementation.
using Captures = QHash<QString, QList<const Capture *>>;

Captures capturesOf(const Namespace &evidence)
{
    Captures captures;
    for (const Capture &capture : evidence.captures)
        captures[captureKey(capture.operation, capture.language)].append(&capture);
    return captures;
}

// One of the two namespaces, with what is looked up in it for every row.
struct Side
{
    const Namespace &evidence;
    Captures captures;
};

QString signature(const KernelRecord &record)
{
    return QStringLiteral("%1 %2 %3 %4 %5")
        .arg(record.kernelName, record.gridSize, record.blockSize)
        .arg(*record.registersPerThread)
        .arg(*record.sharedMemBytes);
}

bool isOf(const Namespace &evidence, const Capture &capture, const ValueRow &row)
{
    return (capture.dims.isEmpty() || row.dims.isEmpty() || capture.dims == row.dims) &&
           cacheState(captureCache(evidence, capture)) == cacheState(row.cache);
}

// The row's kernels with their grid, block, registers and shared memory, each once; empty where nothing was captured or
// a record does not say what its kernel takes.
QSet<QString> kernelSignatures(const Side &side, const ValueRow &row)
{
    QSet<QString> signatures;
    for (const Capture *capture : side.captures.value(captureKey(row.operation, row.implementation))) {
        if (!isOf(side.evidence, *capture, row))
            continue;
        for (const KernelRecord &record : capture->records) {
            if (!record.registersPerThread || !record.sharedMemBytes)
                return {};
            signatures.insert(signature(record));
        }
    }
    return signatures;
}

// An empty hash is "not recorded".
QString sourceHash(const Namespace &evidence, const QString &stage)
{
    return stage.isEmpty() ? QString() : evidence.sourceSha256.value(stage);
}

Unchanged byKernels(const ComparedRow &row, const Side &base, const Side &now)
{
    const QSet<QString> before = kernelSignatures(base, row.base), after = kernelSignatures(now, row.now);
    if (before.isEmpty() || after.isEmpty())
        return {false, QStringLiteral("neither stage nor kernels are recorded in both")};
    const bool isSame = before == after;
    return {isSame,
            isSame ? QStringLiteral("same kernel names and resources") : QStringLiteral("other kernels or resources")};
}

// Section 6 of the design; dims and cache state are the same in both, or there would be no row.
Unchanged judged(const ComparedRow &row, const Side &base, const Side &now)
{
    const QString before = sourceHash(base.evidence, row.base.stage), after = sourceHash(now.evidence, row.now.stage);
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
Unchanged unchanged(const ComparedRow &row, const Side &base, const Side &now, const ComparisonOptions &options)
{
    if (options.unchanged)
        return {options.unchanged->contains(row.now.operation), QStringLiteral("said by the reader")};
    return arithmeticOf(row.base) == arithmeticOf(row.now) ? judged(row, base, now)
                                                           : Unchanged{false, QStringLiteral("other arithmetic")};
}

// Why a row says nothing of the machine's drift, though nothing of it was changed. What was throttled on one side would
// let everything else pass.
QString leftOut(const ValueRow &row, const QString &name)
{
    for (const Value *value : {&row.kernel, &row.span})
        if (value->state == State::Failed || value->state == State::Invalid || value->state == State::Throttled)
            return QStringLiteral("%1 in %2").arg(stateName(value->state), name);
    return row.flags.contains(Flag::Throttled) ? QStringLiteral("%1 in %2").arg(stateName(State::Throttled), name)
                                               : QString();
}

void setMakesBound(ComparedRow &row, const Comparison &names)
{
    if (!row.isUnchanged || !row.kernel.percent)
        return;
    QStringList reasons{leftOut(row.base, names.baseName), leftOut(row.now, names.nowName)};
    reasons.removeAll(QString());
    row.leftOutWhy = reasons.join(QStringLiteral(" and "));
    row.makesBound = reasons.isEmpty();
}

// What the sound unchanged rows of one implementation moved, by operation: its largest change and the largest of any
// other operation than that bound every row without another pass over all.
struct FamilyDrift
{
    ImplementationPair pair;
    QHash<QString, double> moved;    // |percent| by operation with dims and cache state
    QString largestKey;              // of `moved`
    double largest = 0, second = 0;  // second: of the other operations
    QStringList operations, leftOut; // names, each once
    QHash<QString, int> sizes;       // by name: how many of `moved` are of it

    void add(const ComparedRow &row)
    {
        const QString key = operationKey(row.now), &name = row.now.operation;
        const double size = std::abs(*row.kernel.percent);
        if (!moved.contains(key) && ++sizes[name] == 1)
            operations.append(name);
        double &own = moved[key];
        own = std::max(own, size);
        if (key == largestKey || largestKey.isEmpty() || own > largest) {
            second = key == largestKey ? second : largest;
            largestKey = key;
            largest = own;
        } else {
            second = std::max(second, own);
        }
    }

    void bound(ComparedRow &row) const
    {
        const QString key = operationKey(row.now);
        const bool isOwn = moved.contains(key);
        if (moved.size() == (isOwn ? 1 : 0))
            return;
        row.bound = key == largestKey ? second : largest;
        row.boundOperations = operations;
        if (isOwn && sizes.value(row.now.operation) == 1)
            row.boundOperations.removeOne(row.now.operation);
    }
};

QString familyKey(const ComparedRow &row)
{
    return familyOf(row.base.implementation) + QChar(QChar::LineFeed) + familyOf(row.now.implementation);
}

QHash<QString, FamilyDrift> familiesOf(const QList<ComparedRow> &rows)
{
    QHash<QString, FamilyDrift> families;
    for (const ComparedRow &row : rows) {
        FamilyDrift &drift = families[familyKey(row)];
        drift.pair = {familyOf(row.base.implementation), familyOf(row.now.implementation)};
        if (row.makesBound)
            drift.add(row);
        else if (!row.leftOutWhy.isEmpty())
            drift.leftOut.append(QStringLiteral("%1 (%2)").arg(row.now.operation, row.leftOutWhy));
    }
    return families;
}

Drift driftOf(const ComparedRow &row, bool isAcrossGpus)
{
    if (!row.kernel.percent)
        return Drift::NoValue;
    if (isAcrossGpus)
        return Drift::OtherGpu;
    if (!row.bound)
        return Drift::Unknown;
    const double rounding = 1e-9 * std::max(1.0, *row.bound); // of the divisions: equal changes are within
    return std::abs(*row.kernel.percent) <= *row.bound + rounding ? Drift::Within : Drift::Beyond;
}

QList<ImplementationDrift> driftsOf(const QHash<QString, FamilyDrift> &families, bool isAcrossGpus)
{
    QList<ImplementationDrift> drifts;
    QStringList ids;
    for (const FamilyDrift &family : families) {
        const bool hasBound = !isAcrossGpus && !family.moved.isEmpty();
        drifts.append(
            {family.pair, hasBound ? std::optional(family.largest) : std::nullopt, family.operations, family.leftOut});
        ids.append(family.pair.now);
    }
    const QStringList order = implementationOrder(ids);
    std::sort(drifts.begin(), drifts.end(), [&order](const ImplementationDrift &a, const ImplementationDrift &b) {
        return std::tuple(order.indexOf(a.pair.now), a.pair.base) < std::tuple(order.indexOf(b.pair.now), b.pair.base);
    });
    return drifts;
}

} // namespace

void judgeDrift(Comparison &comparison, const Namespace &base, const Namespace &now, const ComparisonOptions &options)
{
    const Side before{base, capturesOf(base)}, after{now, capturesOf(now)};
    for (ComparedRow &row : comparison.rows) {
        const Unchanged found = unchanged(row, before, after, options);
        row.isUnchanged = found.is;
        row.unchangedWhy = found.why;
        setMakesBound(row, comparison);
    }
    const QHash<QString, FamilyDrift> families = familiesOf(comparison.rows);
    for (ComparedRow &row : comparison.rows) {
        if (!comparison.isAcrossGpus)
            families.constFind(familyKey(row))->bound(row);
        row.drift = driftOf(row, comparison.isAcrossGpus);
    }
    comparison.drifts = driftsOf(families, comparison.isAcrossGpus);
}

} // namespace stagecraft::evidence
