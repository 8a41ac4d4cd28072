// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QStringList>

// Programs as a terminal starts them, Stagecraft first of all.
struct ProgramResult
{
    int status = -1;
    QString out, err;
    QString all() const { return out + err; }
};

inline ProgramResult finish(QProcess &program)
{
    if (!program.waitForFinished(90'000) || program.exitStatus() != QProcess::NormalExit)
        return {-1, {}, program.errorString()};
    return {program.exitCode(), QString::fromUtf8(program.readAllStandardOutput()),
            QString::fromUtf8(program.readAllStandardError())};
}

inline ProgramResult runProgram(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    return finish(process);
}

inline ProgramResult stagecraft_(const QStringList &arguments)
{
    return runProgram(STAGECRAFT_PROGRAM, arguments);
}
