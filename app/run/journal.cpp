// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal.h"

#include "evidencereader.h"
#include "runrecord.h"

#include <cerrno>
#include <QDir>
#include <QFileInfo>

namespace stagecraft::run {

namespace {

constexpr qint64 maximumBytes = 1LL << 30, maximumLineBytes = 256LL << 20;

QString fileProblem(const QFile &file, const QString &what)
{
    return QStringLiteral("%1 cannot be %2: %3").arg(file.fileName(), what, file.errorString());
}

// The journal may be anybody's, so it is looked at before it is opened: a pipe would block.
QString openForReading(QFile &file)
{
    const QFileInfo info(file);
    if (info.exists() && !info.isFile())
        return QStringLiteral("cannot be read: it is no regular file");
    if (info.size() > maximumBytes)
        return QStringLiteral("cannot be read: it has %1 MiB, at most %2 MiB are read")
            .arg(info.size() >> 20)
            .arg(maximumBytes >> 20);
    return file.open(QIODevice::ReadOnly) ? QString() : QStringLiteral("cannot be read: %1").arg(file.errorString());
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
    // Unbuffered, so that the system's error is that of this line, and a line that failed is not written later.
    if (!m_file.open(QIODevice::WriteOnly | QIODevice::NewOnly | QIODevice::Unbuffered))
        return fileProblem(m_file, QStringLiteral("created"));
    return {};
}

QString Journal::append(const RunEvent &event)
{
    if (m_problem.isEmpty())
        m_problem = appended(eventToJson(event).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
    return m_problem;
}

QString Journal::appended(const std::string &line)
{
    const qint64 whole = m_file.pos(), length = static_cast<qint64>(line.size());
    errno = 0; // a line that is written in part has no error of QFile's
    if (m_file.write(line.data(), length) == length)
        return {};
    const int cause = errno;
    m_file.resize(whole); // a cut line is none
    return QStringLiteral("%1 cannot be written: %2")
        .arg(m_file.fileName(), cause != 0 ? qt_error_string(cause) : m_file.errorString());
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
    if (const QString problem = openForReading(file); !problem.isEmpty())
        note(problem);
    for (int number = 1; file.isOpen() && !file.atEnd(); ++number) {
        const QByteArray line = file.readLine(maximumLineBytes);
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
        record.closeUnfinished(QStringLiteral("the program ended"));
        note(QStringLiteral("the run did not end: this is what it had measured"));
    }
    evidence::Namespace result = record.evidence();
    result.directory = directory;
    result.name = QDir(QDir(directory).absolutePath()).dirName();
    result.problems += problems;
    return result;
}

evidence::Namespace openNamespace(const QString &path, const QList<const evidence::Namespace *> &loaded,
                                  const std::function<bool()> &cancelled)
{
    if (!hasJournal(path))
        return evidence::readNamespace(path, loaded, cancelled);
    // The journal goes when all files are written: while it is there, some may be missing or older than it.
    evidence::Namespace recovered = recoverJournal(path);
    if (!recovered.results.isEmpty() || !QFile::exists(QDir(path).filePath(QStringLiteral("comparison-results.json"))))
        return recovered;
    evidence::Namespace result = evidence::readNamespace(path, loaded, cancelled);
    result.problems += recovered.problems;
    return result;
}

} // namespace stagecraft::run
