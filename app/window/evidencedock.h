// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>

class QAction;
class QListView;
class QSplitter;
class QToolButton;

namespace stagecraft::window {

class EvidenceListModel;
class ProvenancePanel;

// The namespaces that are loaded, which of them are shown, and where the selected one's numbers come from.
class EvidenceDock : public QDockWidget
{
    Q_OBJECT
public:
    EvidenceDock(EvidenceListModel *model, QAction *open, QWidget *parent = nullptr);

    QListView *list() const { return m_list; }
    ProvenancePanel *provenance() const { return m_provenance; }
    QSplitter *splitter() const { return m_splitter; }
    void selectRow(int row);

private:
    QWidget *createList(QAction *open);
    QWidget *createProvenance();
    void removeSelected();
    void showSelected();

    EvidenceListModel *m_model;
    QListView *m_list;
    QToolButton *m_remove = nullptr;
    ProvenancePanel *m_provenance;
    QSplitter *m_splitter;
};

} // namespace stagecraft::window
