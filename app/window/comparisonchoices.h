// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparisonplan.h"

#include <QObject>
#include <QUndoCommand>

namespace stagecraft::window {

// What the reader has chosen on the Compare page; kept while the window is open.
class ComparisonChoices : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    const ComparisonState &state() const { return m_state; }
    void setState(const ComparisonState &state);

signals:
    void changed();

private:
    ComparisonState m_state;
};

class ChangeComparison : public QUndoCommand
{
public:
    ChangeComparison(ComparisonChoices &choices, const ComparisonState &wanted, const QString &text);

    void redo() override;
    void undo() override;

private:
    ComparisonChoices &m_choices;
    ComparisonState m_before, m_after;
};

// The state with these pairs in place of those that the plan used; pairs for other namespaces stay.
ComparisonState withPairs(const ComparisonState &state, const ComparisonPlan &plan,
                          const QList<evidence::ImplementationPair> &pairs);

// The state with these operations called unchanged between what the plan compares; nullopt: as the evidence says.
ComparisonState withUnchanged(const ComparisonState &state, const ComparisonPlan &plan,
                              const std::optional<QStringList> &operations);

} // namespace stagecraft::window
