// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencereader.h"
#include "evidencewriter.h"
#include "importer.h"
#include "statistics.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

// What every importer's test asks of what was imported.
namespace fixtures {

namespace evidence = stagecraft::evidence;

inline void writeFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size(), qPrintable(path));
}

inline QByteArray readFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline const evidence::ValueRow *rowOf(const QList<evidence::ValueRow> &rows, const QString &operation,
                                       const QString &implementation)
{
    for (const evidence::ValueRow &row : rows) {
        if (row.operation == operation && row.implementation == implementation)
            return &row;
    }
    return nullptr;
}

inline QStringList contradictions(const evidence::Namespace &evidence)
{
    QStringList texts;
    for (const evidence::Problem &problem : evidence.problems) {
        if (problem.fatal)
            texts.append(problem.file + ' ' + problem.pointer + ": " + problem.cause);
    }
    return texts;
}

inline QString problemTexts(const evidence::Namespace &evidence)
{
    QStringList texts;
    for (const evidence::Problem &problem : evidence.problems)
        texts.append(problem.cause);
    return texts.join('\n');
}

// Whether two values are drawn alike.
inline bool isSame(const evidence::Value &a, const evidence::Value &b)
{
    return a.state == b.state && a.source == b.source && a.estimate.has_value() == b.estimate.has_value() &&
           (!a.estimate || a.estimate->mean == b.estimate->mean);
}

// Writes what was imported and reads it back: it must be sound, give the same rows, and hold none of `secrets`.
inline evidence::Namespace written(const evidence::Namespace &imported, const QStringList &secrets = {})
{
    QTemporaryDir folder;
    const QString directory = folder.filePath("written");
    if (const QString error = evidence::writeNamespace(imported, directory); !error.isEmpty())
        qFatal("%s", qPrintable(error));
    const evidence::Namespace back = evidence::readNamespace(directory);
    if (const QStringList problems = contradictions(back); !problems.isEmpty())
        qFatal("the written namespace contradicts itself: %s", qPrintable(problems.join("; ")));
    for (const QString &name : QDir(directory).entryList(QDir::Files)) {
        const QString text = QString::fromUtf8(readFile(QDir(directory).filePath(name)));
        for (const QString &secret : secrets) {
            if (text.contains(secret))
                qFatal("%s holds %s", qPrintable(name), qPrintable(secret));
        }
    }
    const auto rows = evidence::valueRows(imported), again = evidence::valueRows(back);
    if (rows.size() != again.size())
        qFatal("%lld rows were imported, %lld written", rows.size(), again.size());
    for (qsizetype i = 0; i < rows.size(); ++i) {
        if (rows[i].operation != again[i].operation || rows[i].implementation != again[i].implementation ||
            !isSame(rows[i].kernel, again[i].kernel) || !isSame(rows[i].span, again[i].span) ||
            !isSame(rows[i].launches, again[i].launches))
            qFatal("%s %s reads otherwise than it was imported", qPrintable(rows[i].operation),
                   qPrintable(rows[i].implementation));
    }
    return back;
}

} // namespace fixtures
