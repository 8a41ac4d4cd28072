// SPDX-License-Identifier: GPL-3.0-or-later
#include "statusline.h"

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace stagecraft::commands {

namespace {

int terminalWidth()
{
    winsize size = {};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

} // namespace

StatusLine::StatusLine() : m_terminal(::isatty(STDERR_FILENO) == 1) {}

void StatusLine::show(const QString &text)
{
    if (!m_terminal)
        return;
    erase();
    m_shown = true;
    std::fputs(text.left(terminalWidth() - 1).toUtf8().constData(), stderr);
    std::fflush(stderr);
}

void StatusLine::erase()
{
    if (!m_shown)
        return;
    m_shown = false;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
}

} // namespace stagecraft::commands
