// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"
#include "messages.h"
#include "runplan.h"

#include <limits>
#include <variant>

// What can happen in a run, as values. The runner records each as it happens; the evidence is what follows from them
// in order, whether they come from the runner or, after a crash, from the journal.
namespace stagecraft::run {

struct RunStarted
{
    RunPlan
        plan; // without its output directory and, but for the names of external programs, its workers: where, not what
    QString name, utc;
};

struct WorkerDescribed
{
    protocol::DescribeResult description;
};

struct InputsMade
{
    int operation = 0; // index into the plan's operations, here and below
    std::map<std::string, std::string> sha256;
};

// Prepared and checked, from this round to the end of its run. A check that failed is recorded too;
// ImplementationClosed follows it.
struct ImplementationPrepared
{
    int operation = 0, fromRound = 0;
    QString implementation;
    protocol::PrepareResult result;
    protocol::CheckResult check;
};

// What of it is not measured yet from this round on, up to but without `toRound`, will not be. Rounds are numbered
// through all runs, here and below.
struct ImplementationClosed
{
    int operation = 0, fromRound = 0;
    QString implementation;
    evidence::State state = evidence::State::Failed;
    QString reason;
    int toRound = std::numeric_limits<int>::max();
};

// Checked once more after its last round of a run, and wrong: what was measured from this round on, up to but without
// `toRound`, are no results.
struct ResultChanged
{
    int operation = 0, fromRound = 0, toRound = 0;
    QString implementation;
    std::optional<protocol::CheckResult> check; // absent where the check itself failed
    QString reason;
};

// Checked once more after its last round of a run: right, or, with a reason, not checked, through no fault of its own.
struct CheckedAgain
{
    int operation = 0, fromRound = 0, toRound = 0; // as above
    QString implementation;
    QString reason;
};

struct SpansMeasured
{
    int operation = 0, round = 0;
    QString implementation;
    QList<double> samplesUs; // with a state other than Ok: those that came before it
    evidence::State state = evidence::State::Ok;
    QString reason;
};

struct KernelsCaptured
{
    int operation = 0, round = 0;
    QString implementation;
    protocol::CaptureResult result; // with a state other than Ok: what there is of it
    evidence::State state = evidence::State::Ok;
    QString reason;
};

struct GpuStateRead
{
    enum When
    {
        Before,
        AfterRound,
        After
    };
    When when = Before;
    int operation = 0, round = 0; // with AfterRound
    QString text;
};

// What no implementation of the run can beat on its GPU.
struct FloorsMeasured
{
    protocol::FloorsResult result;
};

// Of one call of an implementation, after all rounds.
struct CountersTaken
{
    int operation = 0;
    QString implementation, stage = {}, arithmetic = {};
    protocol::CountersResult result = {}; // with a state other than Ok: nothing
    evidence::State state = evidence::State::Ok;
    QString reason = {};
};

struct RunEnded
{
    bool cancelled = false;
};

using RunEvent =
    std::variant<RunStarted, WorkerDescribed, InputsMade, ImplementationPrepared, ImplementationClosed, ResultChanged,
                 CheckedAgain, SpansMeasured, KernelsCaptured, GpuStateRead, FloorsMeasured, CountersTaken, RunEnded>;

// A worker's description as a run may keep it: without the libraries' paths, texts through publicText().
protocol::DescribeResult publicDescription(protocol::DescribeResult description);

nlohmann::json eventToJson(const RunEvent &event);

// Throws an exception derived from std::exception, whose what() says why, where it is no event.
RunEvent eventFromJson(const nlohmann::json &json);

} // namespace stagecraft::run
