// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runner.h"
#include "statusline.h"

namespace stagecraft::commands {

// A run's progress on standard error: one line that is overwritten on a terminal, else a line per measurement.
class RunProgress
{
public:
    void show(const run::Progress &progress);
    void say(const QString &level, const QString &text); // a log line, without breaking the progress line
    void end();                                          // leaves the cursor on a line of its own

    static QString text(const run::Progress &progress);

private:
    StatusLine m_status;
    QString m_printed; // the last line, where it is no terminal
};

} // namespace stagecraft::commands
