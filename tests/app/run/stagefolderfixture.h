// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

// A user's folder of stages, made up for one test.
class StageFolder
{
public:
    QString path() const { return m_directory.path(); }

    // The text of a stage with one launch. `more` is further front matter (`"after": "tiled"`), `body` what stands
    // below it: CUDA, or the fake worker's instructions.
    static QString text(const QString &more = {}, const QString &body = {}, const QString &entry = "mine")
    {
        return QStringLiteral(R"(/* stage {"title": "Mine", "status": "retained",
  "launches": [{"entry": "%1", "block": 32, "grid": [{"per_sm": 1}]}]%2} */
%3)")
            .arg(entry, more.isEmpty() ? QString() : QStringLiteral(", ") + more, body);
    }

    // name: "matmul/mine.cu"
    QString write(const QString &name, const QByteArray &content) const
    {
        const QString file = m_directory.filePath(name);
        QDir().mkpath(QFileInfo(file).path());
        QFile out(file);
        if (!out.open(QIODevice::WriteOnly) || out.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(file));
        return file;
    }
    QString write(const QString &name, const QString &content = text()) const { return write(name, content.toUtf8()); }

private:
    QTemporaryDir m_directory;
};
