// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurementtext.h"
#include "runsession.h"

// What a run asks of its workers once the rounds of an operation are over.
namespace stagecraft::run {

// A kernel may be right once and wrong later, as one that leans on what memory holds. Where the worker that measured is
// gone there is nothing to look at: a fresh one would check another preparation.
void RunSession::checkAgain()
{
    if (!lane().measuredInRun)
        return stepDone();
    if (lane().handle == 0 || !lane().worker || !lane().worker->isUsable())
        return notCheckedAgain(QStringLiteral("the worker that measured it is gone"));
    setPhase("check");
    hurryThrough(lane().worker);
    lane().worker->call<protocol::CheckResult>(
        protocol::method::check, protocol::CheckParams{lane().handle, endOfRun() - 1}, m_plan.measurementTimeLimitMs,
        [this](const protocol::CheckResult &check) { checkedAgain(check); },
        [this](const WorkerFault &fault) { checkAgainFailed(fault); });
}

void RunSession::checkedAgain(const protocol::CheckResult &check)
{
    if (check.passed)
        record(CheckedAgain{m_step.operation, firstRound(), endOfRun(), m_step.implementation, {}});
    else
        resultChanged(check, QStringLiteral("right before the rounds, wrong after them: ") + checkFailureText(check));
    stepDone();
}

// A result whose check hangs or ends its worker is one that nobody can vouch for. The worker stays until all of its
// implementations are looked at; what fails in it from here on may be the first one's doing.
void RunSession::checkAgainFailed(const WorkerFault &fault)
{
    if (m_cancelled)
        return stepDone();
    if (m_faulty.contains(lane().worker))
        return notCheckedAgain(QStringLiteral("its worker had failed in the check of another implementation"));
    m_faulty.append(lane().worker);
    resultChanged(std::nullopt, QStringLiteral("the check after the rounds failed: ") + fault.text());
    stepDone();
}

void RunSession::notCheckedAgain(const QString &reason)
{
    record(CheckedAgain{m_step.operation, firstRound(), endOfRun(), m_step.implementation, reason});
    emit logged(QStringLiteral("warning"),
                QStringLiteral("%1 is not checked again after its rounds: %2.").arg(stepText(), reason));
    publish();
    stepDone();
}

void RunSession::resultChanged(const std::optional<protocol::CheckResult> &check, const QString &reason)
{
    record(ResultChanged{m_step.operation, firstRound(), endOfRun(), m_step.implementation, check, reason});
    emit logged(QStringLiteral("error"), QStringLiteral("%1: %2").arg(stepText(), reason));
    publish();
}

void RunSession::releaseHandles()
{
    m_inputs = {};
    for (const QPointer<WorkerProcess> &worker : std::exchange(m_faulty, {})) {
        if (worker)
            worker->end();
    }
    for (auto &[key, entry] : m_lanes) {
        if (key.first != m_step.operation || entry.handle == 0 || !entry.worker || !entry.worker->isUsable())
            continue;
        m_step.implementation = key.second;
        // One after the other: a worker takes one request at a time.
        return releaseHandle(entry, [this] { releaseHandles(); });
    }
    stepDone();
}

void RunSession::releaseHandle(Lane &of, const Continue &released)
{
    const auto handle = std::exchange(of.handle, 0);
    if (handle == 0 || !of.worker || !of.worker->isUsable())
        return released();
    of.worker->call<nlohmann::json>(
        protocol::method::release, protocol::HandleParams{handle}, m_plan.measurementTimeLimitMs,
        [released](const nlohmann::json &) { released(); }, [released](const WorkerFault &) { released(); });
}

} // namespace stagecraft::run
