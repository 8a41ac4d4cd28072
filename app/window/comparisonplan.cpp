// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisonplan.h"

#include "figuretext.h"

#include <QSet>

namespace stagecraft::window {

namespace {

using Entry = EvidenceListModel::Entry;
using evidence::ImplementationPair;

// By date, those that record none first: the note's summaries are older than the format that has one. Then by name.
void sortByDate(QList<Entry> &entries)
{
    std::ranges::stable_sort(entries, {},
                             [](const Entry &entry) { return std::pair(entry.evidence->utc, entry.evidence->name); });
}

QStringList idsOfAll(const QList<Entry> &entries)
{
    QStringList ids;
    for (const Entry &entry : entries)
        ids += implementationIds(*entry.evidence);
    return ids;
}

QList<ImplementationPair> applicablePairs(const QList<ImplementationPair> &pairs, const ComparisonPlan &plan)
{
    const QStringList base = implementationIds(*plan.base.evidence);
    const QStringList others = idsOfAll(plan.others);
    QList<ImplementationPair> applicable;
    for (const ImplementationPair &pair : pairs) {
        if (base.contains(pair.base) && others.contains(pair.now))
            applicable.append(pair);
        else if (base.contains(pair.now) && others.contains(pair.base))
            applicable.append({pair.now, pair.base});
    }
    return applicable;
}

} // namespace

std::optional<ComparisonPlan> comparisonPlan(const QList<Entry> &shown, const ComparisonState &state)
{
    if (shown.size() < 2)
        return std::nullopt;
    ComparisonPlan plan;
    plan.others = shown;
    sortByDate(plan.others);
    const auto chosen = std::ranges::find(plan.others, state.base, &Entry::path);
    const qsizetype place = chosen == plan.others.end() ? 0 : chosen - plan.others.begin();
    plan.base = plan.others.takeAt(place);
    plan.pairs = applicablePairs(state.pairs, plan);
    const auto unchanged = state.unchanged.constFind(shownKey(shown));
    if (unchanged != state.unchanged.constEnd())
        plan.unchanged = *unchanged;
    return plan;
}

QString shownKey(const QList<Entry> &shown)
{
    QStringList paths;
    for (const Entry &entry : shown)
        paths.append(entry.path);
    paths.sort();
    return paths.join(QLatin1Char('\n'));
}

QStringList implementationIds(const evidence::Namespace &evidence)
{
    QSet<QString> ids;
    for (const evidence::OperationResult &result : evidence.results) {
        for (const evidence::Round &round : result.rounds) {
            for (auto measured = round.implementations.keyBegin(); measured != round.implementations.keyEnd();
                 ++measured)
                ids.insert(*measured);
        }
    }
    for (const evidence::Capture &capture : evidence.captures)
        ids.insert(capture.language);
    if (evidence.summary) {
        for (const evidence::SummaryRow &row : evidence.summary->rows) {
            for (auto measured = row.measurements.keyBegin(); measured != row.measurements.keyEnd(); ++measured)
                ids.insert(*measured);
        }
    }
    return evidence::implementationOrder(ids.values());
}

QStringList operationIds(const evidence::Namespace &evidence)
{
    QStringList ids;
    const auto add = [&ids](const QString &id) {
        if (!ids.contains(id))
            ids.append(id);
    };
    for (const evidence::OperationResult &result : evidence.results)
        add(result.operation);
    for (const evidence::Capture &capture : evidence.captures)
        add(capture.operation);
    if (evidence.summary) {
        for (const evidence::SummaryRow &row : evidence.summary->rows)
            add(row.operation);
    }
    return ids;
}

QString pairText(const ImplementationPair &pair)
{
    const QString base = evidence::implementationLabel(pair.base), now = evidence::implementationLabel(pair.now);
    return widgets::printableText(base == now ? QStringLiteral("%1 ↔ %2").arg(pair.base, pair.now)
                                              : QStringLiteral("%1 ↔ %2").arg(base, now));
}

QString idText(const QString &implementation)
{
    const QString label = evidence::implementationLabel(implementation);
    return widgets::printableText(label.compare(implementation, Qt::CaseInsensitive) == 0
                                      ? label
                                      : QStringLiteral("%1 (%2)").arg(label, implementation));
}

} // namespace stagecraft::window
