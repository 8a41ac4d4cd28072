// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

// A folder with a shell script named nvdisasm, first on PATH while the object exists; nothing else that this machine
// has under that name and that PATH, CUDA_PATH, CUDA_HOME, VIRTUAL_ENV or the home folder lead to is found.
class StandInDisassembler
{
public:
    explicit StandInDisassembler(const QString &script = {})
    {
        for (const char *name : {"PATH", "CUDA_PATH", "CUDA_HOME", "VIRTUAL_ENV", "HOME"})
            m_before.append({name, qgetenv(name)});
        for (const char *name : {"CUDA_PATH", "CUDA_HOME", "VIRTUAL_ENV"})
            qunsetenv(name);
        qputenv("HOME", m_folder.path().toUtf8());
        qputenv("PATH", m_folder.filePath("bin").toUtf8());
        QDir(m_folder.path()).mkpath("bin");
        if (!script.isEmpty())
            write("bin", script);
    }
    ~StandInDisassembler()
    {
        for (const auto &[name, value] : m_before)
            value.isNull() ? qunsetenv(name) : qputenv(name, value);
    }
    Q_DISABLE_COPY_MOVE(StandInDisassembler)

    // Puts the script into this folder below the object's own, and gives its path.
    QString write(const QString &folder, const QString &script) const
    {
        QDir(m_folder.path()).mkpath(folder);
        QFile file(m_folder.filePath(folder + "/nvdisasm"));
        if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/sh\n" + script.toUtf8() + "\n") < 0)
            qFatal("cannot write %s", qPrintable(file.fileName()));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName();
    }

    QString path() const { return m_folder.path(); }

    // A script that prints the file: PATH has no programs, so the shell does it.
    static QString printing(const QString &file)
    {
        return QStringLiteral("while IFS= read -r line; do printf '%s\\n' \"$line\"; done < '%1'").arg(file);
    }

    // Whether the places that cannot be hidden have one.
    static bool isInstalled()
    {
        for (const char *place : {"/usr/local/cuda/bin/nvdisasm", "/opt/cuda/bin/nvdisasm"}) {
            if (QFile::exists(QLatin1String(place)))
                return true;
        }
        for (const QString &name : QDir("/usr/local").entryList({"cuda-1*"}, QDir::Dirs)) {
            if (QFile::exists("/usr/local/" + name + "/bin/nvdisasm"))
                return true;
        }
        return false;
    }

private:
    QTemporaryDir m_folder;
    QList<std::pair<const char *, QByteArray>> m_before;
};
