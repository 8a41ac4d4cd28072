// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencereader.h"

#include "declarationchecks.h"
#include "filereaders.h"
#include "jsondocument.h"
#include "progressionorigins.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <array>

namespace stagecraft::evidence {

namespace {

// Far above any real run; reading a larger file is refused rather than tried.
constexpr qint64 maximumFileBytes = 256 << 20;

struct FileReader
{
    const char *name;
    void (*read)(const JsonNode &, Namespace &);
    nlohmann::json Namespace::*document;
    void (*check)(const JsonNode &, Namespace &) = nullptr; // after reading, against what was read before
    bool isOptional = false;                                // nobody misses it who did not ask for what it holds
};

// In the order of precedence: what an earlier file says of the namespace is not erased by a later one.
constexpr std::array<FileReader, 6> fileReaders{{
    {resultsFile, readResults, &Namespace::resultsDocument, checkResultDeclarations},
    {profilesFile, readProfiles, &Namespace::profilesDocument, checkProfileDeclarations},
    {summaryFile, readSummary, &Namespace::summaryDocument},
    {progressionFile, readProgression, &Namespace::progressionDocument},
    {floorsFile, readFloors, &Namespace::floorsDocument, checkFloorDeclarations},
    {countersFile, readCounters, &Namespace::countersDocument, checkCounterDeclarations, true},
}};

bool isCancelled(const Cancelled &cancelled)
{
    return cancelled && cancelled();
}

bool formatIsKnown(const JsonNode &root)
{
    const JsonNode format = root.member("format");
    if (!format.exists() || (format.value()->is_number_integer() && format.value()->get<qint64>() == formatNumber))
        return true;
    const QString found =
        format.isNumber() ? QString::fromStdString(format.value()->dump()) : QStringLiteral("of no number");
    format.contradiction(QStringLiteral("The file has format %1; this program reads format %2, or none as mage writes.")
                             .arg(excerpt(found))
                             .arg(formatNumber));
    return false;
}

void readFile(const QString &path, const QString &name, const FileReader &reader, Namespace &evidence,
              const Cancelled &cancelled)
{
    ProblemLog log(name, &evidence.problems);
    QFile file(path);
    if (const QFileInfo info(path); info.exists() && !info.isFile()) { // a pipe or device would block or never end
        log.contradiction({}, QStringLiteral("This is no regular file."));
        return;
    }
    if (!file.open(QIODevice::ReadOnly)) {
        log.contradiction({}, QStringLiteral("The file cannot be opened: %1.").arg(file.errorString()));
        return;
    }
    if (file.size() > maximumFileBytes) {
        log.contradiction({}, QStringLiteral("The file has %1 MiB; at most %2 MiB are read.")
                                  .arg(file.size() >> 20)
                                  .arg(maximumFileBytes >> 20));
        return;
    }
    nlohmann::json document = parseDocument(file.read(maximumFileBytes), log, cancelled);
    if (isCancelled(cancelled))
        return;
    if (log.stoppedInside({}))
        evidence.incomplete.append(name);
    if (document.is_discarded())
        return;
    evidence.*reader.document = std::move(document);
    const JsonNode root(&(evidence.*reader.document), {}, &log);
    if (!formatIsKnown(root))
        return;
    reader.read(root, evidence);
    if (reader.check)
        reader.check(root, evidence);
}

// A link that leads nowhere is there as well: it was meant to be read.
bool isThere(const QFileInfo &info)
{
    return info.exists() || info.isSymLink();
}

void readDirectory(const QDir &directory, Namespace &evidence, const Cancelled &cancelled)
{
    bool isFound = false;
    for (const FileReader &reader : fileReaders) {
        if (isCancelled(cancelled))
            return;
        const QString name = QLatin1String(reader.name);
        if (isThere(QFileInfo(directory.filePath(name)))) {
            isFound = true;
            readFile(directory.filePath(name), name, reader, evidence, cancelled);
        } else if (!reader.isOptional) {
            evidence.missing.append(name);
        }
    }
    if (isFound)
        return;
    const QString cause = directory.isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
                              ? QStringLiteral("The directory is empty.")
                              : QStringLiteral("The directory is no namespace.");
    evidence.problems.append(
        {evidence.name,
         {},
         cause + QStringLiteral(" At least one of %1 is expected.").arg(evidence.missing.join(QStringLiteral(", ")))});
}

void readSingleSummary(const QFileInfo &info, Namespace &evidence, const Cancelled &cancelled)
{
    for (const FileReader &reader : fileReaders) {
        if (reader.document == &Namespace::summaryDocument)
            readFile(info.filePath(), info.fileName(), reader, evidence, cancelled);
        else if (!reader.isOptional)
            evidence.missing.append(QLatin1String(reader.name));
    }
}

bool isKnownFile(const QString &name)
{
    return std::any_of(fileReaders.begin(), fileReaders.end(),
                       [&name](const FileReader &reader) { return name == QLatin1String(reader.name); });
}

} // namespace

Namespace readNamespaceFiles(const QString &path, const std::function<bool()> &cancelled)
{
    Namespace evidence;
    QFileInfo info(QDir::cleanPath(QFileInfo(path).absoluteFilePath()));
    // Naming a file of a namespace directory means the directory.
    if (info.isFile() && isKnownFile(info.fileName()))
        info = QFileInfo(info.path());
    if (info.isDir()) {
        evidence.name = info.fileName();
        evidence.directory = info.filePath();
        readDirectory(QDir(info.filePath()), evidence, cancelled);
    } else if (isThere(info)) {
        evidence.name = info.completeBaseName();
        evidence.directory = info.path();
        readSingleSummary(info, evidence, cancelled);
    } else {
        evidence.name = info.completeBaseName();
        evidence.problems.append({info.fileName(), {}, QStringLiteral("There is no such file or directory.")});
    }
    return evidence;
}

Namespace readNamespace(const QString &path, const QList<const Namespace *> &loaded,
                        const std::function<bool()> &cancelled)
{
    Namespace evidence = readNamespaceFiles(path, cancelled);
    if (isCancelled(cancelled))
        return evidence;
    checkProgressionOrigins(evidence, loaded);
    return evidence;
}

} // namespace stagecraft::evidence
