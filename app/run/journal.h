// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runevents.h"

#include <QFile>

#include <functional>

namespace stagecraft::run {

QString journalFileName(); // "journal.jsonl", in the output directory while a run goes

// A run's events as JSON lines, each flushed as it is appended, so that a crash of the program costs nothing measured.
class Journal
{
public:
    // Creates the directory and the file. Like append(), returns an error text that names file and cause, without a
    // full stop; empty on success.
    QString open(const QString &directory);
    // After the first error the journal ends before that event: nothing more is written, and each call says it again.
    QString append(const RunEvent &event);
    void remove(); // once the namespace is written

private:
    QString appended(const std::string &line);

    QFile m_file;
    QString m_problem;
};

bool hasJournal(const QString &directory);

// The namespace as far as the journal in this directory goes. What was not measured is NotRun and says that the program
// ended first; lines that cannot be read (the last one may be cut off) end the recovery and are in problems, not fatal.
evidence::Namespace recoverJournal(const QString &directory);

// For whoever opens evidence: recoverJournal() while there is a journal, since a run that could not write all its files
// keeps it; else readNamespace(). Files beside a journal that says nothing are read, with the journal's problems.
// `cancelled` is readNamespace()'s.
evidence::Namespace openNamespace(const QString &path, const QList<const evidence::Namespace *> &loaded = {},
                                  const std::function<bool()> &cancelled = {});

} // namespace stagecraft::run
