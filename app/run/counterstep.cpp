// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurementtext.h"
#include "publictext.h"
#include "runsession.h"
#include "workercommand.h"

#include <algorithm>

// What a run asks of its workers after everything that is timed: hardware counters of one call of each implementation.
// A process in which kernels were counted is no place to take times.
namespace stagecraft::run {

using evidence::State;

// What has no time has nothing that counters could explain.
bool RunSession::hasSoundMeasurement()
{
    const auto &rounds = m_record.evidence().results.at(m_step.operation).rounds;
    return std::ranges::any_of(rounds, [this](const evidence::Round &round) {
        return round.implementations.value(m_step.implementation).state == State::Ok;
    });
}

void RunSession::takeCounters()
{
    if (!hasSoundMeasurement())
        return recordCounters({}, State::NotRun, QStringLiteral("it has no sound measurement in this run"));
    if (lane().closed)
        return recordCounters({}, State::NotRun, QStringLiteral("it was given up in the rounds, where its reason is"));
    withInputs([this] { prepare([this] { askForCounters(); }); });
}

void RunSession::withInputs(const Continue &ready)
{
    if (!m_inputs.sha256.empty())
        return ready();
    setPhase("inputs");
    generateInputs([this, ready](const RunInputs &inputs) {
        if (!inputs.problem.isEmpty())
            return recordCounters({}, State::Failed, inputs.problem);
        m_inputs = inputs;
        ready();
    });
}

void RunSession::askForCounters()
{
    if (m_cancelled) // during the preparation, which is over
        return stepDone();
    setPhase("counters");
    hurryThrough(lane().worker);
    lane().worker->call<protocol::CountersResult>(
        protocol::method::counters, protocol::CountersParams{lane().handle, m_plan.warmup},
        m_plan.measurementTimeLimitMs, [this](const protocol::CountersResult &result) { countersTaken(result); },
        [this](const WorkerFault &fault) {
            if (!m_cancelled)
                retireWorker(fault);
            countersFailed(fault);
        });
}

void RunSession::countersTaken(const protocol::CountersResult &result)
{
    if (result.cancelled && m_cancelled)
        return recordCounters({}, State::NotRun, QStringLiteral("cancelled while they were taken"));
    if (result.cancelled)
        return recordCounters({}, State::Failed,
                              QStringLiteral("the worker ended the counters without being asked to"));
    const QString problem = countersProblem(result);
    if (problem.isEmpty())
        recordCounters(result, State::Ok, {});
    else
        recordCounters({}, State::Invalid, problem);
}

void RunSession::countersFailed(const WorkerFault &fault)
{
    if (m_cancelled)
        return recordCounters({}, State::NotRun, QStringLiteral("cancelled while they were taken"));
    WorkerFault told = fault;
    if (told.timedOut) // what mends a measurement that hangs mends nothing here
        told.fix = QStringLiteral("take none of this implementation; its times are as good without");
    recordCounters({}, told.state, told.text());
}

void RunSession::recordCounters(const protocol::CountersResult &result, State state, const QString &reason)
{
    record(CountersTaken{m_step.operation, m_step.implementation, lane().stage, lane().arithmetic, result, state,
                         withoutPlaces(reason, m_plan.workers)});
    if (state == State::Ok)
        emit logged(QStringLiteral("info"),
                    QStringLiteral("%1, hardware counters: %2.").arg(stepText(), countersText(result)));
    else
        emit logged(
            state == State::Unavailable || state == State::NotRun ? QStringLiteral("info") : QStringLiteral("warning"),
            QStringLiteral("%1, hardware counters: %2: %3").arg(stepText(), evidence::stateName(state), reason));
    publish();
    // The arrays of one call are enough: what is counted is run again and again, and its memory put back each time.
    releaseHandle(lane(), [this] { stepDone(); });
}

} // namespace stagecraft::run
