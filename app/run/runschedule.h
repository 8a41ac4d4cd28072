// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runplan.h"

namespace stagecraft::run {

// One thing that a run does, after the other.
struct RunStep
{
    enum Kind
    {
        EndWorkers, // between two runs
        FindGpu,    // asks a worker that measures nothing which GPU is there, for those that cannot say
        StartWorker,
        StateBefore,
        Inputs,
        Prepare,
        Spans,
        Capture,
        StateAfterRound,
        Recheck,
        Release,
        Floors, // asks the cuda worker, once, after the rounds of the last run
        StateAfter,
        Counters // of one implementation, after everything that is timed
    };
    Kind kind = StartWorker;
    int operation = -1;           // index into the plan's operations; −1 for the steps around them
    int round = -1;               // from 0, through all runs; −1 outside of rounds
    QString implementation;       // of Prepare, Spans, Capture, Recheck and Counters
    QString worker;               // of FindGpu and StartWorker
    bool endsMeasurement = false; // the last step of one implementation in one round
    int run = 0;                  // from 0

    bool operator==(const RunStep &) const = default;
};

// Everything a run of this plan does, in order: the GPU where only external programs would use it, the workers it
// needs, then per operation inputs, every implementation prepared and checked, the rounds with rotating order, spans
// then capture in each, and every implementation checked again; all of it once per run, in fresh workers. At the end
// floors and hardware counters, where the plan wants them.
QList<RunStep> runSchedule(const RunPlan &plan);

// operations × their implementations × rounds × runs.
int measurementCount(const RunPlan &plan);

} // namespace stagecraft::run
