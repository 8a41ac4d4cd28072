// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencepaths.h"
#include "messagebar.h"

namespace stagecraft::window {

// What there is to say once everything that was asked for together has been read: one message, the worst first.
class OpeningReport
{
public:
    void addPaths(const SortedPaths &sorted);
    void addFailed(const LoadedEvidence &loaded); // nothing of it could be read
    void addListed(const LoadedEvidence &loaded); // it is in the list
    void addDropped(int count);                   // cancelled before they were read

    struct Message
    {
        MessageBar::Severity severity = MessageBar::Severity::Info;
        QString title, text;
    };
    std::optional<Message> message() const; // nothing: all went well and is seen
    const QStringList &missing() const { return m_missing; }

private:
    struct Line
    {
        QString title, text;
    };
    QList<Line> m_errors, m_warnings;
    QStringList m_missing;
    int m_listed = 0, m_hidden = 0, m_dropped = 0;
};

bool isEmptyEvidence(const evidence::Namespace &evidence); // there is nothing in it that a view could show

} // namespace stagecraft::window
