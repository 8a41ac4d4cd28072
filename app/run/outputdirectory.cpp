// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputdirectory.h"

#include "journal.h"

#include <QDir>
#include <QFileInfo>

namespace stagecraft::run {

QString outputProblem(const QString &directory)
{
    if (directory.trimmed().isEmpty())
        return QStringLiteral("No output directory is given: name a new or empty one (--output DIR).");
    const QFileInfo info(directory);
    if (!info.exists())
        return {};
    if (!info.isDir())
        return QStringLiteral("The output %1 is a file: name a new or empty directory.").arg(directory);
    const QStringList entries =
        QDir(directory).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
    if (entries.isEmpty())
        return {};
    if (entries.contains(journalFileName())) {
        return QStringLiteral(
                   "The output directory %1 holds the journal of a run that did not end (%2): what it measured "
                   "would be lost. Open or export it to see what it holds, and name a new or empty directory here.")
            .arg(directory, journalFileName());
    }
    for (const QString &evidence : {QStringLiteral("comparison-results.json"),
                                    QStringLiteral("comparison-profiles.json"), QStringLiteral("summary.json")}) {
        if (entries.contains(evidence)) {
            return QStringLiteral(
                       "The output directory %1 holds evidence already (%2), which is never overwritten: name a "
                       "new or empty directory.")
                .arg(directory, evidence);
        }
    }
    return QStringLiteral("The output directory %1 is not empty (it holds %2): name a new or empty directory.")
        .arg(directory, entries.first());
}

} // namespace stagecraft::run
