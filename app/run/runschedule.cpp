// SPDX-License-Identifier: GPL-3.0-or-later
#include "runschedule.h"

namespace stagecraft::run {

namespace {

const QString gpuWorker = QStringLiteral("cuda");

QStringList workersOf(const RunPlan &plan)
{
    QStringList workers;
    for (const PlannedOperation &planned : plan.operations) {
        for (const QString &id : planned.implementations) {
            const QString worker = workerOf(plan.workers, id);
            if (!workers.contains(worker))
                workers.append(worker);
        }
    }
    return workers;
}

// An external program's worker does not look at the GPU that the program uses.
bool lacksGpuWorker(const QStringList &workers)
{
    return !workers.contains(gpuWorker) && !workers.filter(QStringLiteral("external/")).isEmpty();
}

void appendRound(QList<RunStep> &steps, const RunPlan &plan, int operation, int round)
{
    for (const QString &implementation : roundOrder(plan.operations[operation].implementations, round)) {
        steps.append({RunStep::Spans, operation, round, implementation, {}, !plan.capture});
        if (plan.capture)
            steps.append({RunStep::Capture, operation, round, implementation, {}, true});
    }
    steps.append({RunStep::StateAfterRound, operation, round, {}, {}});
}

void appendRun(QList<RunStep> &steps, const RunPlan &plan, int run)
{
    const QStringList workers = workersOf(plan);
    if (run == 0 && lacksGpuWorker(workers))
        steps.append({RunStep::FindGpu, -1, -1, {}, gpuWorker});
    for (const QString &worker : workers)
        steps.append({RunStep::StartWorker, -1, -1, {}, worker});
    if (run == 0)
        steps.append({RunStep::StateBefore, -1, -1, {}, {}});
    for (int operation = 0; operation < plan.operations.size(); ++operation) {
        steps.append({RunStep::Inputs, operation, -1, {}, {}});
        for (const QString &implementation : plan.operations[operation].implementations)
            steps.append({RunStep::Prepare, operation, -1, implementation, {}});
        for (int round = 0; round < plan.rounds; ++round)
            appendRound(steps, plan, operation, run * plan.rounds + round);
        for (const QString &implementation : plan.operations[operation].implementations)
            steps.append({RunStep::Recheck, operation, -1, implementation, {}});
        steps.append({RunStep::Release, operation, -1, {}, {}});
    }
}

void appendCounters(QList<RunStep> &steps, const RunPlan &plan)
{
    const int run = plan.runs - 1;
    for (int operation = 0; operation < plan.operations.size(); ++operation) {
        const qsizetype first = steps.size();
        for (const QString &implementation : plan.operations[operation].implementations)
            if (countersUnavailable(plan, implementation).isEmpty())
                steps.append({RunStep::Counters, operation, -1, implementation, {}, false, run});
        if (steps.size() > first)
            steps.append({RunStep::Release, operation, -1, {}, {}, false, run});
    }
}

} // namespace

QList<RunStep> runSchedule(const RunPlan &plan)
{
    QList<RunStep> steps;
    for (int run = 0; run < plan.runs; ++run) {
        const qsizetype first = steps.size();
        if (run > 0)
            steps.append({RunStep::EndWorkers, -1, -1, {}, {}});
        appendRun(steps, plan, run);
        for (qsizetype i = first; i < steps.size(); ++i)
            steps[i].run = run;
    }
    // Before the floors: it is the state that the measurements left, not the benchmark.
    steps.append({RunStep::StateAfter, -1, -1, {}, {}, false, plan.runs - 1});
    if (plan.floors && plan.capture && workersOf(plan).contains(gpuWorker))
        steps.append({RunStep::Floors, -1, -1, {}, gpuWorker, false, plan.runs - 1});
    // In the workers at hand, which are of no further use.
    if (plan.counters)
        appendCounters(steps, plan);
    return steps;
}

int measurementCount(const RunPlan &plan)
{
    int count = 0;
    for (const PlannedOperation &planned : plan.operations)
        count += static_cast<int>(planned.implementations.size()) * totalRounds(plan);
    return count;
}

} // namespace stagecraft::run
