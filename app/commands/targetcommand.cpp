// SPDX-License-Identifier: GPL-3.0-or-later
#include "targetcommand.h"

#include "interrupt.h"
#include "targetsession.h"

#include <QEventLoop>

namespace stagecraft::commands {

int runTargetCommand(const QStringList &arguments)
{
    const TargetRequest request = parseTarget(arguments);
    if (request.exitStatus)
        return *request.exitStatus;
    TargetSession session(request);
    run::InterruptNotifier interrupt;
    QEventLoop loop;
    QObject::connect(&session, &TargetSession::finished, &loop, &QEventLoop::exit);
    QObject::connect(&interrupt, &run::InterruptNotifier::interrupted, &session, &TargetSession::interrupt);
    session.start();
    return loop.exec();
}

} // namespace stagecraft::commands
