// SPDX-License-Identifier: GPL-3.0-or-later
#include "runner.h"

#include "runsession.h"

namespace stagecraft::run {

class Runner::Private
{
public:
    std::unique_ptr<RunSession> session; // while a run goes
};

Runner::Runner(QObject *parent) : QObject(parent), d(std::make_unique<Private>())
{
    qRegisterMetaType<stagecraft::run::Progress>();
    qRegisterMetaType<stagecraft::run::SampleBatch>();
    qRegisterMetaType<stagecraft::run::Outcome>();
    qRegisterMetaType<stagecraft::run::RunPlan>();
    qRegisterMetaType<QSharedPointer<const stagecraft::evidence::Namespace>>();
}

Runner::~Runner() = default;

void Runner::start(const RunPlan &plan)
{
    if (d->session) {
        emit logged(QStringLiteral("warning"), QStringLiteral("A run is in progress: stop it before the next one."));
        return;
    }
    d->session = std::make_unique<RunSession>(plan);
    RunSession *session = d->session.get();
    connect(session, &RunSession::progressed, this, &Runner::progressed);
    connect(session, &RunSession::samplesArrived, this, &Runner::samplesArrived);
    connect(session, &RunSession::evidenceChanged, this, &Runner::evidenceChanged);
    connect(session, &RunSession::logged, this, &Runner::logged);
    // Queued, so that the session is not destroyed by what it calls, and start() returns before anything is finished.
    connect(
        session, &RunSession::finished, this,
        [this](Outcome outcome, const QString &message) {
            d->session.reset();
            emit finished(outcome, message);
        },
        Qt::QueuedConnection);
    session->start();
}

void Runner::cancel()
{
    if (d->session)
        d->session->cancel();
}

} // namespace stagecraft::run
