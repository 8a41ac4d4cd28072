// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QElapsedTimer>
#include <QStringList>

namespace stagecraft::run {

// A worker's standard error as lines for the log: bounded in length and number, so that a worker that prints without
// end cannot fill the program's memory or its window.
class WorkerLog
{
public:
    static constexpr qsizetype maximumLineLength = 1000;
    static constexpr int maximumLinesPerSecond = 200;

    // Lines that this chunk completed, at most maximumLinesPerSecond of them; what was left out is said in one line.
    QStringList append(const QByteArray &chunk);
    QStringList finish(); // the last line, where it had no end

    QStringList lastLines() const { return m_last; } // at most three, oldest first

private:
    void take(QStringList &lines);

    QByteArray m_line;
    QStringList m_last;
    QElapsedTimer m_second;
    int m_taken = 0, m_leftOut = 0;
};

} // namespace stagecraft::run
