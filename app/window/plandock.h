// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <QSet>

class QAction;
class QLabel;
class QToolButton;
class QModelIndex;
class QTreeView;
class QVBoxLayout;

namespace stagecraft::window {

class PlanDelegate;
class PlanModel;
class ProtocolPanel;

// The plan: what is measured, in which sizes, by which protocol.
class PlanDock : public QDockWidget
{
    Q_OBJECT
public:
    explicit PlanDock(PlanModel *model, QWidget *parent = nullptr);

    ProtocolPanel *protocol() const { return m_protocol; }
    QTreeView *tree() const { return m_tree; }
    void setLocked(bool locked);
    void editProtocol(); // brings the protocol to the front
    void setProtocolSummary(const QString &summary);

private:
    void createTree(QVBoxLayout *layout);
    void createProblemLine(QVBoxLayout *layout);
    void createProtocol(QVBoxLayout *layout);
    void explain(const QModelIndex &current); // why the row cannot be measured
    void showProblem(const QString &problem);
    void expandOperation(const QModelIndex &operation); // unless the user has collapsed it
    void createActions();
    void updateActions(const QModelIndex &current);
    void setCheckedEverywhere(bool wanted); // the current row's implementation

    PlanModel *m_model;
    PlanDelegate *m_delegate;
    QTreeView *m_tree = nullptr;
    QLabel *m_problem = nullptr;
    QToolButton *m_protocolToggle = nullptr;
    ProtocolPanel *m_protocol = nullptr;
    QAction *m_checkEverywhere = nullptr, *m_uncheckEverywhere = nullptr;
    QSet<QString> m_collapsed; // operations
};

} // namespace stagecraft::window
