// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencereader.h"

#include <QCoreApplication>
#include <QDir>

#include <algorithm>

namespace stagecraft::evidence {

QString bundledDirectory()
{
    // Tests and packagers name the resources; otherwise they lie where the build, an installation and the bundle all
    // put them, relative to the executable.
    const QString named = qEnvironmentVariable("STAGECRAFT_RESOURCES");
    const QString directory =
        named.isEmpty() ? QCoreApplication::applicationDirPath() + QStringLiteral("/../share/stagecraft/evidence")
                        : named + QStringLiteral("/evidence");
    return QDir(directory).exists() ? QDir::cleanPath(directory) : QString();
}

QStringList bundledNames()
{
    const QString directory = bundledDirectory();
    if (directory.isEmpty())
        return {};
    QStringList names;
    const QDir folder(directory);
    for (const QFileInfo &entry : folder.entryInfoList(QDir::Dirs | QDir::Files | QDir::NoDotAndDotDot, QDir::Name)) {
        if (entry.isDir())
            names.append(entry.fileName());
        else if (entry.suffix() == QLatin1String("json"))
            names.append(entry.completeBaseName());
    }
    // The field note's namespaces are where a reader starts.
    std::stable_partition(names.begin(), names.end(),
                          [](const QString &name) { return name.startsWith(QLatin1String("mage-")); });
    names.removeDuplicates();
    return names;
}

QString namespacePath(const QString &directory, const QString &name)
{
    const QDir folder(directory);
    if (directory.isEmpty() || name.isEmpty())
        return {};
    for (const QString &entry : {name, name + QStringLiteral(".json")}) {
        const QFileInfo info(folder.filePath(entry));
        if (entry == name ? info.isDir() : info.isFile())
            return info.filePath();
    }
    return {};
}

QString bundledPath(const QString &name)
{
    return namespacePath(bundledDirectory(), name);
}

} // namespace stagecraft::evidence
