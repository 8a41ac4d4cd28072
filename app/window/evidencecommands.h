// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencelistmodel.h"

#include <QUndoCommand>

// What a user does to the list of evidence, so that it can be undone. Entries are known by their paths: runs come into
// the list without a command, so rows are not the same later. Nothing here takes a run that is going off the list.
namespace stagecraft::window {

// Adds a namespace, or reads one anew. Commands of one batch, whose namespaces come in one after the other, are undone
// together.
class OpenEvidence : public QUndoCommand
{
public:
    OpenEvidence(EvidenceListModel &model, const EvidenceListModel::Entry &entry, int batch);

    int id() const override;
    bool mergeWith(const QUndoCommand *other) override;
    void redo() override;
    void undo() override;

private:
    struct Item
    {
        EvidenceListModel::Entry entry;
        std::optional<EvidenceListModel::Entry> before; // what stood at that path
    };
    void describe();

    EvidenceListModel &m_model;
    QList<Item> m_items;
    int m_batch;
};

// Takes namespaces off the list; their files stay.
class RemoveEvidence : public QUndoCommand
{
public:
    RemoveEvidence(EvidenceListModel &model, const QStringList &paths);

    void redo() override;
    void undo() override;

private:
    struct Item
    {
        EvidenceListModel::Entry entry;
        QString next; // path of what stood below it; empty: it was the last
    };

    EvidenceListModel &m_model;
    QStringList m_paths;
    QList<Item> m_removed; // in the order of removal
};

// Shows namespaces in the figures or hides them.
class ShowEvidence : public QUndoCommand
{
public:
    ShowEvidence(EvidenceListModel &model, int row, bool shown);
    ShowEvidence(EvidenceListModel &model, const QMap<QString, bool> &shown, const QString &text);

    void redo() override;
    void undo() override;

private:
    EvidenceListModel &m_model;
    QMap<QString, bool> m_before, m_after; // by path
};

} // namespace stagecraft::window
