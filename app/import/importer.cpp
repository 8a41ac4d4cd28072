// SPDX-License-Identifier: GPL-3.0-or-later
#include "importer.h"

#include "foreignnamespace.h"
#include "names.h"
#include "privacy.h"
#include "recordbudget.h"

#include <QFileInfo>

#include <algorithm>
#include <new>

namespace stagecraft::import {

namespace {

constexpr qsizetype longestName = 60;

Imported failed(const QString &error)
{
    Imported result;
    result.error = error;
    return result;
}

QString fileName(const QString &path)
{
    return QFileInfo(path).fileName();
}

// Why it is not even worth asking whose it is; empty where it is.
QString accessProblem(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return QStringLiteral("There is no such file.");
    if (!info.isFile())
        return QStringLiteral("This is no file: name the file that the tool wrote.");
    return info.isReadable() ? QString() : QStringLiteral("The file cannot be opened for reading.");
}

QString unknownText(const QString &path)
{
    if (const QString problem = accessProblem(path); !problem.isEmpty())
        return problem;
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("nsys-rep") || suffix == QLatin1String("qdrep"))
        return QStringLiteral("This is Nsight Systems' own report, which only nsys reads. Export it with "
                              "`nsys export --type sqlite %1` and import the .sqlite file.")
            .arg(fileName(path));
    QStringList titles;
    for (const Format &format : formats())
        titles.append(format.title);
    return QStringLiteral("The file is of none of the kinds that can be imported (%1).")
        .arg(titles.join(QStringLiteral(", ")));
}

// The one format of all files, or what is wrong.
struct Kind
{
    const Format *format = nullptr;
    QString error;
};

Kind kindOf(const QStringList &paths)
{
    Kind kind;
    QString first;
    for (const QString &path : paths) {
        const Format *own = formatOf(path);
        if (!own)
            return {nullptr, QStringLiteral("%1: %2").arg(fileName(path), unknownText(path))};
        if (kind.format && own != kind.format)
            return {nullptr, QStringLiteral("%1 is of %2, %3 of %4: files of one kind are imported together.")
                                 .arg(fileName(first), kind.format->title, fileName(path), own->title)};
        kind.format = own;
        first = path;
    }
    return kind;
}

// One for each path; `words` are what those files record as names of hosts and users.
QStringList fileIds(const QStringList &paths, const QStringList &words = {})
{
    QStringList ids;
    UniqueNames names;
    for (const QString &path : paths)
        ids.append(names.of(publicStem(path, words), longestName));
    return ids;
}

QString commonName(const QStringList &ids)
{
    if (ids.size() < 2)
        return ids.value(0, QStringLiteral("import"));
    QString common = ids.first();
    for (const QString &id : ids)
        common.truncate(std::ranges::mismatch(common, id).in1 - common.begin());
    while (!common.isEmpty() && !common.back().isLetterOrNumber())
        common.chop(1);
    return common.size() >= 3 ? common : QStringLiteral("%1-and-%2-more").arg(ids.first()).arg(ids.size() - 1);
}

// A file's error with what stopped its reading, which the reader that misses something cannot know.
QString errorWithCause(const ForeignFile &file)
{
    QString text = publicCause(file.error);
    for (const evidence::Problem &problem : file.problems) {
        const QString cause = publicCause(problem.cause);
        if (!problem.fatal || text.contains(cause))
            continue;
        text += u' ' + cause;
        if (!problem.pointer.isEmpty())
            text += QStringLiteral(" The place: %1").arg(publicPointer(problem.pointer));
        break;
    }
    return text;
}

bool isCancelled(const Cancelled &cancelled)
{
    return cancelled && cancelled();
}

} // namespace

const Format *formatOf(const QString &path)
{
    if (!accessProblem(path).isEmpty())
        return nullptr;
    const auto found = std::find_if(formats().begin(), formats().end(),
                                    [&path](const Format &format) { return format.recognises(path); });
    return found == formats().end() ? nullptr : &*found;
}

Imported importFiles(const QStringList &paths, const Cancelled &cancelled)
{
    if (paths.isEmpty())
        return failed(QStringLiteral("No file is named."));
    const Kind kind = kindOf(paths);
    return kind.format ? kind.format->read(paths, cancelled) : failed(kind.error);
}

Imported importWith(const Tool &tool, const QStringList &paths, const Cancelled &cancelled, ReadForeignFile readFile)
try {
    QList<ForeignFile> contents;
    QStringList words, errors;
    for (const QString &path : paths) {
        ForeignFile file = readFile(path, cancelled);
        if (isCancelled(cancelled))
            return failed(QStringLiteral("The import was cancelled."));
        if (file.error.isEmpty() && file.series.isEmpty())
            file.error = QStringLiteral("The file holds nothing that can be imported.");
        if (!file.error.isEmpty())
            file.error = errorWithCause(file);
        words += file.privateWords;
        contents.append(std::move(file));
    }
    words.removeDuplicates();
    const QStringList ids = fileIds(paths, words);
    limitRecords(contents);
    QList<NamedFile> files;
    QList<evidence::Problem> unreadable;
    for (qsizetype i = 0; i < contents.size(); ++i) {
        if (contents[i].error.isEmpty()) {
            files.append({ids[i], std::move(contents[i])});
            continue;
        }
        const QString error = publicText(contents[i].error, words);
        errors.append(QStringLiteral("%1: %2").arg(fileName(paths[i]), error));
        unreadable.append({ids[i], {}, error, true});
    }
    if (files.isEmpty())
        return failed(errors.join(u'\n'));
    Imported result;
    result.evidence = foreignNamespace(tool, commonName(ids), files, words);
    for (const evidence::Problem &problem : std::as_const(unreadable))
        result.evidence.excluded.append(QStringLiteral("%1 could not be read.").arg(problem.file));
    result.evidence.problems = unreadable + result.evidence.problems;
    return result;
} catch (const std::bad_alloc &) {
    return failed(QStringLiteral("There is not enough memory for these files."));
} catch (const std::exception &error) {
    return failed(QStringLiteral("The files could not be read: %1").arg(QString::fromUtf8(error.what())));
}

QString importedName(const QStringList &paths)
{
    return commonName(fileIds(paths));
}

} // namespace stagecraft::import
