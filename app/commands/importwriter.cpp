// SPDX-License-Identifier: GPL-3.0-or-later
#include "importwriter.h"

#include "evidencewriter.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

namespace stagecraft::commands {

namespace {

// An empty directory stays the one that it is: a shell may stand in it.
QString moveInto(const QDir &source, const QDir &target)
{
    QStringList moved;
    for (const QString &name : source.entryList(QDir::Files | QDir::Hidden)) {
        if (QFile::rename(source.filePath(name), target.filePath(name))) {
            moved.append(name);
            continue;
        }
        for (const QString &other : std::as_const(moved))
            QFile::remove(target.filePath(other));
        return QStringLiteral("%1 cannot be written into %2.").arg(name, target.path());
    }
    return {};
}

} // namespace

QString writeWhole(const evidence::Namespace &evidence, const QString &directory)
{
    const QString target = QDir::cleanPath(QFileInfo(directory).absoluteFilePath());
    const QString parent = QFileInfo(target).path();
    if (!QDir().mkpath(parent))
        return QStringLiteral("%1 cannot be created.").arg(parent);
    // Beside it, so that moving is renaming.
    QTemporaryDir temporary(QDir(parent).filePath(QStringLiteral(".stagecraft-import-XXXXXX")));
    if (!temporary.isValid())
        return QStringLiteral("Nothing can be written into %1: %2").arg(parent, temporary.errorString());
    const QString whole = temporary.filePath(QStringLiteral("namespace"));
    if (const QString error = evidence::writeNamespace(evidence, whole); !error.isEmpty())
        return error;
    if (QFileInfo(target).isDir())
        return moveInto(QDir(whole), QDir(target));
    return QDir().rename(whole, target) ? QString() : QStringLiteral("%1 cannot be created.").arg(target);
}

} // namespace stagecraft::commands
