// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plannedevidence.h"
#include "runevents.h"
#include "runprogression.h"

#include <set>
#include <tuple>

namespace stagecraft::run {

// The evidence of a run as it stands: what follows from its events so far. Everything that the plan names is there from
// the start, in state NotRun.
class RunRecord
{
public:
    // Throws std::out_of_range for an event that does not belong to the plan, std::invalid_argument for a plan that no
    // run can have (a damaged journal).
    void apply(const RunEvent &event);

    const RunPlan &plan() const { return m_plan; }
    const evidence::Namespace &evidence(); // with the progression of the stages that the plan names
    bool ended() const { return m_ended; }

    // Says of what was not measured, and of what was not checked again, that this came first: "the run was cancelled".
    void closeUnfinished(const QString &event);

private:
    void on(const RunStarted &event);
    void on(const WorkerDescribed &event);
    void on(const InputsMade &event);
    void on(const ImplementationPrepared &event);
    void on(const ImplementationClosed &event);
    void on(const ResultChanged &event);
    void on(const CheckedAgain &event);
    void on(const SpansMeasured &event);
    void on(const KernelsCaptured &event);
    void on(const GpuStateRead &event);
    void on(const FloorsMeasured &event);
    void on(const CountersTaken &event);
    void on(const RunEnded &event);

    evidence::OperationResult &result(int operation);
    evidence::Measurement &measurement(int operation, int round, const QString &implementation);
    evidence::Capture &capture(int operation, int round, const QString &implementation);
    evidence::CounterCapture &counters(int operation, const QString &implementation);
    void noteTimingSource(const QString &source);

    RunPlan m_plan;
    evidence::Namespace m_evidence;
    RunProgression m_progression;
    QList<qsizetype> m_firstCapture;                        // of each operation, in m_evidence.captures
    QList<qsizetype> m_firstCounters;                       // the same in m_evidence.counters
    std::set<std::tuple<int, int, QString>> m_checkedAgain; // operation, round, implementation
    bool m_ended = false;
};

// What of a run's evidence is not as planned: failed, invalid or unavailable measurements and failed captures. Kernel
// records that are unavailable where spans exist are no failure, and counters are no measurement.
int failureCount(const evidence::Namespace &evidence);

} // namespace stagecraft::run
