// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

#include <QAbstractListModel>
#include <QSharedPointer>

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
        ThisRun
    };
    enum Role
    {
        SubtitleRole = Qt::UserRole + 1,
        OriginRole,
        ProblemCountRole
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
    void removeAt(int row);
    void setShown(int row, bool shown);
    void showOnly(int row);

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
    QList<Entry> m_entries;
};

// "NVIDIA GeForce RTX 4090 · 2026-09-10"
QString namespaceSubtitle(const evidence::Namespace &evidence);

} // namespace stagecraft::window
