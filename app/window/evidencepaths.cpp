// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencepaths.h"

#include "importer.h"
#include "journal.h"
#include "ownstages.h"

#include <QCollator>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace stagecraft::window {

namespace {

const QStringList &memberFiles()
{
    static const QStringList members{QStringLiteral("comparison-results.json"),
                                     QStringLiteral("comparison-profiles.json"),
                                     QStringLiteral("progression.json"),
                                     QStringLiteral("summary.json"),
                                     QStringLiteral("floors.json"),
                                     QStringLiteral("comparison-counters.json")};
    return members;
}

bool isNamespaceFolder(const QString &folder)
{
    const QDir directory(folder);
    return run::hasJournal(folder) ||
           std::ranges::any_of(memberFiles(), [&](const QString &member) { return directory.exists(member); });
}

// A summary says which measurements it has in its first rows.
bool isSummaryFile(const QString &path)
{
    constexpr qint64 beginning = 16 * 1024;
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(beginning).contains("\"measurements\"");
}

QStringList namespacesIn(const QString &folder)
{
    QStringList found;
    const QFileInfoList entries = QDir(folder).entryInfoList(QDir::Dirs | QDir::Files | QDir::NoDotAndDotDot);
    for (const QFileInfo &entry : entries) {
        const QString path = entry.filePath();
        if (entry.isDir() ? isNamespaceFolder(path) : entry.suffix() == QLatin1String("json") && isSummaryFile(path))
            found.append(path);
    }
    return found;
}

// "run-2" before "run-10"
void sortByName(QStringList &paths)
{
    QCollator collator{QLocale(QLocale::English)}; // that of C knows no numbers
    collator.setNumericMode(true);
    std::ranges::stable_sort(paths, [&](const QString &first, const QString &second) {
        return collator.compare(QFileInfo(first).fileName(), QFileInfo(second).fileName()) < 0;
    });
}

class Sorter
{
public:
    void add(const QString &given)
    {
        const QFileInfo info(given);
        if (!info.exists())
            m_sorted.missing.append(given);
        else if (info.isDir())
            addFolder(QDir::cleanPath(info.absoluteFilePath()));
        else
            addFile(info);
    }

    SortedPaths take()
    {
        for (EvidenceSource &source : m_sorted.sources)
            sortByName(source.paths);
        return m_sorted;
    }

private:
    void addFolder(const QString &folder)
    {
        if (holdsStages(folder)) {
            m_sorted.stageFolders.append(folder);
            return;
        }
        QStringList namespaces = isNamespaceFolder(folder) ? QStringList{folder} : namespacesIn(folder);
        sortByName(namespaces);
        // One that holds nothing is read all the same: the reader says what it looked for.
        for (const QString &path : namespaces.isEmpty() ? QStringList{folder} : namespaces)
            addNamespace(path);
    }

    void addFile(const QFileInfo &info)
    {
        const QString path = QDir::cleanPath(info.absoluteFilePath());
        if (memberFiles().contains(info.fileName()))
            addNamespace(QDir::cleanPath(info.absolutePath()));
        else if (const import::Format *format = import::formatOf(path))
            addForeign(format->id, path);
        else if (info.suffix() == QLatin1String("json"))
            addNamespace(path);
        else
            m_sorted.unknown.append(path);
    }

    // One name for a directory however it was reached, so that it is listed once.
    void addNamespace(const QString &path)
    {
        EvidenceSource source;
        source.paths = {QFileInfo(path).canonicalFilePath()};
        if (std::ranges::find(m_sorted.sources, source.paths, &EvidenceSource::paths) == m_sorted.sources.end())
            m_sorted.sources.append(source);
    }

    void addForeign(const QString &format, const QString &path)
    {
        if (!m_foreign.contains(format)) {
            m_foreign.insert(format, m_sorted.sources.size());
            EvidenceSource source;
            source.origin = EvidenceListModel::Origin::Imported;
            m_sorted.sources.append(source);
        }
        QStringList &paths = m_sorted.sources[m_foreign.value(format)].paths;
        const QString canonical = QFileInfo(path).canonicalFilePath();
        if (!paths.contains(canonical))
            paths.append(canonical);
    }

    SortedPaths m_sorted;
    QHash<QString, qsizetype> m_foreign; // id of a format → its place among the sources
};

} // namespace

SortedPaths sortPaths(const QStringList &paths)
{
    Sorter sorter;
    for (const QString &path : paths)
        sorter.add(path);
    return sorter.take();
}

QString readableKinds()
{
    QStringList kinds{QObject::tr("a namespace (a folder, or a summary .json)")};
    for (const import::Format &format : import::formats()) {
        QStringList suffixes;
        for (const QString &suffix : format.suffixes)
            suffixes.append(QLatin1Char('.') + suffix);
        kinds.append(QStringLiteral("%1 (%2)").arg(format.title, suffixes.join(QStringLiteral(", "))));
    }
    return kinds.join(QStringLiteral(", "));
}

} // namespace stagecraft::window
