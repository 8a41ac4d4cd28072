// SPDX-License-Identifier: GPL-3.0-or-later
#include "interrupt.h"

#include <csignal>
#include <QSocketNotifier>
#include <sys/socket.h>
#include <unistd.h>

namespace stagecraft::run {

namespace {

// A handler may only do what is async-signal-safe: it writes a byte, and the event loop does the rest.
volatile std::sig_atomic_t writeEnd = -1;

extern "C" void onInterrupt(int)
{
    const char byte = 1;
    [[maybe_unused]] const auto written = ::write(writeEnd, &byte, 1);
}

// Not where it is ignored: under nohup the end of the terminal does not concern this program.
void install(int signal)
{
    struct sigaction action = {};
    if (signal == SIGHUP && sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
        return;
    action.sa_handler = onInterrupt;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

} // namespace

InterruptNotifier::InterruptNotifier(QObject *parent) : QObject(parent)
{
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, m_sockets) != 0)
        return; // then a signal ends the program at once, as without this object
    m_notifier = std::make_unique<QSocketNotifier>(m_sockets[0], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &InterruptNotifier::read);
    writeEnd = m_sockets[1];
    install(SIGINT);
    install(SIGTERM);
    install(SIGHUP);
}

InterruptNotifier::~InterruptNotifier()
{
    if (!m_notifier)
        return;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    if (std::signal(SIGHUP, SIG_DFL) == SIG_IGN)
        std::signal(SIGHUP, SIG_IGN);
    writeEnd = -1;
    m_notifier.reset();
    ::close(m_sockets[0]);
    ::close(m_sockets[1]);
}

void InterruptNotifier::read()
{
    char byte = 0;
    if (::read(m_sockets[0], &byte, 1) == 1)
        emit interrupted();
}

} // namespace stagecraft::run
