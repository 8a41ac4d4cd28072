// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal.h"

#include "evidencereader.h"
#include "runrecord.h"

#include <QDir>

namespace stagecraft::run {

namespace {

QString fileProblem(const QFile &file, const QString &what)
{
    return QStringLiteral("%1 cannot be %2: %3").arg(file.fileName(), what, file.errorString());
}

} // namespace

QString journalFileName()
{
    return QStringLiteral("journal.jsonl");
}

bool hasJournal(const QString &directory)
{
    return QFile::exists(QDir(directory).filePath(journalFileName()));
}

QString Journal::open(const QString &directory)
{
    if (!QDir().mkpath(directory))
        return QStringLiteral("The output directory %1 cannot be created: check its name and the permissions of the "
                              "directory above it.")
            .arg(directory);
    m_file.setFileName(QDir(directory).filePath(journalFileName()));
    if (!m_file.open(QIODevice::WriteOnly | QIODevice::NewOnly))
        return fileProblem(m_file, QStringLiteral("created"));
    return {};
}

QString Journal::append(const RunEvent &event)
{
    const std::string line = eventToJson(event).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
    const auto length = static_cast<qint64>(line.size());
    if (m_file.write(line.data(), length) != length || !m_file.flush())
        return fileProblem(m_file, QStringLiteral("written"));
    return {};
}

void Journal::remove()
{
    m_file.remove();
}

evidence::Namespace recoverJournal(const QString &directory)
{
    RunRecord record;
    QList<evidence::Problem> problems;
    const auto note = [&](const QString &cause) { problems.append({journalFileName(), {}, cause, false}); };
    QFile file(QDir(directory).filePath(journalFileName()));
    if (!file.open(QIODevice::ReadOnly))
        note(QStringLiteral("cannot be read: %1").arg(file.errorString()));
    for (int number = 1; file.isOpen() && !file.atEnd(); ++number) {
        const QByteArray line = file.readLine();
        try {
            record.apply(eventFromJson(nlohmann::json::parse(line.begin(), line.end())));
        } catch (const std::exception &error) {
            note(QStringLiteral("line %1 and what follows cannot be read: %2")
                     .arg(number)
                     .arg(QString::fromUtf8(error.what())));
            break;
        }
    }
    if (!record.ended()) {
        record.closeUnmeasured(QStringLiteral("the program ended before it was measured"));
        note(QStringLiteral("the run did not end: this is what it had measured"));
    }
    evidence::Namespace result = record.evidence();
    result.directory = directory;
    result.name = QDir(directory).dirName();
    result.problems += problems;
    return result;
}

evidence::Namespace openNamespace(const QString &path, const QList<const evidence::Namespace *> &loaded)
{
    // The results are written before the journal goes, so where both are there the results are whole.
    const bool unfinished =
        hasJournal(path) && !QFile::exists(QDir(path).filePath(QStringLiteral("comparison-results.json")));
    return unfinished ? recoverJournal(path) : evidence::readNamespace(path, loaded);
}

} // namespace stagecraft::run
