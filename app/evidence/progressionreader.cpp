// SPDX-License-Identifier: GPL-3.0-or-later
#include "filereaders.h"

#include "statistics.h"

#include <cmath>

namespace stagecraft::evidence {

namespace {

ProgressionStage readStage(const JsonNode &node)
{
    ProgressionStage stage;
    if (!node.requireObject())
        return stage;
    stage.id = node.requiredText("id");
    stage.label = node.text("label");
    stage.title = node.text("title");
    stage.change = node.text("change");
    stage.kernelUs = node.amount("kernel_us");
    stage.spanUs = node.amount("span_us");
    stage.retainedIn = node.texts("retained_in");
    stage.origin = node.text("origin");
    if (const JsonNode resources = node.member("resources"); resources.exists() && resources.requireObject())
        stage.resources = *resources.value();
    return stage;
}

ProgressionStep readStep(const JsonNode &node)
{
    ProgressionStep step;
    if (!node.requireObject())
        return step;
    step.title = node.requiredText("title");
    step.metric = node.requiredText("metric");
    step.value = node.requiredAmount("value").value_or(0);
    return step;
}

void readRange(const JsonNode &node, ProgressionAttempt &attempt)
{
    const QList<double> range = node.amounts("range");
    if (range.size() != 2 || range[0] > range[1]) {
        node.contradiction("range", QStringLiteral("A range is two numbers, the smaller one first."));
        return;
    }
    attempt.low = range[0];
    attempt.high = range[1];
}

ProgressionAttempt readAttempt(const JsonNode &node)
{
    ProgressionAttempt attempt;
    if (!node.requireObject())
        return attempt;
    attempt.title = node.requiredText("title");
    attempt.metric = node.requiredText("metric");
    if (node.member("range").exists())
        readRange(node, attempt);
    else
        attempt.low = attempt.high = node.requiredAmount("value").value_or(0);
    attempt.comparedWith = node.text("compared_with");
    attempt.valueOfThat = node.amount("value_of_that");
    attempt.evidence = node.text("evidence");
    attempt.verdict = node.text("verdict");
    return attempt;
}

ProgressionExperiment readExperiment(const JsonNode &node)
{
    ProgressionExperiment experiment;
    if (!node.requireObject())
        return experiment;
    experiment.title = node.text("title");
    if (const JsonNode counts = node.member("counts"); counts.exists())
        experiment.counts = *counts.value();
    experiment.predicted = node.requiredAmount("predicted").value_or(0);
    experiment.measured = node.requiredAmount("measured").value_or(0);
    return experiment;
}

ProgressionAb readAb(const JsonNode &node)
{
    ProgressionAb ab;
    if (!node.requireObject())
        return ab;
    ab.title = node.text("title");
    ab.metric = node.text("metric");
    ab.runs = node.amounts("runs");
    ab.mean = node.requiredAmount("mean").value_or(0);
    // Written by hand to two decimals.
    const double computed = mean(ab.runs);
    if (std::isfinite(computed) && std::abs(computed - ab.mean) > 0.005 + 1e-9)
        node.contradiction("mean", QStringLiteral("%1 is recorded, the runs give %2.").arg(ab.mean).arg(computed));
    return ab;
}

OperationProgression readOperation(const JsonNode &node)
{
    OperationProgression operation;
    if (!node.requireObject())
        return operation;
    operation.operation = node.requiredText("op");
    node.eachElement("stages", [&](const JsonNode &stage) { operation.stages.append(readStage(stage)); });
    node.eachElement("steps", [&](const JsonNode &step) { operation.steps.append(readStep(step)); });
    node.eachElement("attempts", [&](const JsonNode &attempt) { operation.attempts.append(readAttempt(attempt)); });
    node.eachElement("experiments",
                     [&](const JsonNode &experiment) { operation.experiments.append(readExperiment(experiment)); });
    node.eachElement("ab", [&](const JsonNode &ab) { operation.ab.append(readAb(ab)); });
    return operation;
}

} // namespace

void readProgression(const JsonNode &root, Namespace &evidence)
{
    if (!root.requireObject())
        return;
    if (!root.member("operations").isArray()) {
        root.contradiction("operations",
                           QStringLiteral("There is no list of operations: this is no progression file."));
        return;
    }
    Progression progression;
    root.eachElement("operations",
                     [&](const JsonNode &operation) { progression.operations.append(readOperation(operation)); });
    if (const JsonNode device = root.member("device"); device.exists() && device.requireObject()) {
        progression.deviceSms = device.smallCount("sms");
        progression.deviceMaxThreadsPerSm = device.smallCount("max_threads_per_sm");
    }
    progression.limits = root.texts("limits");
    evidence.progression = progression;
}

} // namespace stagecraft::evidence
