// SPDX-License-Identifier: GPL-3.0-or-later
#include "floorlines.h"

#include <algorithm>
#include <set>

namespace stagecraft::views {

using evidence::ValueRow;

namespace {

// The operation, with whatever tells it from others that are shown beside it.
QString caseName(const ValueRow &row, const QList<ValueRow> &rows)
{
    const auto differs = [&](const auto &member) {
        return std::any_of(rows.begin(), rows.end(), [&](const ValueRow &other) {
            return other.operation == row.operation && other.*member != row.*member;
        });
    };
    QStringList parts{row.operationTitle};
    if (differs(&ValueRow::dims))
        parts.append(dimsLabel(row.dims));
    if (differs(&ValueRow::arithmetic))
        parts.last() += QStringLiteral(" in ") + plainArithmetic(row.arithmetic);
    parts.append(cacheWords(row.cache, tellsWarm(rows)));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

} // namespace

std::optional<KnownFloor> floorOf(const ValueRow &row)
{
    return row.floorUs ? std::optional(KnownFloor{*row.floorUs, row.floorWhat, row.floorArithmetic}) : std::nullopt;
}

QString floorWords(const widgets::FigureLimit &floor)
{
    return floor.what.isEmpty() ? floor.text : QStringLiteral("%1: %2").arg(floor.text, floor.what);
}

int FloorLines::add(const std::optional<KnownFloor> &floor)
{
    if (!floor)
        return -1;
    qsizetype index = m_floors.indexOf(*floor);
    if (index < 0) {
        index = m_floors.size();
        m_floors.append(*floor);
        const QString name = m_namesArithmetic && !floor->arithmetic.isEmpty()
                                 ? floor->arithmetic + QStringLiteral(" floor")
                                 : QStringLiteral("floor");
        m_lines.append({floor->us, QStringLiteral("%1 %2 µs").arg(name, widgets::displayNumber(floor->us, m_decimals)),
                        floor->what});
    }
    return static_cast<int>(index);
}

QString plainArithmetic(const QString &arithmetic)
{
    return arithmetic.isEmpty() ? QStringLiteral("fp32") : arithmetic;
}

bool mixesArithmetic(const QList<ValueRow> &rows)
{
    std::set<QString> kinds;
    for (const ValueRow &row : rows)
        if (!row.arithmetic.isEmpty()) // what was not measured says nothing of it
            kinds.insert(row.arithmetic);
    return kinds.size() > 1;
}

QString floorMeaning(const QStringList &unknown)
{
    const QString meaning = QStringLiteral("Floor: the time that no implementation can beat on this GPU, in the same "
                                           "arithmetic and cache state; the line across a bar is the bar's own.");
    return unknown.isEmpty()
               ? meaning
               : meaning + QStringLiteral(" None is known of %1.").arg(unknown.join(QStringLiteral("; ")));
}

QStringList floorCaptions(const QList<ValueRow> &rows)
{
    if (std::none_of(rows.begin(), rows.end(), [](const ValueRow &row) { return row.floorUs.has_value(); }))
        return {};
    QStringList unknown;
    for (const ValueRow &row : rows)
        if (const QString name = caseName(row, rows); drawable(row.kernel) && !row.floorUs && !unknown.contains(name))
            unknown.append(name);
    return {floorMeaning(unknown)};
}

QString arithmeticCaption(const QStringList &arithmetics)
{
    QStringList marked;
    for (const QString &arithmetic : arithmetics)
        if (const QString kind = plainArithmetic(arithmetic); kind != QLatin1String("fp32") && !marked.contains(kind))
            marked.append(kind);
    if (marked.isEmpty())
        return {};
    return QStringLiteral("What is marked %1 is not exact FP32: it has a floor and an error of its own, and no verdict "
                          "compares it with exact FP32.")
        .arg(marked.join(QStringLiteral(" or ")));
}

} // namespace stagecraft::views
