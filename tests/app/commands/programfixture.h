// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QProcess>
#include <QTest>

// The real program as a process, as a terminal without a display starts it.
namespace fixtures {

struct Outcome
{
    int status = -1;
    QString out, err;
};

inline Outcome runStagecraft(const QStringList &arguments, const QString &folder = {})
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *display : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(QString::fromUtf8(display));
    environment.insert("STAGECRAFT_RESOURCES", STAGECRAFT_BINARY_DIR "/share/stagecraft");
    process.setProcessEnvironment(environment);
    if (!folder.isEmpty())
        process.setWorkingDirectory(folder);
    process.start(STAGECRAFT_PROGRAM, arguments);
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
        return {-1, {}, process.errorString()};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

// Rows of fields of a CSV file without quoted line ends; quoted fields lose their quotes.
inline QList<QStringList> csvRows(const QString &path)
{
    QFile file(path);
    QList<QStringList> rows;
    if (!file.open(QIODevice::ReadOnly))
        return rows;
    for (const QString &line : QString::fromUtf8(file.readAll()).split("\r\n", Qt::SkipEmptyParts)) {
        QStringList fields{QString()};
        bool quoted = false;
        for (const QChar c : line) {
            if (c == '"')
                quoted = !quoted;
            else if (c == ',' && !quoted)
                fields.append(QString());
            else
                fields.last() += c;
        }
        rows.append(fields);
    }
    return rows;
}

// The fields of one column, by its id in the first row.
inline QStringList csvColumn(const QList<QStringList> &rows, const char *id)
{
    const qsizetype column = rows.value(0).indexOf(QString::fromUtf8(id));
    QStringList fields;
    for (const QStringList &row : rows.mid(1))
        fields.append(column < 0 ? QStringLiteral("no such column") : row.value(column));
    return fields;
}

inline QStringList rounded(const QStringList &numbers, int decimals)
{
    QStringList texts;
    for (const QString &number : numbers)
        texts.append(number.isEmpty() ? QString() : QString::number(number.toDouble(), 'f', decimals));
    return texts;
}

} // namespace fixtures
