// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidenceloader.h"

#include "journal.h"

#include <QDir>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QtConcurrentRun>

namespace stagecraft::window {

EvidenceLoader::EvidenceLoader(QObject *parent) : QObject(parent) {}

void EvidenceLoader::load(const QString &given, EvidenceListModel::Origin origin, bool shown)
{
    // One name for a directory however it was reached, so that it is listed once.
    const QString canonical = QFileInfo(given).canonicalFilePath();
    const QString path = canonical.isEmpty() ? given : canonical;
    auto *watcher = new QFutureWatcher<NamespacePointer>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, path, origin, shown] {
        watcher->deleteLater();
        emit pendingChanged(--m_pending);
        emit loaded(path, watcher->result(), origin, shown);
    });
    emit pendingChanged(++m_pending);
    watcher->setFuture(
        QtConcurrent::run([path] { return NamespacePointer(new evidence::Namespace(run::openNamespace(path))); }));
}

QString EvidenceLoader::namespacePath(const QString &path)
{
    static const QStringList members{QStringLiteral("comparison-results.json"),
                                     QStringLiteral("comparison-profiles.json"), QStringLiteral("progression.json"),
                                     QStringLiteral("summary.json"), QStringLiteral("floors.json")};
    const QFileInfo info(path);
    if (info.isFile() && members.contains(info.fileName()))
        return QDir::cleanPath(info.absolutePath());
    return QDir::cleanPath(info.absoluteFilePath());
}

} // namespace stagecraft::window
