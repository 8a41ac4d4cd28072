// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencewriter.h"

#include "documents.h"
#include "filereaders.h"

#include <QDir>
#include <QSaveFile>

namespace stagecraft::evidence {

QString writeDocument(const nlohmann::json &document, const QString &directory, const char *name)
{
    const QString fileName = QLatin1String(name);
    if (!QDir().mkpath(directory))
        return QStringLiteral("%1 cannot be written: its directory cannot be created.").arg(fileName);
    QSaveFile file(QDir(directory).filePath(fileName));
    // The library writes the shortest digits that read back as the same double.
    const std::string text = document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
    const auto size = static_cast<qint64>(text.size());
    // Flushed apart: commit() overlooks that a full disk did not take what was still kept in memory.
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), size) != size || !file.flush() || !file.commit())
        return QStringLiteral("%1 cannot be written: %2.").arg(fileName, file.errorString());
    return {};
}

QString writeNamespace(const Namespace &evidence, const QString &directory)
{
    struct File
    {
        bool wanted;
        const char *name;
        nlohmann::json (*fresh)(const Namespace &);
        const nlohmann::json &previous;
    };
    // A namespace that is a summary alone has no samples to write; every other has both comparison files.
    const bool onlySummary = evidence.summary && evidence.results.isEmpty() && evidence.captures.isEmpty();
    const bool hasFloors =
        !evidence.floors.isEmpty() || !evidence.floorMeasurements.isEmpty() || !evidence.floorsMissing.isEmpty();
    const File files[] = {
        {!onlySummary, resultsFile, resultsJson, evidence.resultsDocument},
        {!onlySummary, profilesFile, profilesJson, evidence.profilesDocument},
        {evidence.summary.has_value(), summaryFile, summaryJson, evidence.summaryDocument},
        {evidence.progression.has_value(), progressionFile, progressionJson, evidence.progressionDocument},
        {hasFloors, floorsFile, floorsJson, evidence.floorsDocument},
        {!evidence.counters.isEmpty(), countersFile, countersJson, evidence.countersDocument},
    };
    for (const File &file : files) {
        if (!file.wanted)
            continue;
        const nlohmann::json document = withoutAbsolutePaths(withUnknownKeys(file.fresh(evidence), file.previous));
        if (const QString error = writeDocument(document, directory, file.name); !error.isEmpty())
            return error;
    }
    return {};
}

} // namespace stagecraft::evidence
