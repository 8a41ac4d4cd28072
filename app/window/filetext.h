// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace stagecraft::window {

// A stage file as text, which not every file is: what is shown of one that is not must never be written back over it.
struct FileText
{
    QString text;       // what can be shown of it
    QByteArray state;   // tells one content of the file from another; empty: it could not be read
    QString unwritable; // why the text is not what the file holds, as the rest of a sentence; empty: it is
};

// Of bytes that are known to be text.
FileText fileTextOf(const QByteArray &bytes);

// Reads at most a stage's largest size. Any thread.
FileText readFileText(const QString &path);

} // namespace stagecraft::window
