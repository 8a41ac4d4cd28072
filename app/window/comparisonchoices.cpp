// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisonchoices.h"

namespace stagecraft::window {

void ComparisonChoices::setState(const ComparisonState &state)
{
    if (m_state == state)
        return;
    m_state = state;
    emit changed();
}

ChangeComparison::ChangeComparison(ComparisonChoices &choices, const ComparisonState &wanted, const QString &text)
    : QUndoCommand(text), m_choices(choices), m_before(choices.state()), m_after(wanted)
{
}

void ChangeComparison::redo()
{
    m_choices.setState(m_after);
}

void ChangeComparison::undo()
{
    m_choices.setState(m_before);
}

ComparisonState withPairs(const ComparisonState &state, const ComparisonPlan &plan,
                          const QList<evidence::ImplementationPair> &pairs)
{
    ComparisonState result = state;
    result.pairs.removeIf([&](const evidence::ImplementationPair &pair) {
        return plan.pairs.contains(pair) || plan.pairs.contains({pair.now, pair.base});
    });
    result.pairs += pairs;
    return result;
}

ComparisonState withUnchanged(const ComparisonState &state, const ComparisonPlan &plan,
                              const std::optional<QStringList> &operations)
{
    ComparisonState result = state;
    const QString key = shownKey(plan.others + QList{plan.base});
    if (operations)
        result.unchanged.insert(key, *operations);
    else
        result.unchanged.remove(key);
    return result;
}

} // namespace stagecraft::window
