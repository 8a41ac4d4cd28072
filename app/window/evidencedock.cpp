// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencedock.h"

#include "evidencedelegate.h"
#include "evidencelistmodel.h"
#include "provenancepanel.h"
#include "themedicon.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace stagecraft::window {

EvidenceDock::EvidenceDock(EvidenceListModel *model, QAction *open, QWidget *parent)
    : QDockWidget(tr("Evidence"), parent),
      m_model(model),
      m_list(new QListView(this)),
      m_provenance(new ProvenancePanel(this)),
      m_splitter(new QSplitter(Qt::Vertical, this))
{
    setObjectName(QStringLiteral("evidenceDock"));
    m_splitter->addWidget(createList(open));
    m_splitter->addWidget(createProvenance());
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 2);
    m_splitter->setStretchFactor(1, 3);
    m_splitter->setSizes({300, 450}); // shares of what there is
    setWidget(m_splitter);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &EvidenceDock::showSelected);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &EvidenceDock::showSelected);
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, &EvidenceDock::showSelected);
    showSelected();
}

QWidget *EvidenceDock::createList(QAction *open)
{
    m_list->setModel(m_model);
    m_list->setItemDelegate(new EvidenceDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(tr("Loaded evidence; the check box shows a namespace in the figures"));
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);

    auto *openButton = new QToolButton(this);
    openButton->setDefaultAction(open);
    openButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    openButton->setText(tr("Open…"));
    m_remove = new QToolButton(this);
    m_remove->setIcon(themedIcon(QStringLiteral("remove")));
    m_remove->setText(tr("Remove"));
    m_remove->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_remove->setToolTip(tr("Take the selected namespace off this list; its files stay"));
    connect(m_remove, &QToolButton::clicked, this, &EvidenceDock::removeSelected);

    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(8, 8, 8, 8);
    buttons->setSpacing(8);
    buttons->addWidget(openButton);
    buttons->addWidget(m_remove);
    buttons->addStretch(1);

    auto *area = new QWidget(this);
    auto *layout = new QVBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);
    return area;
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
    m_list->setCurrentIndex(m_model->index(row));
}

void EvidenceDock::removeSelected()
{
    const QModelIndex current = m_list->currentIndex();
    if (current.isValid() && !m_model->at(current.row()).running)
        m_model->removeAt(current.row());
}

void EvidenceDock::showSelected()
{
    const QModelIndex current = m_list->currentIndex();
    const bool valid = current.isValid() && current.row() < m_model->rowCount();
    m_provenance->setNamespace(valid ? m_model->at(current.row()).evidence : NamespacePointer());
    m_remove->setEnabled(valid && !m_model->at(current.row()).running);
}

} // namespace stagecraft::window
