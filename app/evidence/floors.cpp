// SPDX-License-Identifier: GPL-3.0-or-later
#include "cachestate.h"
#include "statistics.h"

namespace stagecraft::evidence {

namespace {

// One without dims is of the only ones that the operation was measured with; of several it could be anyone's.
bool dimsApply(const Floor &floor, const QList<qint64> &dims, const QList<QList<qint64>> &measured)
{
    if (floor.dims.isEmpty())
        return measured.size() <= 1;
    return dims.isEmpty() ? measured.size() == 1 && measured.first() == floor.dims : dims == floor.dims;
}

} // namespace

QString cacheState(const QString &recorded)
{
    return recorded.isEmpty() ? QStringLiteral("warm") : recorded;
}

QList<QList<qint64>> measuredDims(const Namespace &evidence, const QString &operation)
{
    QList<QList<qint64>> measured;
    const auto add = [&](const QString &of, const QList<qint64> &dims) {
        if (of == operation && !dims.isEmpty() && !measured.contains(dims))
            measured.append(dims);
    };
    for (const OperationResult &result : evidence.results)
        add(result.operation, result.dims);
    for (const Capture &capture : evidence.captures)
        add(capture.operation, capture.dims);
    if (evidence.summary)
        for (const SummaryRow &row : evidence.summary->rows)
            add(row.operation, row.dims);
    if (evidence.progression)
        for (const OperationProgression &entry : evidence.progression->operations)
            add(entry.operation, entry.dims);
    return measured;
}

std::optional<Floor> knownFloor(const Namespace &evidence, const QString &operation, const QList<qint64> &dims,
                                const QString &cache, const QString &arithmetic)
{
    if (evidence.floors.isEmpty())
        return std::nullopt;
    const QList<QList<qint64>> measured = measuredDims(evidence, operation);
    std::optional<Floor> highest;
    for (const Floor &floor : evidence.floors) {
        const bool applies = floor.operation == operation && cacheState(floor.cache) == cacheState(cache) &&
                             (floor.arithmetic.isEmpty() || floor.arithmetic == arithmetic) &&
                             dimsApply(floor, dims, measured);
        if (applies && floor.us > 0 && (!highest || floor.us > highest->us))
            highest = floor;
    }
    return highest;
}

} // namespace stagecraft::evidence
