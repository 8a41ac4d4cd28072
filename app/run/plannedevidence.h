// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"
#include "runplan.h"

// What the evidence of a run holds before it is measured: an entry for everything that the plan names, pending.
namespace stagecraft::run {

// `round`, `index`: from 0 through all runs.
evidence::Capture plannedCapture(const RunPlan &plan, const PlannedOperation &planned, int round,
                                 const QString &implementation);
evidence::CounterCapture plannedCounters(const RunPlan &plan, const PlannedOperation &planned,
                                         const QString &implementation);
evidence::Round plannedRound(const RunPlan &plan, const PlannedOperation &planned, int index);

// Whether the run has yet to come to it: NotRun for no reason of its own.
bool isPending(const evidence::Measurement &measurement);
bool isPending(const evidence::Capture &capture);
bool isPending(const evidence::CounterCapture &capture);

} // namespace stagecraft::run
