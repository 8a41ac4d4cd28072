// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

#include <string>

namespace stagecraft::evidence {

// Collects the problems of one file. Bounded, so that a hostile file cannot fill memory with complaints about itself:
// after `limit` entries one more says that the rest is not listed.
class ProblemLog
{
public:
    static constexpr int limit = 200;

    ProblemLog(QString file, QList<Problem> *problems);

    const QString &file() const { return m_file; }

    // A contradiction of the format or of the file itself.
    void contradiction(const std::string &pointer, const QString &cause);
    // Something recorded or left unchecked that a reader should know; no contradiction.
    void note(const std::string &pointer, const QString &cause);

    // The text stopped being readable at this pointer: a contradiction, and whatever contains the pointer is
    // incomplete.
    void stop(const std::string &pointer, const QString &cause);
    bool stoppedInside(const std::string &pointer) const;

private:
    void add(const std::string &pointer, const QString &cause, bool fatal);

    QString m_file;
    QList<Problem> *m_problems;
    std::optional<std::string> m_stop;
    int m_notes = 0;
    int m_contradictions = 0;
};

// One value's text for a message: cut, so that an untrusted file cannot make a message of any length.
QString excerpt(const QString &text);

} // namespace stagecraft::evidence
