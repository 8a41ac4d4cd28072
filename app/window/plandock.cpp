// SPDX-License-Identifier: GPL-3.0-or-later
#include "plandock.h"

#include "plandelegate.h"
#include "planmodel.h"
#include "protocolpanel.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace stagecraft::window {

PlanDock::PlanDock(PlanModel *model, QWidget *parent)
    : QDockWidget(tr("Plan"), parent), m_model(model), m_delegate(new PlanDelegate(this))
{
    setObjectName(QStringLiteral("planDock"));
    auto *content = new QWidget(this);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    createTree(layout);
    createProblemLine(layout);
    createProtocol(layout);
    setWidget(content);
    setTabOrder(m_tree, m_protocolToggle);
    connect(m_delegate, &PlanDelegate::dimsTyped, this, &PlanDock::showProblem);
    connect(m_model, &PlanModel::dimsRejected, this, &PlanDock::showProblem);
}

void PlanDock::createTree(QVBoxLayout *layout)
{
    m_tree = new QTreeView(this);
    m_tree->setModel(m_model);
    m_tree->setItemDelegate(m_delegate);
    m_tree->setAccessibleName(tr("Plan: operations and implementations"));
    m_tree->setUniformRowHeights(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setIndentation(16);
    m_tree->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                            QAbstractItemView::SelectedClicked);
    m_tree->header()->setStretchLastSection(true);
    m_tree->header()->setSectionResizeMode(PlanModel::NameColumn, QHeaderView::ResizeToContents);
    m_tree->setTextElideMode(Qt::ElideRight);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &PlanDock::expandOperation);
    connect(m_tree, &QTreeView::collapsed, this,
            [this](const QModelIndex &row) { m_collapsed.insert(row.data(PlanModel::IdRole).toString()); });
    connect(m_tree, &QTreeView::expanded, this,
            [this](const QModelIndex &row) { m_collapsed.remove(row.data(PlanModel::IdRole).toString()); });
    // The name of a collapsed operation is longer.
    const auto fitNames = [this] { m_tree->resizeColumnToContents(PlanModel::NameColumn); };
    connect(m_tree, &QTreeView::collapsed, this, fitNames);
    connect(m_tree, &QTreeView::expanded, this, fitNames);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &PlanDock::explain);
    for (int row = 0; row < m_model->rowCount(); ++row)
        expandOperation(m_model->index(row, 0));
    createActions();
    layout->addWidget(m_tree, 1);
}

// Single stages, and what is unavailable, are for those who ask for them.
void PlanDock::expandOperation(const QModelIndex &operation)
{
    if (m_model->operation(operation) && !m_collapsed.contains(operation.data(PlanModel::IdRole).toString()))
        m_tree->expand(operation);
}

void PlanDock::createActions()
{
    const auto add = [this](const QString &text, auto act) {
        auto *action = new QAction(text, m_tree);
        connect(action, &QAction::triggered, this, act);
        m_tree->addAction(action);
        return action;
    };
    m_checkEverywhere = add({}, [this] { setCheckedEverywhere(true); });
    m_uncheckEverywhere = add({}, [this] { setCheckedEverywhere(false); });
    auto *separator = new QAction(m_tree);
    separator->setSeparator(true);
    m_tree->addAction(separator);
    add(tr("&Expand all operations"), [this] {
        for (int row = 0; row < m_model->rowCount(); ++row)
            m_tree->expand(m_model->index(row, 0));
    });
    add(tr("C&ollapse all operations"), [this] { m_tree->collapseAll(); });
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    updateActions({});
}

void PlanDock::updateActions(const QModelIndex &current)
{
    const QString name = m_model->implementation(current);
    const QString label = current.siblingAtColumn(PlanModel::NameColumn).data().toString();
    m_checkEverywhere->setText(tr("&Check %1 in all operations").arg(label));
    m_uncheckEverywhere->setText(tr("&Uncheck %1 in all operations").arg(label));
    for (QAction *action : {m_checkEverywhere, m_uncheckEverywhere}) {
        action->setVisible(!name.isEmpty());
        action->setEnabled(!m_model->isLocked());
    }
}

void PlanDock::setCheckedEverywhere(bool wanted)
{
    m_model->setCheckedEverywhere(m_model->implementation(m_tree->currentIndex()), wanted);
}

void PlanDock::createProblemLine(QVBoxLayout *layout)
{
    m_problem = new QLabel(this);
    m_problem->setObjectName(QStringLiteral("problemLine"));
    m_problem->setWordWrap(true);
    m_problem->setContentsMargins(12, 8, 12, 8);
    m_problem->hide();
    layout->addWidget(m_problem);
}

void PlanDock::createProtocol(QVBoxLayout *layout)
{
    m_protocolToggle = new QToolButton(this);
    m_protocolToggle->setObjectName(QStringLiteral("sectionButton"));
    m_protocolToggle->setCheckable(true);
    m_protocolToggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_protocolToggle->setArrowType(Qt::RightArrow);
    m_protocolToggle->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_protocolToggle->setToolTip(
        tr("Show or hide the protocol: rounds, warm-up, spans, cache, arithmetic, capture, counters and seed"));
    m_protocol = new ProtocolPanel(this);
    m_protocol->hide();
    connect(m_protocolToggle, &QToolButton::toggled, this, [this](bool shown) {
        m_protocol->setVisible(shown);
        m_protocolToggle->setArrowType(shown ? Qt::DownArrow : Qt::RightArrow);
    });
    layout->addWidget(m_protocolToggle);
    layout->addWidget(m_protocol);
}

void PlanDock::setLocked(bool locked)
{
    m_model->setLocked(locked);
    m_protocol->setLocked(locked);
    updateActions(m_tree->currentIndex());
    if (locked)
        showProblem(QString());
}

void PlanDock::editProtocol()
{
    show();
    raise();
    m_protocolToggle->setChecked(true);
    m_protocol->setFocus(Qt::ShortcutFocusReason);
    m_protocol->nextInFocusChain()->setFocus(Qt::ShortcutFocusReason);
}

void PlanDock::setProtocolSummary(const QString &summary)
{
    m_protocolToggle->setText(tr("Protocol: %1").arg(summary));
}

void PlanDock::explain(const QModelIndex &current)
{
    showProblem(current.data(PlanModel::ProblemRole).toString());
    updateActions(current);
}

void PlanDock::showProblem(const QString &problem)
{
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

} // namespace stagecraft::window
