// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencedock.h"

#include "actions.h"
#include "evidencedelegate.h"
#include "evidencelistmodel.h"
#include "provenancepanel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace stagecraft::window {

EvidenceDock::EvidenceDock(EvidenceListModel *model, const Actions *actions, QWidget *parent)
    : QDockWidget(tr("Evidence"), parent),
      m_model(model),
      m_list(new QListView(this)),
      m_provenance(new ProvenancePanel(this)),
      m_splitter(new QSplitter(Qt::Vertical, this))
{
    setObjectName(QStringLiteral("evidenceDock"));
    m_splitter->addWidget(createList(actions));
    m_splitter->addWidget(createProvenance());
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 2);
    m_splitter->setStretchFactor(1, 3);
    m_splitter->setSizes({300, 450}); // shares of what there is
    setWidget(m_splitter);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &EvidenceDock::showSelected);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &EvidenceDock::showSelected);
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, &EvidenceDock::showSelected);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &EvidenceDock::showSelected);
    showSelected();
}

QWidget *EvidenceDock::createList(const Actions *actions)
{
    m_list->setModel(m_model);
    m_list->setItemDelegate(new EvidenceDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setAccessibleName(tr("Loaded evidence; the check box shows a namespace in the figures"));
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    addListActions(actions);

    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(8, 8, 8, 8);
    buttons->setSpacing(8);
    const std::pair<QAction *, QString> shown[] = {{actions->open, tr("Open…")},
                                                   {actions->removeEvidence, tr("Remove")}};
    for (const auto &[action, text] : shown) {
        auto *button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setText(text);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);

    auto *area = new QWidget(this);
    auto *layout = new QVBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);
    return area;
}

void EvidenceDock::addListActions(const Actions *actions)
{
    const auto addSeparator = [this] {
        auto *separator = new QAction(m_list);
        separator->setSeparator(true);
        m_list->addAction(separator);
    };
    m_list->addActions({actions->showSelected, actions->showOnlySelected});
    addSeparator();
    m_list->addActions({actions->saveRun, actions->removeEvidence});
    addSeparator();
    m_list->addActions({actions->open, actions->importFiles});
    m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
}

QWidget *EvidenceDock::createProvenance()
{
    auto *area = new QWidget(this);
    auto *layout = new QVBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *heading = new QLabel(tr("Provenance"), area);
    heading->setProperty("sectionHeading", true);
    layout->addWidget(heading);
    layout->addWidget(m_provenance, 1);
    return area;
}

void EvidenceDock::selectRow(int row)
{
    // Whatever keys are pressed: they would add to the selection or leave it.
    m_list->selectionModel()->setCurrentIndex(m_model->index(row), QItemSelectionModel::ClearAndSelect);
}

QList<int> EvidenceDock::selectedRows() const
{
    QList<int> rows;
    for (const QModelIndex &index : m_list->selectionModel()->selectedIndexes())
        rows.append(index.row());
    std::ranges::sort(rows);
    return rows;
}

void EvidenceDock::showSelected()
{
    const QModelIndex current = m_list->currentIndex();
    const bool valid = current.isValid() && current.row() < m_model->rowCount();
    const QList<EvidenceListModel::Entry> shown = m_model->shown();
    if (valid && (m_model->at(current.row()).shown || shown.isEmpty()))
        m_provenance->setNamespace(m_model->at(current.row()).evidence);
    else
        m_provenance->setNamespace(shown.isEmpty() ? NamespacePointer() : shown.first().evidence);
}

} // namespace stagecraft::window
