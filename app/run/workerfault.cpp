// SPDX-License-Identifier: GPL-3.0-or-later
#include "workerfault.h"

#include "publictext.h"

#include <csignal>
#include <cstring>

namespace stagecraft::run {

QString WorkerFault::text() const
{
    return fix.isEmpty() ? reason : QStringLiteral("%1. What to do: %2").arg(reason, fix);
}

WorkerFault faultOf(const protocol::ErrorReply &reply)
{
    WorkerFault fault;
    switch (reply.code) {
    case protocol::error::unavailable:
    case protocol::rpc::methodNotFound: // a worker of an earlier version
        fault.state = evidence::State::Unavailable;
        break;
    case protocol::error::invalid:
    case protocol::rpc::invalidParams:
        fault.state = evidence::State::Invalid;
        break;
    case protocol::error::cancelled:
        fault.state = evidence::State::NotRun;
        break;
    default:
        break;
    }
    fault.reason = publicText(reply.reason.empty() ? reply.message : reply.reason);
    if (fault.reason.isEmpty())
        fault.reason = QStringLiteral("the worker answered with error %1 and no reason").arg(reply.code);
    fault.fix = publicText(reply.fix);
    if (reply.code == protocol::rpc::methodNotFound)
        fault.fix = QStringLiteral("use a worker of the program's own version");
    fault.log = publicLines(QString::fromStdString(reply.log));
    return fault;
}

QString endText(bool crashed, int exitCode)
{
    if (!crashed)
        return QStringLiteral("ended with exit status %1").arg(exitCode);
    const char *name = sigabbrev_np(exitCode);
    return name ? QStringLiteral("was ended by signal SIG%1 (%2)").arg(QLatin1String(name)).arg(exitCode)
                : QStringLiteral("was ended by signal %1").arg(exitCode);
}

QString endFix(bool crashed, int exitCode)
{
    if (crashed && exitCode == SIGKILL)
        return QStringLiteral(
            "something outside ended it: look for the out-of-memory killer in the system's log, or for "
            "a limit of a container or batch system");
    if (crashed)
        return QStringLiteral("run this measurement alone to see whether it happens again; a kernel or a library that "
                              "writes out of its bounds is the usual cause");
    return QStringLiteral("see the worker's last lines in the log, and `stagecraft doctor`");
}

} // namespace stagecraft::run
