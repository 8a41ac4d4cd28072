// SPDX-License-Identifier: GPL-3.0-or-later
#include "documents.h"

#include "filereaders.h"

namespace stagecraft::evidence {

namespace {

using nlohmann::json;

json stageJson(const ProgressionStage &stage)
{
    json object = {{"id", stage.id.toStdString()},
                   {"label", textJson(stage.label)},
                   {"title", textJson(stage.title)},
                   {"change", textJson(stage.change)},
                   {"kernel_us", optionalJson(stage.kernelUs)},
                   {"span_us", optionalJson(stage.spanUs)},
                   {"retained_in", textsJson(stage.retainedIn)},
                   {"origin", textJson(stage.origin)},
                   {"resources", stage.resources},
                   {"arithmetic", textJson(stage.arithmetic)},
                   {"source_sha256", textJson(stage.sourceSha256)}};
    setState(object, stage.state, stage.reason);
    setState(object, stage.kernelState, stage.kernelReason, "kernel_state", "kernel_reason");
    return object;
}

json stepJson(const ProgressionStep &step)
{
    return {{"title", step.title.toStdString()}, {"metric", step.metric.toStdString()}, {"value", step.value}};
}

json attemptJson(const ProgressionAttempt &attempt)
{
    const bool hasValue = attempt.state == State::Ok || attempt.state == State::Throttled;
    const bool isRange = hasValue && attempt.low != attempt.high;
    json object = {{"id", textJson(attempt.id)},
                   {"title", attempt.title.toStdString()},
                   {"change", textJson(attempt.change)},
                   {"metric", attempt.metric.toStdString()},
                   {"value", hasValue && !isRange ? json(attempt.low) : json(nullptr)},
                   {"range", isRange ? json({attempt.low, attempt.high}) : json(nullptr)},
                   {"compared_with", textJson(attempt.comparedWith)},
                   {"compared_with_stage", textJson(attempt.comparedWithStage)},
                   {"value_of_that", optionalJson(attempt.valueOfThat)},
                   {"evidence", textJson(attempt.evidence)},
                   {"verdict", textJson(attempt.verdict)},
                   {"arithmetic", textJson(attempt.arithmetic)},
                   {"resources", attempt.resources}};
    setState(object, attempt.state, attempt.reason);
    setState(object, attempt.kernelState, attempt.kernelReason, "kernel_state", "kernel_reason");
    return object;
}

json experimentJson(const ProgressionExperiment &experiment)
{
    return {{"title", textJson(experiment.title)},
            {"counts", experiment.counts},
            {"predicted", experiment.predicted},
            {"measured", experiment.measured},
            {"metric", textJson(experiment.metric)},
            {"values", experiment.values},
            {"conclusion", textJson(experiment.conclusion)}};
}

// Runs are numbered from 0 in files.
json runNumbersJson(const QList<int> &numbers)
{
    json list = json::array();
    for (const int number : numbers)
        list.push_back(number - 1);
    return list.empty() ? json(nullptr) : list;
}

json abJson(const ProgressionAb &ab)
{
    return {{"title", textJson(ab.title)},
            {"stage", textJson(ab.stage)},
            {"metric", textJson(ab.metric)},
            {"runs", std::vector<double>(ab.runs.begin(), ab.runs.end())},
            {"run_numbers", runNumbersJson(ab.runNumbers)},
            {"mean", ab.mean}};
}

// Null for an empty list: what an operation does not have is left out.
template <typename Value>
json listJson(const QList<Value> &values, json (*convert)(const Value &))
{
    json list = json::array();
    for (const Value &value : values)
        list.push_back(convert(value));
    return list.empty() ? json(nullptr) : list;
}

json operationJson(const OperationProgression &operation)
{
    return {{"op", operation.operation.toStdString()},
            {"dims", dimsJson(operation.dims)},
            {"cache", textJson(operation.cache)},
            {"stages", listJson(operation.stages, stageJson)},
            {"steps", listJson(operation.steps, stepJson)},
            {"attempts", listJson(operation.attempts, attemptJson)},
            {"experiments", listJson(operation.experiments, experimentJson)},
            {"ab", listJson(operation.ab, abJson)}};
}

} // namespace

json progressionJson(const Namespace &evidence)
{
    const Progression &progression = *evidence.progression;
    json operations = json::array();
    for (const OperationProgression &operation : progression.operations)
        operations.push_back(operationJson(operation));
    return {{"format", formatNumber},
            {"operations", operations},
            {"device",
             {{"name", textJson(progression.deviceName)},
              {"compute_capability", textJson(progression.deviceComputeCapability)},
              {"sms", optionalJson(progression.deviceSms)},
              {"max_threads_per_sm", optionalJson(progression.deviceMaxThreadsPerSm)}}},
            {"limits", textsJson(progression.limits)}};
}

} // namespace stagecraft::evidence
