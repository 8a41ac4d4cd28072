// SPDX-License-Identifier: GPL-3.0-or-later
#include "runprogress.h"

#include "console.h"

namespace stagecraft::commands {

namespace {

QString minutes(qint64 ms)
{
    const qint64 seconds = (ms + 999) / 1000;
    return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

} // namespace

QString RunProgress::text(const run::Progress &progress)
{
    QString line = QStringLiteral("[%1/%2] ").arg(progress.done).arg(progress.total);
    if (!progress.operation.isEmpty())
        line += progress.operation + QLatin1Char(' ');
    if (!progress.implementation.isEmpty())
        line += progress.implementation + QLatin1Char(' ');
    if (progress.runs > 1 && progress.run > 0)
        line += QStringLiteral("run %1 of %2 ").arg(progress.run).arg(progress.runs);
    if (progress.round > 0)
        line += QStringLiteral("round %1 of %2 ").arg(progress.round).arg(progress.rounds);
    line += progress.phase;
    if (progress.remainingMs >= 0)
        line += QStringLiteral(", %1 left").arg(minutes(progress.remainingMs));
    return line;
}

void RunProgress::show(const run::Progress &progress)
{
    if (m_status.isTerminal())
        return m_status.show(text(progress));
    // A file or a pipe gets what changed, not every second of it.
    run::Progress step = progress;
    step.remainingMs = -1;
    const QString line = text(step);
    const bool isWork = progress.phase == QLatin1String("spans") || progress.phase == QLatin1String("counters");
    if (!isWork || line == m_printed)
        return;
    m_printed = line;
    complainLine(text(progress));
}

void RunProgress::say(const QString &level, const QString &text)
{
    m_status.erase();
    complainLine(level == QLatin1String("info") ? text : QStringLiteral("%1: %2").arg(level, text));
}

void RunProgress::end()
{
    m_status.erase();
}

} // namespace stagecraft::commands
