// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

#include <QAbstractListModel>
#include <QSet>
#include <QSharedPointer>

class QUndoStack;

namespace stagecraft::window {

using NamespacePointer = QSharedPointer<const evidence::Namespace>;

// The namespaces that are loaded, and which of them the figures show. The running one stands first.
class EvidenceListModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum class Origin
    {
        Bundled,
        Opened,
        Imported, // from another tool's files; only in memory until it is saved
        ThisRun
    };
    enum Role
    {
        SubtitleRole = Qt::UserRole + 1,
        OriginRole,
        ProblemCountRole,
        UnsavedRole // whether closing the window loses it
    };

    struct Entry
    {
        NamespacePointer evidence;
        QString path; // where it was read from or is written to: what tells entries apart
        Origin origin = Origin::Opened;
        bool shown = false;
        bool running = false;
        QString title() const; // "this run" while it goes, else the namespace's name
    };

    explicit EvidenceListModel(QObject *parent = nullptr);

    // Adds the namespace read from `path`, or replaces the one that was. Returns its row. Runs stand first, the newest
    // at the top, then what was opened, then the bundled ones by name.
    int put(const NamespacePointer &evidence, const QString &path, Origin origin, bool shown);
    int putRunning(const NamespacePointer &evidence); // shown
    void finishRunning();                             // it stays, under its own name
    Entry removeAt(int row);
    void insertAt(int row, const Entry &entry); // a row beyond the last is the end
    void replaceAt(int row, const Entry &entry);
    void setShown(int row, bool shown);
    void setShown(const QMap<QString, bool> &shown); // by path; others stay as they are
    void showOnly(int row);
    void markSaved(const NamespacePointer &evidence); // an imported one that has its files now

    // Check boxes are changed through it from then on. It outlives the model.
    void setUndoStack(QUndoStack *stack) { m_undo = stack; }

    const Entry &at(int row) const { return m_entries.at(row); }
    int rowOf(const QString &path) const; // −1 where it is not loaded
    int runningRow() const;
    QList<Entry> shown() const;
    bool mixesGpus() const; // the shown ones were not measured on one GPU

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

signals:
    void shownChanged(); // what the figures shall show: other entries, or other values in a shown one

private:
    int placeFor(const Entry &entry) const;
    int insert(const Entry &entry);
    void changed(int row);
    QString toolTip(const Entry &entry) const;
    bool isUnsaved(const Entry &entry) const;
    QList<Entry> m_entries;
    QSet<NamespacePointer> m_saved; // of the imported ones
    QUndoStack *m_undo = nullptr;
};

// "NVIDIA GeForce RTX 4090 · 2026-09-10"
QString namespaceSubtitle(const evidence::Namespace &evidence);

} // namespace stagecraft::window
