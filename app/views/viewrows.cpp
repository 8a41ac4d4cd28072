// SPDX-License-Identifier: GPL-3.0-or-later
#include "viewrows.h"

#include "cachestate.h"
#include "problemlog.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::views {

using evidence::Flag;
using evidence::State;
using evidence::ValueRow;

QList<ValueRow> selectedRows(const evidence::Namespace &evidence, const ViewOptions &options)
{
    return selectedRows(evidence::valueRows(evidence), options);
}

QList<ValueRow> selectedRows(QList<ValueRow> all, const ViewOptions &options)
{
    if (!options.implementations.isEmpty())
        all.removeIf([&](const ValueRow &row) { return !options.implementations.contains(row.implementation); });
    return all;
}

QList<RowGroup> groupedRows(const QList<ValueRow> &rows)
{
    QList<RowGroup> groups;
    for (const ValueRow &row : rows) {
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const RowGroup &group) {
            return group.operation == row.operation && group.dims == row.dims &&
                   evidence::cacheState(group.cache) == evidence::cacheState(row.cache);
        });
        if (same != groups.end())
            same->rows.append(row);
        else
            groups.append({row.operation, row.operationTitle, row.dims, row.cache, {row}});
    }
    return groups;
}

const evidence::Value &metricValue(const ValueRow &row, Metric metric)
{
    switch (metric) {
    case Metric::Kernel:
        return row.kernel;
    case Metric::Launches:
        return row.launches;
    case Metric::Span:
        break;
    }
    return row.span;
}

const evidence::Estimate *drawable(const evidence::Value &value)
{
    const bool measured = value.state == State::Ok || value.state == State::Throttled;
    return measured && value.estimate ? &*value.estimate : nullptr;
}

bool onHost(const ValueRow &row)
{
    if (!row.span.source.isEmpty())
        return row.span.source == QLatin1String("host");
    return row.implementation == QLatin1String("host") || row.implementation == QLatin1String("pytorch-cpu");
}

bool isOwn(const QString &implementation)
{
    return implementation == QLatin1String("cuda") || implementation == QLatin1String("rust") ||
           implementation.startsWith(QLatin1String("cuda/"));
}

bool isWarm(const QString &cache)
{
    return evidence::cacheState(cache) == evidence::cacheState({});
}

QString cacheWords(const QString &cache, bool tellsWarm)
{
    if (isWarm(cache) && !tellsWarm)
        return {};
    return evidence::excerpt(evidence::cacheState(cache)) + QStringLiteral(" cache");
}

bool tellsWarm(const QList<ValueRow> &rows)
{
    const auto warm = [](const ValueRow &row) { return isWarm(row.cache); };
    return std::any_of(rows.begin(), rows.end(), warm) && !std::all_of(rows.begin(), rows.end(), warm);
}

QString dimsLabel(const QList<qint64> &dims)
{
    QStringList parts;
    for (const qint64 dim : dims)
        parts.append(QString::number(dim));
    return parts.join(QStringLiteral(" × "));
}

QList<qint64> knownDims(const QString &operation, const QList<qint64> &recorded, const evidence::Namespace &evidence)
{
    if (!recorded.isEmpty())
        return recorded;
    QList<QList<qint64>> measured;
    for (const RowGroup &group : groupedRows(evidence::valueRows(evidence)))
        if (group.operation == operation && !measured.contains(group.dims))
            measured.append(group.dims);
    return measured.size() == 1 ? measured.first() : recorded;
}

QString rowLabel(const ValueRow &row)
{
    const QString label = evidence::implementationLabel(row.implementation);
    const bool plain = row.arithmetic.isEmpty() || row.arithmetic == QLatin1String("fp32");
    return plain ? label : label + QStringLiteral(" · ") + row.arithmetic;
}

namespace {

// The row's flag says that one of its values has fewer than five samples; this says which.
bool fewSamples(const evidence::Value &value)
{
    return value.estimate && value.estimate->samples > 0 && value.estimate->samples < 5;
}

bool concerns(Flag flag, const ValueRow &row, Metric metric)
{
    switch (flag) {
    case Flag::SpanBelowKernel:
        return metric == Metric::Span;
    case Flag::FewSamples:
        return metric != Metric::Launches && fewSamples(metricValue(row, metric));
    case Flag::LaunchesVary:
        return metric != Metric::Span;
    case Flag::RoundsMissing:
        return metricValue(row, metric).estimate && metricValue(row, metric).estimate->lostRounds > 0;
    case Flag::FasterThanFloor:
    case Flag::Throttled:
        return metric != Metric::Launches;
    }
    return true;
}

} // namespace

QList<Flag> metricFlags(const ValueRow &row, Metric metric)
{
    QList<Flag> flags = row.flags;
    flags.removeIf([&](Flag flag) { return !concerns(flag, row, metric); });
    return flags;
}

int metricDecimals(const QList<ValueRow> &rows, Metric metric, const ViewOptions &options)
{
    const int decimals = options.decimals < 0 ? 1 : options.decimals;
    if (metric != Metric::Launches)
        return decimals;
    const bool whole = std::all_of(rows.begin(), rows.end(), [](const ValueRow &row) {
        const evidence::Estimate *launches = drawable(row.launches);
        return launches == nullptr || launches->mean == std::floor(launches->mean);
    });
    return whole ? 0 : std::max(decimals, 1);
}

namespace {

QString noRowsReason(const evidence::Namespace &evidence, const ViewOptions &options)
{
    QStringList present;
    for (const ValueRow &row : evidence::valueRows(evidence))
        if (!present.contains(row.implementation))
            present.append(row.implementation);
    if (!present.isEmpty())
        return QStringLiteral("%1 has no measurement of %2; it has %3")
            .arg(evidence.name, options.implementations.join(QStringLiteral(", ")), present.join(QStringLiteral(", ")));
    if (!evidence.missing.isEmpty())
        return QStringLiteral("%1 has no sound measurement; missing: %2")
            .arg(evidence.name, evidence.missing.join(QStringLiteral(", ")));
    if (evidence.progression)
        return QStringLiteral("%1 holds stages only: see Progression and Resources").arg(evidence.name);
    return QStringLiteral("%1 has no sound measurement").arg(evidence.name);
}

} // namespace

QString unavailableReason(const QList<ValueRow> &rows, Metric metric, const evidence::Namespace &evidence,
                          const ViewOptions &options)
{
    if (rows.isEmpty())
        return noRowsReason(evidence, options);
    QStringList reasons;
    for (const ValueRow &row : rows) {
        const evidence::Value &value = metricValue(row, metric);
        if (value.state != State::Unavailable)
            return {};
        if (!reasons.contains(value.reason) && !value.reason.isEmpty())
            reasons.append(value.reason);
    }
    return reasons.isEmpty() ? QStringLiteral("%1 does not record it").arg(evidence.name)
                             : reasons.join(QStringLiteral("; "));
}

} // namespace stagecraft::views
