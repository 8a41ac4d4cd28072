// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>

class QListView;
class QSplitter;

namespace stagecraft::window {

class Actions;
class EvidenceListModel;
class ProvenancePanel;

// The namespaces that are loaded, which of them are shown, and where the numbers come from: of the highlighted one
// where it is shown, or none is; else of the first that is.
class EvidenceDock : public QDockWidget
{
    Q_OBJECT
public:
    EvidenceDock(EvidenceListModel *model, const Actions *actions, QWidget *parent = nullptr);

    QListView *list() const { return m_list; }
    ProvenancePanel *provenance() const { return m_provenance; }
    QSplitter *splitter() const { return m_splitter; }
    void selectRow(int row);
    QList<int> selectedRows() const; // from the top

private:
    QWidget *createList(const Actions *actions);
    void addListActions(const Actions *actions);
    QWidget *createProvenance();
    void showSelected();

    EvidenceListModel *m_model;
    QListView *m_list;
    ProvenancePanel *m_provenance;
    QSplitter *m_splitter;
};

} // namespace stagecraft::window
