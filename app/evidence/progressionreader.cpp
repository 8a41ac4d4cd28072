// SPDX-License-Identifier: GPL-3.0-or-later
#include "filereaders.h"

#include "progressionchecks.h"

#include <limits>

namespace stagecraft::evidence {

namespace {

// As launchresources.h reads them; what has the wrong type or sign is named, and stays as it is in the model.
void checkLaunch(const JsonNode &node)
{
    if (!node.requireObject())
        return;
    for (const char *key : {"entry", "grid", "block"})
        node.text(key);
    for (const char *key : {"blocks", "threads_per_block", "registers_per_thread", "shared_mem_bytes", "local_bytes",
                            "spill_bytes", "barriers", "resident_threads_per_sm"})
        node.count(key);
}

nlohmann::json readResources(const JsonNode &resources)
{
    if (!resources.exists() || !resources.requireObject())
        return {};
    checkLaunch(resources);
    resources.eachElement("launches", checkLaunch);
    resources.eachMember("counts", [](const QString &, const JsonNode &count) { count.asAmount(); });
    return *resources.value();
}

void readKernelState(const JsonNode &node, auto &entry)
{
    if (node.log().stoppedInside(node.pointer()))
        return; // its state says so
    const RecordedState recorded = readState(node, "kernel_state", "kernel_reason");
    entry.kernelState = recorded.state;
    entry.kernelReason = recorded.reason;
    checkKernelState(node, recorded.state);
}

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
    stage.resources = readResources(node.member("resources"));
    stage.arithmetic = node.text("arithmetic");
    stage.sourceSha256 = node.text("source_sha256");
    const RecordedState recorded = readState(node);
    stage.state = recorded.state;
    stage.reason = recorded.reason;
    readKernelState(node, stage);
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
    const RecordedState recorded = readState(node);
    attempt.state = recorded.state;
    attempt.reason = recorded.reason;
    readKernelState(node, attempt);
    if (node.member("range").exists())
        readRange(node, attempt);
    else if (attempt.state == State::Ok || node.member("value").exists())
        attempt.low = attempt.high = node.requiredAmount("value").value_or(0);
    attempt.id = node.text("id");
    attempt.change = node.text("change");
    attempt.resources = readResources(node.member("resources"));
    attempt.comparedWith = node.text("compared_with");
    attempt.comparedWithStage = node.text("compared_with_stage");
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
    experiment.metric = node.text("metric");
    node.eachMember("values", [](const QString &, const JsonNode &value) { value.asAmount(); });
    if (const JsonNode values = node.member("values"); values.isObject())
        experiment.values = *values.value();
    experiment.conclusion = node.text("conclusion");
    checkExperiment(node, experiment);
    return experiment;
}

ProgressionAb readAb(const JsonNode &node)
{
    ProgressionAb ab;
    if (!node.requireObject())
        return ab;
    ab.title = node.text("title");
    ab.metric = node.text("metric");
    ab.stage = node.text("stage");
    ab.runs = node.amounts("runs");
    ab.mean = node.requiredAmount("mean").value_or(0);
    node.eachElement("run_numbers", [&](const JsonNode &number) {
        const auto run = number.asCount();
        if (run && *run < std::numeric_limits<int>::max())
            ab.runNumbers.append(static_cast<int>(*run) + 1);
    });
    checkAb(node, ab);
    return ab;
}

OperationProgression readOperation(const JsonNode &node)
{
    OperationProgression operation;
    if (!node.requireObject())
        return operation;
    operation.operation = node.requiredText("op");
    operation.dims = readDims(node);
    operation.cache = node.text("cache");
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
        progression.deviceName = device.text("name");
        progression.deviceComputeCapability = device.text("compute_capability");
        progression.deviceSms = device.smallCount("sms");
        progression.deviceMaxThreadsPerSm = device.smallCount("max_threads_per_sm");
    }
    progression.limits = root.texts("limits");
    evidence.progression = progression;
}

} // namespace stagecraft::evidence
