// SPDX-License-Identifier: GPL-3.0-or-later
#include "plandock.h"

#include "plandelegate.h"
#include "planmodel.h"
#include "protocolpanel.h"

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
    m_tree->setIndentation(20);
    m_tree->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                            QAbstractItemView::SelectedClicked);
    m_tree->header()->setStretchLastSection(true);
    m_tree->header()->setSectionResizeMode(PlanModel::NameColumn, QHeaderView::ResizeToContents);
    m_tree->setTextElideMode(Qt::ElideRight);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &PlanDock::expandTree);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &PlanDock::explain);
    expandTree();
    layout->addWidget(m_tree, 1);
}

void PlanDock::expandTree()
{
    m_tree->expandToDepth(0); // single stages are for those who ask for them
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
    m_protocolToggle->setToolTip(tr("Show or hide the protocol: rounds, warm-up, spans, capture and seed"));
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
}

void PlanDock::showProblem(const QString &problem)
{
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

} // namespace stagecraft::window
