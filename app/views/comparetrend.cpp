// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparetrend.h"

#include "cachestate.h"
#include "comparewords.h"
#include "verdict.h"

#include <QHash>

#include <algorithm>
#include <cmath>

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

QString keyOf(const ValueRow &row, const QString &id)
{
    return QStringList{row.operation, evidence::dimsText(row.dims), evidence::cacheState(row.cache), id}.join(
        QChar(QChar::LineFeed));
}

// The rows of one namespace by what they are; of several alike the first.
QHash<QString, ValueRow> byKey(const QList<Named> &rows)
{
    QHash<QString, ValueRow> found;
    for (const Named &named : rows)
        if (const QString key = keyOf(named.row, named.id); !found.contains(key))
            found.insert(key, named.row);
    return found;
}

// Every row of any namespace once, those of the last first.
QStringList keysOf(const QList<QList<Named>> &all)
{
    QStringList keys;
    for (auto rows = all.rbegin(); rows != all.rend(); ++rows)
        for (const Named &named : *rows)
            keys.append(keyOf(named.row, named.id));
    keys.removeDuplicates();
    return keys;
}

QStringList stepLines(const Namespace &from, const Namespace &to)
{
    QStringList lines;
    for (const evidence::Difference &difference : evidence::namespaceDifferences(from, to))
        lines.append(
            QStringLiteral("%1 → %2 differ: %3").arg(from.name, to.name, evidence::differenceLine(difference)));
    return lines;
}

QString pairKey(const ValueRow &base, const ValueRow &now)
{
    return keyOf(base, base.implementation) + QChar(QChar::LineFeed) + keyOf(now, now.implementation);
}

QHash<QString, qsizetype> changesByPair(const evidence::Comparison &comparison)
{
    QHash<QString, qsizetype> places;
    for (qsizetype i = 0; i < comparison.rows.size(); ++i)
        places.insert(pairKey(comparison.rows[i].base, comparison.rows[i].now), i);
    return places;
}

// As the rows of two namespaces are: the largest change first, those without one last.
void sortBySize(QList<TrendRow> &rows)
{
    const auto size = [](const TrendRow &row) {
        return row.change && row.change->judged().percent ? std::abs(*row.change->judged().percent) : -1;
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&size](const TrendRow &a, const TrendRow &b) { return size(a) > size(b); });
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

QStringList TrendRow::stages() const
{
    QStringList names;
    for (const std::optional<ValueRow> &place : places)
        if (place && !place->stage.isEmpty() && (names.isEmpty() || names.last() != place->stage))
            names.append(place->stage);
    return names;
}

QList<Origin> originsOf(const Trend &trend, const Namespace &now, const ViewOptions &options)
{
    const QList<const Namespace *> all = options.baselines + QList<const Namespace *>{&now};
    QList<Origin> origins;
    for (qsizetype i = 0; i < all.size(); ++i) {
        QList<ValueRow> rows;
        for (const TrendRow &row : trend.rows)
            if (row.places[i])
                rows.append(*row.places[i]);
        origins.append({all[i], rows});
    }
    return origins;
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
    QList<QHash<QString, ValueRow>> places;
    for (const QList<Named> &place : rows)
        places.append(byKey(place));
    const QHash<QString, qsizetype> changes = changesByPair(trend.firstToLast);
    for (const QString &key : keysOf(rows)) {
        TrendRow row;
        for (const QHash<QString, ValueRow> &place : places)
            row.places.append(place.contains(key) ? std::optional(place[key]) : std::nullopt);
        if (row.places.first() && row.places.last())
            if (const qsizetype at = changes.value(pairKey(*row.places.first(), *row.places.last()), -1); at >= 0)
                row.change = trend.firstToLast.rows[at];
        trend.rows.append(row);
    }
    sortBySize(trend.rows);
    return trend;
}

} // namespace stagecraft::views
