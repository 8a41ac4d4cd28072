// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencelistmodel.h"

#include <QScrollArea>

class QGridLayout;
class QVBoxLayout;

namespace stagecraft::window {

// The facts about one namespace, and what is wrong with it.
class ProvenancePanel : public QScrollArea
{
    Q_OBJECT
public:
    explicit ProvenancePanel(QWidget *parent = nullptr);

    void setNamespace(const NamespacePointer &evidence); // null: nothing is selected

private:
    QWidget *createContent(const evidence::Namespace &evidence);
    void addFacts(QVBoxLayout *layout, const evidence::Namespace &evidence);
    void addProblems(QVBoxLayout *layout, const evidence::Namespace &evidence);

    QStringList m_shown; // what the panel says now: a run's snapshots mostly say the same again
};

} // namespace stagecraft::window
