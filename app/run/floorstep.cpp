// SPDX-License-Identifier: GPL-3.0-or-later
#include "implementationcatalogue.h"
#include "publictext.h"
#include "runsession.h"

#include <algorithm>

// What a run asks of its GPU once all rounds are over: the times that nothing of the run can beat there. They serve the
// reading of what was measured; a run without them is as good.
namespace stagecraft::run {

namespace {

// A few seconds, the larger part of it compiling; the worker says nothing meanwhile.
constexpr int silenceLimitMs = 60'000;

protocol::FloorsParams floorsParams(const RunPlan &plan)
{
    protocol::FloorsParams params;
    params.device = plan.device;
    params.cache = plan.cache.toStdString();
    for (const PlannedOperation &planned : plan.operations)
        params.operations.push_back(
            {planned.operation.toStdString(), std::vector<std::int64_t>(planned.dims.begin(), planned.dims.end())});
    return params;
}

} // namespace

// Where its worker measured nothing there is nothing to read against floors, and a worker that cannot even prepare
// would cost another start.
void RunSession::measureFloors()
{
    const bool measured = std::ranges::any_of(m_lanes, [this](const auto &entry) {
        return entry.second.measured && workerOf(m_plan.workers, entry.first.second) == m_step.worker;
    });
    if (!measured) {
        emit logged(QStringLiteral("info"),
                    QStringLiteral("Floors are unknown: the %1 worker measured nothing.").arg(m_step.worker));
        return stepDone();
    }
    setPhase("floors");
    m_hurry = [this] { m_workers.abortStarting(); };
    m_workers.acquire(
        m_step.worker, [this](const WorkerPool::Ready &ready) { askForFloors(ready.process); },
        [this](const WorkerFault &fault) { floorsFailed(fault); });
}

void RunSession::askForFloors(WorkerProcess *worker)
{
    if (m_cancelled || m_floorsSkipped) // while the worker was looked for
        return stepDone();
    hurryThrough(worker);
    worker->call<protocol::FloorsResult>(
        protocol::method::floors, floorsParams(m_plan), silenceLimitMs,
        [this](const protocol::FloorsResult &result) { floorsMeasured(result); },
        [this](const WorkerFault &fault) { floorsFailed(fault); });
}

void RunSession::floorsMeasured(const protocol::FloorsResult &result)
{
    for (const protocol::FloorMeasurement &measured : result.measurements)
        emit logged(QStringLiteral("info"), QStringLiteral("Floors: %1 %2 %3 (%4).")
                                                .arg(publicText(measured.what))
                                                .arg(measured.value, 0, 'g', 4)
                                                .arg(publicText(measured.unit), publicText(measured.note)));
    for (const std::string &sentence : result.missing)
        emit logged(QStringLiteral("info"), QStringLiteral("Floors: ") + publicText(sentence));
    const qsizetype before = static_cast<qsizetype>(result.floors.size());
    record(FloorsMeasured{result});
    if (const qsizetype left = before - m_record.evidence().floors.size(); left > 0)
        emit logged(QStringLiteral("warning"),
                    QStringLiteral("Floors: %1 of %2 are left out; they are of nothing that this run measured, or are "
                                   "there already.")
                        .arg(left)
                        .arg(before));
    publish();
    stepDone();
}

void RunSession::floorsFailed(const WorkerFault &fault)
{
    WorkerFault told = fault;
    if (told.timedOut) // what mends a measurement that hangs mends nothing here
        told.fix = QStringLiteral("--no-floors leaves it out");
    if (!m_cancelled && !m_floorsSkipped)
        emit logged(told.state == evidence::State::Unavailable ? QStringLiteral("info") : QStringLiteral("warning"),
                    QStringLiteral("Floors are unknown: %1").arg(told.text()));
    stepDone();
}

} // namespace stagecraft::run
