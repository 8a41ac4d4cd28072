// SPDX-License-Identifier: GPL-3.0-or-later
#include "plannedevidence.h"

namespace stagecraft::run {

using evidence::Capture;
using evidence::Measurement;
using evidence::State;

namespace {

const QString notYet = QStringLiteral("not measured yet");

} // namespace

Capture plannedCapture(const RunPlan &plan, const PlannedOperation &planned, int round, const QString &implementation)
{
    Capture capture;
    capture.operation = planned.operation;
    capture.language = implementation;
    capture.dims = planned.dims;
    capture.cache = plan.cache;
    capture.round = round;
    capture.requestedIterations = plan.captureIterations;
    capture.state = State::NotRun;
    capture.reason = plan.capture ? notYet : QStringLiteral("kernel capture was switched off for this run");
    return capture;
}

evidence::CounterCapture plannedCounters(const RunPlan &plan, const PlannedOperation &planned,
                                         const QString &implementation)
{
    evidence::CounterCapture counters;
    counters.operation = planned.operation;
    counters.language = implementation;
    counters.dims = planned.dims;
    counters.cache = plan.cache;
    counters.reason = countersUnavailable(plan, implementation);
    counters.state = counters.reason.isEmpty() ? State::NotRun : State::Unavailable;
    if (counters.reason.isEmpty())
        counters.reason = notYet;
    return counters;
}

evidence::Round plannedRound(const RunPlan &plan, const PlannedOperation &planned, int index)
{
    evidence::Round round;
    round.index = index;
    if (plan.runs > 1)
        round.run = index / plan.rounds;
    round.order = roundOrder(planned.implementations, index);
    for (const QString &implementation : planned.implementations) {
        Measurement measurement;
        measurement.state = State::NotRun;
        measurement.reason = notYet;
        round.implementations.insert(implementation, measurement);
    }
    return round;
}

bool isPending(const Measurement &measurement)
{
    return measurement.state == State::NotRun && measurement.reason == notYet;
}

bool isPending(const Capture &capture)
{
    return capture.state == State::NotRun && capture.reason == notYet;
}

bool isPending(const evidence::CounterCapture &capture)
{
    return capture.state == State::NotRun && capture.reason == notYet;
}

} // namespace stagecraft::run
