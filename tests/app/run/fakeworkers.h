// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

// A directory of workers for one test: the host worker is the real one, the CUDA worker is the fake one with these
// options, and there is no Python until writePython() puts an interpreter there. The program looks there while the
// object exists.
class FakeWorkers
{
public:
    explicit FakeWorkers(const QString &fakeOptions = {})
    {
        QFile::link(QStringLiteral(STAGECRAFT_BINARY_DIR "/bin/stagecraft-worker-host"),
                    m_directory.filePath(QStringLiteral("stagecraft-worker-host")));
        writeFake({}, fakeOptions);
        qputenv("STAGECRAFT_WORKER_DIRECTORY", m_directory.path().toUtf8());
        qputenv("STAGECRAFT_PYTHON", python().toUtf8());
        // Tests lie elsewhere than the program, and so do not find what it brings.
        if (!qEnvironmentVariableIsSet("STAGECRAFT_RESOURCES"))
            qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_BINARY_DIR "/share/stagecraft");
    }
    ~FakeWorkers()
    {
        qunsetenv("STAGECRAFT_WORKER_DIRECTORY");
        qunsetenv("STAGECRAFT_PYTHON");
    }

    // Replaces a worker by a shell script.
    void write(const QString &name, const QString &script) const
    {
        QFile file(m_directory.filePath(name));
        file.remove();
        if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/sh\n" + script.toUtf8()) < 0)
            qFatal("cannot write %s", qPrintable(file.fileName()));
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    // The CUDA worker, with lines of shell before it starts that may `set` its options; $PIDS names the file with one
    // line for each start so far, its own included.
    void writeFake(const QString &before, const QString &fakeOptions = {}) const
    {
        write(
            QStringLiteral("stagecraft-worker-cuda"),
            QStringLiteral("PIDS='%1'\necho $$ >> \"$PIDS\"\nset -- %3\n%4exec '%2' --name cuda --implementation cuda "
                           "--implementation cublas \"$@\"\n")
                .arg(pidFile(), QStringLiteral(STAGECRAFT_BINARY_DIR "/bin-tests/stagecraft-fake-worker"), fakeOptions,
                     before));
    }

    // What a Python interpreter shall do that is started with worker.py as $1.
    void writePython(const QString &script) const { write(QStringLiteral("python-fake"), script); }
    QString python() const { return m_directory.filePath(QStringLiteral("python-fake")); }

    // A shell's command that becomes the fake worker with this name and these options.
    static QString fakeCommand(const QString &name, const QString &fakeOptions)
    {
        return QStringLiteral("exec '%1' --name %2 %3\n")
            .arg(QStringLiteral(STAGECRAFT_BINARY_DIR "/bin-tests/stagecraft-fake-worker"), name, fakeOptions);
    }

    void remove(const QString &name) const { QFile::remove(m_directory.filePath(name)); }
    QString path() const { return m_directory.path(); }
    QString output() const { return m_directory.filePath(QStringLiteral("out/evidence")); }

    // Process ids of the CUDA workers started so far, oldest first.
    QList<int> pids() const
    {
        QList<int> ids;
        QFile file(pidFile());
        if (file.open(QIODevice::ReadOnly)) {
            for (const QByteArray &line : file.readAll().split('\n')) {
                if (!line.isEmpty())
                    ids.append(line.toInt());
            }
        }
        return ids;
    }

private:
    QString pidFile() const { return m_directory.filePath(QStringLiteral("pids")); }

    QTemporaryDir m_directory;
};
