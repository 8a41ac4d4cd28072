// SPDX-License-Identifier: GPL-3.0-or-later
#include "workerlog.h"

namespace stagecraft::run {

void WorkerLog::take(QStringList &lines)
{
    const QString text = QString::fromUtf8(m_line).trimmed();
    m_line.clear();
    if (text.isEmpty())
        return;
    m_last.append(text);
    if (m_last.size() > 3)
        m_last.removeFirst();
    if (!m_second.isValid() || m_second.hasExpired(1000)) {
        if (m_leftOut > 0)
            lines.append(QStringLiteral("(%1 more lines were left out)").arg(m_leftOut));
        m_second.start();
        m_taken = m_leftOut = 0;
    }
    if (m_taken < maximumLinesPerSecond) {
        ++m_taken;
        lines.append(text);
    } else {
        ++m_leftOut;
    }
}

QStringList WorkerLog::append(const QByteArray &chunk)
{
    QStringList lines;
    for (const char c : chunk) {
        if (c == '\n')
            take(lines);
        else if (m_line.size() < maximumLineLength)
            m_line.append(c);
    }
    return lines;
}

QStringList WorkerLog::finish()
{
    QStringList lines;
    take(lines);
    if (m_leftOut > 0)
        lines.append(QStringLiteral("(%1 more lines were left out)").arg(m_leftOut));
    m_leftOut = 0;
    return lines;
}

} // namespace stagecraft::run
