// SPDX-License-Identifier: GPL-3.0-or-later
#include "problemlog.h"

#include <algorithm>

namespace stagecraft::evidence {

namespace {

// Keys and reasons come from the file and end on a terminal or in a list: no control characters, no endless lines.
QString printable(QString text)
{
    constexpr qsizetype longest = 1000;
    if (text.size() > longest)
        text = text.left(longest) + QStringLiteral("…");
    std::replace_if(
        text.begin(), text.end(), [](QChar c) { return c.category() == QChar::Other_Control; }, QLatin1Char(' '));
    return text;
}

} // namespace

ProblemLog::ProblemLog(QString file, QList<Problem> *problems) : m_file(std::move(file)), m_problems(problems) {}

void ProblemLog::contradiction(const std::string &pointer, const QString &cause)
{
    add(pointer, cause, true);
}

void ProblemLog::note(const std::string &pointer, const QString &cause)
{
    add(pointer, cause, false);
}

void ProblemLog::stop(const std::string &pointer, const QString &cause)
{
    m_stop = pointer;
    contradiction(pointer, cause);
}

bool ProblemLog::stoppedInside(const std::string &pointer) const
{
    return m_stop && (*m_stop == pointer || m_stop->starts_with(pointer + '/'));
}

void ProblemLog::add(const std::string &pointer, const QString &cause, bool fatal)
{
    // The two kinds are counted apart: notes must not crowd out a contradiction.
    int &count = fatal ? m_contradictions : m_notes;
    ++count;
    if (count <= limit)
        m_problems->append({m_file, printable(QString::fromStdString(pointer)), printable(cause), fatal});
    else if (count == limit + 1)
        m_problems->append({m_file, QString(),
                            QStringLiteral("More than %1 %2 in this file; the rest is not listed.")
                                .arg(limit)
                                .arg(fatal ? QStringLiteral("contradictions") : QStringLiteral("notes")),
                            fatal});
}

QString excerpt(const QString &text)
{
    constexpr qsizetype longest = 60;
    return text.size() <= longest ? text : text.left(longest) + QStringLiteral("…");
}

} // namespace stagecraft::evidence
