// SPDX-License-Identifier: GPL-3.0-or-later
#include "stageworkbench.h"

#include "actions.h"
#include "machinecodepanel.h"
#include "messagebar.h"
#include "stageeditors.h"
#include "stageresults.h"
#include "stagetreedelegate.h"
#include "stagetreemodel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace stagecraft::window {

StageWorkbench::StageWorkbench(StageTreeModel *model, Actions *actions, QWidget *parent)
    : QWidget(parent), m_model(model), m_messages(new MessageBar(this)), m_splitter(new QSplitter(this))
{
    // While the figures are shown its widths must not hold the window open.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(createTree(actions));
    m_splitter->addWidget(createSource(actions));
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({376, 900});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_messages);
    layout->addWidget(m_splitter, 1);
    connect(m_model, &QAbstractItemModel::modelReset, this, &StageWorkbench::restoreSelection);
}

QList<QSplitter *> StageWorkbench::splitters() const
{
    return {m_splitter, m_right, m_codes};
}

QWidget *StageWorkbench::createBar(QLabel *heading, const QList<QAction *> &actions, Qt::ToolButtonStyle style)
{
    auto *bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("paneBar"));
    bar->setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 4, 8, 4);
    row->setSpacing(4);
    heading->setParent(bar);
    heading->setProperty("heading", true);
    row->addWidget(heading);
    if (m_explanation)
        row->addWidget(m_explanation, 1);
    else
        row->addStretch(1);
    for (QAction *action : actions) {
        auto *button = new QToolButton(bar);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setToolButtonStyle(style);
        button->setIconSize(QSize(16, 16));
        button->setAccessibleName(action->statusTip());
        row->addWidget(button);
    }
    return bar;
}

QWidget *StageWorkbench::createTree(Actions *actions)
{
    auto *area = new QWidget(this);
    auto *layout = new QVBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_tree = new QTreeView(area);
    m_tree->setModel(m_model);
    m_tree->setItemDelegate(new StageTreeDelegate(m_tree));
    m_tree->setAccessibleName(tr("Stages of each operation"));
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setHeaderHidden(true);
    m_tree->setUniformRowHeights(true);
    m_tree->setTextElideMode(Qt::ElideRight);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setIndentation(16);
    m_tree->header()->setStretchLastSection(true);
    m_tree->header()->setSectionResizeMode(StageTreeModel::NameColumn, QHeaderView::ResizeToContents);
    m_tree->addActions({actions->newStage, actions->openStageOutside, actions->revealStages});
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_tree->expandAll();
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &StageWorkbench::noteCurrent);
    m_folder = new QLabel(area);
    m_folder->setProperty("muted", true);
    m_folder->setWordWrap(true);
    m_folder->setContentsMargins(12, 8, 12, 8);
    layout->addWidget(
        createBar(new QLabel(tr("Stages")), {actions->newStage, actions->chooseStagesFolder}, Qt::ToolButtonIconOnly));
    layout->addWidget(m_tree, 1);
    layout->addWidget(m_folder);
    return area;
}

QWidget *StageWorkbench::createSource(Actions *actions)
{
    auto *source = new QWidget(this);
    auto *layout = new QVBoxLayout(source);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_title = new QLabel(source);
    m_explanation = new QLabel(source);
    m_explanation->setProperty("muted", true);
    m_explanation->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_editors = new StageEditors(source);
    layout->addWidget(
        createBar(m_title, {actions->newStage, actions->saveStage, actions->openStageOutside, actions->machineCode},
                  Qt::ToolButtonTextBesideIcon));
    m_machineCode = new MachineCodePanel(source);
    m_machineCode->hide();
    m_codes = new QSplitter(source);
    m_codes->setChildrenCollapsible(false);
    m_codes->addWidget(m_editors);
    m_codes->addWidget(m_machineCode);
    m_codes->setSizes({560, 440});
    layout->addWidget(m_codes, 1);
    m_results = new StageResults(actions, this);
    m_right = new QSplitter(Qt::Vertical, this);
    m_right->setChildrenCollapsible(false);
    m_right->addWidget(source);
    m_right->addWidget(m_results);
    m_right->setStretchFactor(0, 3);
    m_right->setStretchFactor(1, 1);
    m_right->setSizes({640, 260});
    return m_right;
}

void StageWorkbench::noteCurrent(const QModelIndex &current)
{
    const QString id = current.data(StageTreeModel::IdRole).toString();
    if (id.isEmpty())
        return;
    m_operation = current.data(StageTreeModel::OperationRole).toString();
    m_id = id;
    emit stageSelected(m_operation, m_id);
}

void StageWorkbench::select(const QString &operation, const QString &id)
{
    m_operation = operation;
    m_id = id;
    const QModelIndex row = m_model->find(operation, id);
    if (row.isValid())
        m_tree->setCurrentIndex(row);
}

void StageWorkbench::restoreSelection()
{
    m_tree->expandAll();
    const QModelIndex row = m_model->find(m_operation, m_id);
    if (row.isValid())
        m_tree->setCurrentIndex(row);
}

void StageWorkbench::setHeading(const QString &title, const QString &explanation)
{
    m_title->setText(title);
    m_explanation->setText(explanation);
    m_explanation->setToolTip(explanation);
}

void StageWorkbench::setFolderText(const QString &text, const QString &toolTip)
{
    m_folder->setText(text);
    m_folder->setToolTip(toolTip);
}

void StageWorkbench::setTheme(widgets::Theme theme)
{
    m_editors->setTheme(theme);
    m_results->setTheme(theme);
    m_machineCode->setTheme(theme);
}

} // namespace stagecraft::window
