// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace stagecraft::run {

// A line of a compiler's output that names a place in the stage's file.
struct CompileMessage
{
    enum Severity
    {
        Error,
        Warning,
        Note
    };
    int line = 0; // from 1
    Severity severity = Error;
    QString text;
};

// NVRTC's messages about the file with this name ("matmul/mine.cu"), in order; others' (a header's) stay in the log.
QList<CompileMessage> compileMessages(const QString &log, const QString &fileName);

} // namespace stagecraft::run
