// SPDX-License-Identifier: GPL-3.0-or-later
#include "verdictrows.h"

#include "captions.h"
#include "floorlines.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::State;
using evidence::Value;
using evidence::ValueRow;

namespace {

Value ValueRow::*memberOf(Metric metric)
{
    return metric == Metric::Kernel ? &ValueRow::kernel : &ValueRow::span;
}

// The implementations asked for, and the reference, which is asked for by naming it.
ViewOptions withReference(ViewOptions options)
{
    if (!options.implementations.isEmpty() && !options.reference.isEmpty())
        options.implementations.append(options.reference);
    return options;
}

QString referenceOf(const RowGroup &group, const ViewOptions &options)
{
    if (!options.reference.isEmpty())
        return options.reference;
    // One that was not measured would leave nothing to compare the others with.
    QList<ValueRow> rows = group.rows;
    rows.removeIf([](const ValueRow &row) { return !drawable(row.kernel) && !drawable(row.span); });
    if (rows.isEmpty())
        rows = group.rows;
    const auto has = [&rows](const QString &id) {
        return std::any_of(rows.begin(), rows.end(), [&id](const ValueRow &row) { return row.implementation == id; });
    };
    for (const QString &own : {QStringLiteral("cuda"), QStringLiteral("rust")})
        if (has(own))
            return own;
    return rows.first().implementation;
}

void setState(VerdictRow &row, State state, const QString &whose, const QString &reason)
{
    row.outcome = evidence::stateName(state);
    row.reason = whose + (reason.isEmpty() ? row.outcome : reason);
}

void compare(VerdictRow &row, const ValueRow &reference, const QString &referenceLabel)
{
    const Value &own = metricValue(row.row, row.metric), &others = metricValue(reference, row.metric);
    if (!drawable(own))
        return setState(row, own.state, QString(), own.reason);
    if (!drawable(others))
        return setState(row, others.state, referenceLabel + QStringLiteral(": "), others.reason);
    if (const QString reason = evidence::incomparableReason(row.row, reference, memberOf(row.metric));
        !reason.isEmpty()) {
        row.outcome = QStringLiteral("not comparable");
        row.reason = reason;
        if (plainArithmetic(row.row.arithmetic) != plainArithmetic(reference.arithmetic))
            row.nextStep = QStringLiteral("name a reference of the same arithmetic, or measure with --arithmetic fp32");
        return;
    }
    row.verdict = evidence::compareRows(row.row, reference, memberOf(row.metric));
    row.outcome = evidence::verdictName(row.verdict->kind);
    row.reason = row.verdict->why;
    row.nextStep = row.verdict->nextStep;
    row.flags = metricFlags(row.row, row.metric);
    for (const evidence::Flag flag : metricFlags(reference, row.metric))
        if (!row.flags.contains(flag))
            row.flags.append(flag);
}

VerdictRow verdictRow(const ValueRow &row, const ValueRow *reference, const VerdictGroup &group, Metric metric)
{
    VerdictRow verdict;
    verdict.row = row;
    verdict.metric = metric;
    if (reference)
        compare(verdict, *reference, group.referenceLabel);
    else
        setState(verdict, State::NotRun, group.referenceLabel + QStringLiteral(": "),
                 QStringLiteral("no measurement of this operation"));
    return verdict;
}

VerdictRow loneRow(const RowGroup &group, Metric metric)
{
    ValueRow row;
    row.operation = group.operation;
    row.operationTitle = group.title;
    row.dims = group.dims;
    row.cache = group.cache;
    VerdictRow verdict;
    verdict.row = row;
    verdict.metric = metric;
    setState(verdict, State::NotRun, QString(), QStringLiteral("nothing else was measured to compare it with"));
    return verdict;
}

VerdictGroup verdictGroup(const RowGroup &rows, bool tellsWarm, const ViewOptions &options)
{
    VerdictGroup group;
    group.operation = rows.operation;
    group.title = rows.title;
    group.dims = rows.dims;
    group.cache = rows.cache;
    group.cacheWords = cacheWords(rows.cache, tellsWarm);
    group.reference = referenceOf(rows, options);
    group.referenceLabel = evidence::implementationLabel(group.reference);
    const auto reference = std::find_if(rows.rows.begin(), rows.rows.end(), [&group](const ValueRow &row) {
        return row.implementation == group.reference;
    });
    const ValueRow *found = reference == rows.rows.end() ? nullptr : &*reference;
    if (found)
        group.referenceLabel = rowLabel(*found);
    for (const ValueRow &row : rows.rows) {
        if (&row == found)
            continue;
        group.kernel.append(verdictRow(row, found, group, Metric::Kernel));
        group.span.append(verdictRow(row, found, group, Metric::Span));
    }
    if (group.kernel.isEmpty()) {
        group.kernel.append(loneRow(rows, Metric::Kernel));
        group.span.append(loneRow(rows, Metric::Span));
    }
    return group;
}

bool hasOthers(const VerdictGroup &group)
{
    return !group.kernel.first().row.implementation.isEmpty();
}

QList<evidence::ValueRow> measuredRows(const QList<VerdictGroup> &groups)
{
    QList<evidence::ValueRow> rows;
    for (const VerdictGroup &group : groups)
        for (const VerdictRow &row : group.span)
            rows.append(row.row);
    return rows;
}

} // namespace

QList<VerdictGroup> verdictGroups(const evidence::Namespace &evidence, const ViewOptions &options)
{
    QList<VerdictGroup> groups;
    const QList<ValueRow> selected = selectedRows(evidence, withReference(options));
    for (const RowGroup &rows : groupedRows(selected))
        groups.append(verdictGroup(rows, tellsWarm(selected), options));
    return groups;
}

QString verdictsUnavailable(const QList<VerdictGroup> &groups, const evidence::Namespace &evidence,
                            const ViewOptions &options)
{
    if (groups.isEmpty())
        return unavailableReason({}, Metric::Span, evidence, withReference(options));
    if (evidence.results.isEmpty() && evidence.captures.isEmpty())
        return QStringLiteral("%1 is a summary: it holds means and ranges, no rounds to pair").arg(evidence.name);
    if (std::none_of(groups.begin(), groups.end(), hasOthers))
        return QStringLiteral("a verdict takes two implementations of an operation; %1 shows only %2")
            .arg(evidence.name, groups.first().referenceLabel);
    return {};
}

int verdictDecimals(const ViewOptions &options)
{
    return options.decimals < 0 ? 3 : options.decimals;
}

QStringList verdictsFooter(const QString &reading, const QList<VerdictGroup> &groups,
                           const evidence::Namespace &evidence, const ViewOptions &options)
{
    QStringList lines;
    if (verdictsUnavailable(groups, evidence, options).isEmpty())
        lines = {QStringLiteral("A ratio is of one round: the implementation's median ÷ the reference's; below 1 the "
                                "implementation is faster. ") +
                     reading,
                 evidence::verdictRule()};
    return lines + originLines(evidence, options, measuredRows(groups));
}

} // namespace stagecraft::views
