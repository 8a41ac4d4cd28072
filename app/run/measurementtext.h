// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"
#include "runplan.h"
#include "workerfault.h"

// Sentences of a run's states.
namespace stagecraft::run {

// What was wrong in a check: how many elements, the first one, what was expected there.
QString checkFailureText(const protocol::CheckResult &check);

// Why the records cannot be kernel times though the worker sent them; empty where they can.
QString captureProblem(const protocol::CaptureResult &result, int requestedIterations);

// Why what the worker counted cannot be kept though it sent it; empty where it can.
QString countersProblem(const protocol::CountersResult &result);

// What was counted: "42 metrics of 1 kernel in 18 passes, 2 metrics lacking".
QString countersText(const protocol::CountersResult &result);

// As evidence files hold a grid or a block: "x,y,z".
QString extentsText(const std::array<std::int64_t, 3> &extents);

// Why what the worker prepared is not what was asked for: of a stage that is asked for by name (nullptr: of none),
// other source text would be measured under its name. nullopt if it is right.
std::optional<WorkerFault> preparationFault(const protocol::PrepareResult &result, const stagefile::Stage *stage);

// Why what the worker prepared is not of the cache state or the arithmetic that the plan asks for: a worker of another
// version does not know these wishes, and its times would be recorded as what they are not. nullopt if it is right.
std::optional<WorkerFault> wishFault(const protocol::PrepareResult &result, const RunPlan &plan);

// What was prepared, for the log: "runs matmul/k64, arithmetic 3xtf32", with the worker's note where `withNote`; empty
// where there is nothing to tell: no stage, FP32, no note.
QString preparedText(const protocol::PrepareResult &result, bool withNote);

// Why this worker cannot run the implementation of the operation, from what it said of itself; nullopt if it can.
std::optional<WorkerFault> implementationFault(const protocol::DescribeResult &description,
                                               const QString &implementation, const QString &operation);

// Why the worker has no kernel records; of a capture that is not available.
WorkerFault captureFault(const protocol::CaptureSupport &capture);

} // namespace stagecraft::run
