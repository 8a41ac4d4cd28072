// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace stagecraft::commands {

// One line of progress on standard error that the next one overwrites, where that is a terminal.
class StatusLine
{
public:
    StatusLine();
    ~StatusLine() { erase(); }
    StatusLine(const StatusLine &) = delete;
    StatusLine &operator=(const StatusLine &) = delete;

    bool isTerminal() const { return m_terminal; }
    void show(const QString &text); // nothing where it is no terminal
    void erase();                   // so that another line can be printed

private:
    bool m_terminal, m_shown = false;
};

} // namespace stagecraft::commands
