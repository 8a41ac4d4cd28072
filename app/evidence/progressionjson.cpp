// SPDX-License-Identifier: GPL-3.0-or-later
#include "documents.h"

#include "filereaders.h"

namespace stagecraft::evidence {

namespace {

using nlohmann::json;

json stageJson(const ProgressionStage &stage)
{
    return {{"id", stage.id.toStdString()},
            {"label", textJson(stage.label)},
            {"title", textJson(stage.title)},
            {"change", textJson(stage.change)},
            {"kernel_us", optionalJson(stage.kernelUs)},
            {"span_us", optionalJson(stage.spanUs)},
            {"retained_in", textsJson(stage.retainedIn)},
            {"origin", textJson(stage.origin)},
            {"resources", stage.resources}};
}

json stepJson(const ProgressionStep &step)
{
    return {{"title", step.title.toStdString()}, {"metric", step.metric.toStdString()}, {"value", step.value}};
}

json attemptJson(const ProgressionAttempt &attempt)
{
    const bool isRange = attempt.low != attempt.high;
    return {{"title", attempt.title.toStdString()},
            {"metric", attempt.metric.toStdString()},
            {"value", isRange ? json(nullptr) : json(attempt.low)},
            {"range", isRange ? json({attempt.low, attempt.high}) : json(nullptr)},
            {"compared_with", textJson(attempt.comparedWith)},
            {"value_of_that", optionalJson(attempt.valueOfThat)},
            {"evidence", textJson(attempt.evidence)},
            {"verdict", textJson(attempt.verdict)}};
}

json experimentJson(const ProgressionExperiment &experiment)
{
    return {{"title", textJson(experiment.title)},
            {"counts", experiment.counts},
            {"predicted", experiment.predicted},
            {"measured", experiment.measured}};
}

json abJson(const ProgressionAb &ab)
{
    return {{"title", textJson(ab.title)},
            {"metric", textJson(ab.metric)},
            {"runs", std::vector<double>(ab.runs.begin(), ab.runs.end())},
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
             {{"sms", optionalJson(progression.deviceSms)},
              {"max_threads_per_sm", optionalJson(progression.deviceMaxThreadsPerSm)}}},
            {"limits", textsJson(progression.limits)}};
}

} // namespace stagecraft::evidence
