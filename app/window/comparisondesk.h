// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparisonchoices.h"

class QUndoStack;

namespace stagecraft::window {

class FigurePane;

// From the controls of the Compare page to what it shows; every change can be undone.
class ComparisonDesk : public QObject
{
    Q_OBJECT
public:
    ComparisonDesk(FigurePane &figures, QUndoStack &undo, QWidget *window, QObject *parent = nullptr);

    const ComparisonState &state() const { return m_choices.state(); }

    // What the controls do, of what is compared now; nothing where nothing is.
    void compareAgainst(const QString &path);
    void setPairs(const QList<evidence::ImplementationPair> &pairs);
    void setUnchanged(const std::optional<QStringList> &operations);

private:
    void askForPairs();
    void push(const ComparisonState &wanted, const QString &text);
    const ComparisonPlan *plan() const;

    FigurePane &m_figures;
    QUndoStack &m_undo;
    QWidget *m_window;
    ComparisonChoices m_choices;
};

} // namespace stagecraft::window
