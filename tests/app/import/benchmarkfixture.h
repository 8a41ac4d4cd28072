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

#include <algorithm>
#include <cmath>

// Foreign files in a folder of their own, imported, written as `stagecraft import` does, and read as `check` does.
namespace fixtures {

using namespace stagecraft;
using nlohmann::json;

class ImportFolder
{
public:
    QString path(const QString &name) const { return m_folder.filePath(name); }

    QString write(const QString &name, const QByteArray &bytes) const
    {
        const QString target = path(name);
        QDir().mkpath(QFileInfo(target).path());
        QFile file(target);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("A fixture cannot be written.");
        return target;
    }
    QString write(const QString &name, const json &document) const
    {
        return write(name, QByteArray::fromStdString(document.dump(2)));
    }

    // Of what was imported, as it comes back from the files that it was written to.
    evidence::Namespace written(const import::Imported &imported) const
    {
        const QString target = path(QStringLiteral("written/%1").arg(++m_count));
        const QString error = evidence::writeNamespace(imported.evidence, target);
        if (!error.isEmpty())
            qFatal("%s", qPrintable(error));
        return evidence::readNamespace(target);
    }

    // Everything that was ever written.
    QByteArray writtenText() const
    {
        QByteArray text;
        for (int i = 1; i <= m_count; ++i) {
            const QDir folder(path(QStringLiteral("written/%1").arg(i)));
            for (const QString &name : folder.entryList(QDir::Files)) {
                QFile file(folder.filePath(name));
                if (file.open(QIODevice::ReadOnly))
                    text += file.readAll();
            }
        }
        return text;
    }

private:
    QTemporaryDir m_folder;
    mutable int m_count = 0;
};

inline QString described(const QList<evidence::Problem> &problems)
{
    QStringList lines;
    for (const evidence::Problem &problem : problems)
        lines.append(QStringLiteral("%1 %2 %3: %4")
                         .arg(problem.fatal ? QStringLiteral("!") : QStringLiteral("-"), problem.file, problem.pointer,
                              problem.cause));
    return lines.join(u'\n');
}

inline bool hasProblem(const evidence::Namespace &evidence, const QString &pointer, const QString &cause)
{
    return std::any_of(evidence.problems.begin(), evidence.problems.end(), [&](const evidence::Problem &problem) {
        return problem.fatal && problem.pointer == pointer && problem.cause.contains(cause);
    });
}

// "OPERATION 8x16 cold gpu-time event 12.5" for each row, or the state in place of the time.
inline QStringList rowTexts(const evidence::Namespace &evidence)
{
    QStringList texts;
    for (const evidence::ValueRow &row : evidence::valueRows(evidence)) {
        QStringList dims;
        for (const qint64 extent : row.dims)
            dims.append(QString::number(extent));
        QStringList words{row.operation, dims.join(u'x'), row.cache, row.implementation};
        if (row.span.estimate)
            words << row.span.source << QString::number(row.span.estimate->mean, 'g', 8);
        else
            words << evidence::stateName(row.span.state);
        words.removeAll(QString());
        texts.append(words.join(u' '));
    }
    return texts;
}

// The text cut after each of many places: neither a crash nor evidence that contradicts itself may come of it.
inline void importEveryPiece(const ImportFolder &folder, const QString &name, const QByteArray &text)
{
    const qsizetype step = std::max<qsizetype>(1, text.size() / 150);
    for (qsizetype size = 0; size < text.size(); size += step) {
        const import::Imported imported = import::importFiles({folder.write(name, text.left(size))});
        if (!imported.error.isEmpty())
            continue;
        const evidence::Namespace back = folder.written(imported);
        QVERIFY2(!back.hasContradiction(), qPrintable(QString::number(size) + u'\n' + described(back.problems)));
    }
}

// Every value of the document in turn replaced by something else: likewise.
inline void importEveryReplacement(const ImportFolder &folder, const QString &name, const json &document)
{
    const json replacements[] = {nullptr, -1, 1e300, "text", json::object()};
    const json flat = document.flatten();
    for (const auto &[pointer, value] : flat.items()) {
        for (const json &replacement : replacements) {
            json changed = document;
            changed[json::json_pointer(pointer)] = replacement;
            const import::Imported imported = import::importFiles({folder.write(name, changed)});
            if (!imported.error.isEmpty())
                continue;
            const evidence::Namespace back = folder.written(imported);
            QVERIFY2(!back.hasContradiction(), qPrintable(QString::fromStdString(pointer + " = " + replacement.dump()) +
                                                          u'\n' + described(back.problems)));
        }
    }
}

} // namespace fixtures
