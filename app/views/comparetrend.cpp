// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparetrend.h"

#include "cachestate.h"
#include "comparewords.h"
#include "verdict.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::Namespace;
using evidence::ValueRow;

namespace {

// The id under which a namespace's rows stand in the trend; empty where a hand pairs another of its ids with it.
QString trendId(const QString &id, const QStringList &ids, const QList<evidence::ImplementationPair> &pairs)
{
    for (const evidence::ImplementationPair &pair : pairs)
        if (pair.base == id)
            return pair.now;
    const bool isTaken = std::any_of(pairs.begin(), pairs.end(), [&](const evidence::ImplementationPair &pair) {
        return pair.now == id && pair.base != id && ids.contains(pair.base);
    });
    return isTaken ? QString() : id;
}

struct Named
{
    QString id; // in the trend
    ValueRow row;
};

QList<Named> namedRows(const Namespace &evidence, const ViewOptions &options, bool isLast)
{
    const QList<ValueRow> rows = evidence::valueRows(evidence);
    QStringList ids;
    for (const ValueRow &row : rows)
        ids.append(row.implementation);
    QList<Named> named;
    for (const ValueRow &row : rows) {
        const QString id = isLast ? row.implementation : trendId(row.implementation, ids, options.pairs);
        const bool isWanted = options.implementations.isEmpty() || options.implementations.contains(id) ||
                              options.implementations.contains(row.implementation);
        if (!id.isEmpty() && isWanted)
            named.append({id, row});
    }
    return named;
}

bool isSame(const Named &a, const Named &b)
{
    return a.id == b.id && a.row.operation == b.row.operation && a.row.dims == b.row.dims &&
           evidence::cacheState(a.row.cache) == evidence::cacheState(b.row.cache);
}

// Every row of any namespace once, those of the last first.
QList<Named> keysOf(const QList<QList<Named>> &all)
{
    QList<Named> keys;
    for (auto rows = all.rbegin(); rows != all.rend(); ++rows)
        for (const Named &row : *rows)
            if (std::none_of(keys.begin(), keys.end(), [&row](const Named &key) { return isSame(key, row); }))
                keys.append(row);
    return keys;
}

QStringList stepLines(const Namespace &from, const Namespace &to)
{
    QStringList lines;
    for (const evidence::Difference &difference : evidence::namespaceDifferences(from, to))
        lines.append(QStringLiteral("%1 → %2 differ: %3").arg(from.name, to.name, differenceLine(difference)));
    return lines;
}

std::optional<evidence::ComparedRow> changeOf(const TrendRow &row, const evidence::Comparison &comparison)
{
    if (!row.places.first() || !row.places.last())
        return std::nullopt;
    const auto isOf = [&row](const evidence::ComparedRow &compared) {
        const auto same = [](const ValueRow &a, const ValueRow &b) {
            return a.operation == b.operation && a.implementation == b.implementation && a.dims == b.dims &&
                   evidence::cacheState(a.cache) == evidence::cacheState(b.cache);
        };
        return same(compared.base, *row.places.first()) && same(compared.now, *row.places.last());
    };
    const auto found = std::find_if(comparison.rows.begin(), comparison.rows.end(), isOf);
    return found == comparison.rows.end() ? std::nullopt : std::optional(*found);
}

} // namespace

const ValueRow &TrendRow::any() const
{
    return **std::find_if(places.rbegin(), places.rend(), [](const auto &place) { return place.has_value(); });
}

bool TrendRow::isBySpan() const
{
    const auto has = [this](Metric metric) {
        return std::any_of(places.begin(), places.end(),
                           [metric](const auto &place) { return place && drawable(metricValue(*place, metric)); });
    };
    return !has(Metric::Kernel) && has(Metric::Span);
}

bool TrendRow::startsAnother(qsizetype place) const
{
    const auto isDrawn = [this](const auto &row) { return row && drawable(metricValue(*row, metric())); };
    if (place == 0 || !isDrawn(places[place]) || !isDrawn(places[place - 1]))
        return false;
    return !evidence::incomparableReason(*places[place], *places[place - 1],
                                         isBySpan() ? &ValueRow::span : &ValueRow::kernel)
                .isEmpty();
}

Trend trendOf(const Namespace &now, const ViewOptions &options)
{
    Trend trend;
    const QList<const Namespace *> all = options.baselines + QList<const Namespace *>{&now};
    QList<QList<Named>> rows;
    for (const Namespace *evidence : all) {
        if (const qsizetype place = trend.names.size(); place > 0) {
            if (evidence::isAcrossGpus(*all[place - 1], *evidence))
                trend.gpuBreaks.append(static_cast<int>(place));
            trend.stepLines += stepLines(*all[place - 1], *evidence);
        }
        trend.names.append(evidence->name);
        rows.append(namedRows(*evidence, options, evidence == &now));
    }
    trend.firstToLast = evidence::compare(*all.first(), now, comparisonOptions(options));
    for (const Named &key : keysOf(rows)) {
        TrendRow row;
        for (const QList<Named> &place : rows) {
            const auto found =
                std::find_if(place.begin(), place.end(), [&key](const Named &other) { return isSame(key, other); });
            row.places.append(found == place.end() ? std::nullopt : std::optional(found->row));
        }
        row.change = changeOf(row, trend.firstToLast);
        trend.rows.append(row);
    }
    return trend;
}

} // namespace stagecraft::views
