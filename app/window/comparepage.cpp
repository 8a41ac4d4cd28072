// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparepage.h"

#include "figuretext.h"

#include <QCoreApplication>

namespace stagecraft::window {

namespace {

using evidence::ImplementationPair;

evidence::ComparisonOptions optionsOf(const ComparisonPlan &plan)
{
    evidence::ComparisonOptions options;
    options.pairs = plan.pairs;
    options.unchanged = plan.unchanged;
    return options;
}

QString hintFor(const QList<EvidenceListModel::Entry> &entries)
{
    return entries.isEmpty()
               ? QObject::tr("Nothing is compared. Check two namespaces in the evidence list at the right.")
               : QObject::tr("Check a second namespace in the evidence list at the right to compare it with %1.")
                     .arg(entries.first().title());
}

void addMissing(QStringList &all, const QStringList &more)
{
    for (const QString &text : more) {
        if (!all.contains(text))
            all.append(text);
    }
}

} // namespace

views::ViewOptions comparisonOptions(const ComparisonPlan &plan)
{
    views::ViewOptions options;
    options.programVersion = QCoreApplication::applicationVersion();
    options.baselines.append(plan.base.evidence.get());
    for (const EvidenceListModel::Entry &entry : plan.others.first(plan.others.size() - 1))
        options.baselines.append(entry.evidence.get());
    options.pairs = plan.pairs;
    options.unchanged = plan.unchanged;
    return options;
}

ComparisonFacts comparisonFacts(const ComparisonPlan &plan, const Cancelled &cancelled)
{
    ComparisonFacts facts;
    facts.plan = plan;
    facts.operations = operationIds(*plan.base.evidence);
    for (const EvidenceListModel::Entry &other : plan.others) {
        if (cancelled && cancelled())
            return facts;
        addMissing(facts.operations, operationIds(*other.evidence));
        const evidence::Comparison comparison =
            evidence::compare(*plan.base.evidence, *other.evidence, optionsOf(plan));
        for (const evidence::ComparedRow &row : comparison.rows) {
            if (row.isUnchanged)
                addMissing(facts.unchanged, {row.now.operation});
        }
        for (const evidence::Difference &difference : comparison.differences) {
            const QString text = widgets::printableText(evidence::differenceLine(difference));
            addMissing(facts.differing, {difference.what});
            addMissing(facts.differences,
                       {plan.others.size() > 1 ? QStringLiteral("%1: %2").arg(other.title(), text) : text});
        }
        for (const ImplementationPair &pair : evidence::likelyPairs(*plan.base.evidence, *other.evidence)) {
            if (!plan.pairs.contains(pair) && !facts.likely.contains(pair))
                facts.likely.append(pair);
        }
    }
    if (plan.unchanged)
        facts.unchanged = *plan.unchanged;
    return facts;
}

FigurePage buildComparePage(const QList<EvidenceListModel::Entry> &entries, const ComparisonState &state,
                            const Cancelled &cancelled)
{
    FigurePage page;
    page.view = views::ViewId::Compare;
    const std::optional<ComparisonPlan> plan = comparisonPlan(entries, state);
    if (!plan) {
        page.hint = hintFor(entries);
        page.values.unavailable = page.hint;
        return page;
    }
    const views::ViewOptions options = comparisonOptions(*plan);
    const evidence::Namespace &newest = *plan->others.last().evidence;
    const auto isCancelled = [&] { return cancelled && cancelled(); };
    if (!isCancelled())
        page.figures.append(views::buildFigure(page.view, newest, options));
    if (!isCancelled())
        page.values = views::buildTable(page.view, newest, options);
    putChangesForward(page.values);
    page.comparison = QSharedPointer<const ComparisonFacts>::create(comparisonFacts(*plan, cancelled));
    return page;
}

} // namespace stagecraft::window
