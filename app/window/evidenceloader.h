// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencelistmodel.h"

#include <QObject>
#include <QStringList>

namespace stagecraft::window {

// Reads namespaces on the thread pool, so that a large one never holds up the window. Results arrive in the order in
// which reading ends; every load() is answered once.
class EvidenceLoader : public QObject
{
    Q_OBJECT
public:
    explicit EvidenceLoader(QObject *parent = nullptr);

    void load(const QString &given, EvidenceListModel::Origin origin, bool shown);
    int pending() const { return m_pending; }

    // The namespace that a dropped or chosen path belongs to: for one of the files of a namespace directory the
    // directory, else the path itself (a directory or a summary).
    static QString namespacePath(const QString &path);

signals:
    void loaded(const QString &path, const NamespacePointer &evidence, EvidenceListModel::Origin origin, bool shown);
    void pendingChanged(int pending);

private:
    int m_pending = 0;
};

} // namespace stagecraft::window
