// SPDX-License-Identifier: GPL-3.0-or-later
#include "filereaders.h"

#include "declarationchecks.h"
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

const QString noObject = QStringLiteral("the entry is no object");

bool isMeasured(State state)
{
    return state == State::Ok || state == State::Throttled;
}

QString joinedReasons(QStringList reasons)
{
    reasons.removeAll(QString());
    return reasons.join(QStringLiteral("; "));
}

// The time, or why what stands there is none; neither where nothing stands there.
std::optional<double> readTime(const JsonNode &node, const char *key, QString &reason)
{
    if (!node.member(key).exists())
        return std::nullopt;
    const std::optional<double> us = requiredTime(node, key);
    if (!us)
        reason = QStringLiteral("%1 is no time above 0").arg(QLatin1String(key));
    return us;
}

// What stands for a time and is none becomes a state: of the whole stage where no other time is left of it.
void noteUnsoundTimes(ProgressionStage &stage, const QString &kernelReason, const QString &spanReason)
{
    const QString both = joinedReasons({kernelReason, spanReason});
    if (both.isEmpty() || !isMeasured(stage.state))
        return;
    if (!stage.kernelUs && !stage.spanUs) {
        stage.state = State::Invalid;
        stage.reason = joinedReasons({both, stage.reason});
        return;
    }
    stage.reason = joinedReasons({spanReason, stage.reason});
    if (kernelReason.isEmpty() || stage.kernelState != State::Ok)
        return;
    stage.kernelState = State::Invalid;
    stage.kernelReason = kernelReason;
}

ProgressionStage readStage(const JsonNode &node)
{
    ProgressionStage stage;
    if (!node.requireObject()) {
        stage.state = State::Invalid;
        stage.reason = noObject;
        return stage;
    }
    QString kernelReason, spanReason;
    stage.id = node.requiredText("id");
    stage.label = node.text("label");
    stage.title = node.text("title");
    stage.change = node.text("change");
    stage.kernelUs = readTime(node, "kernel_us", kernelReason);
    stage.spanUs = readTime(node, "span_us", spanReason);
    stage.retainedIn = node.texts("retained_in");
    stage.origin = node.text("origin");
    stage.resources = readResources(node.member("resources"));
    stage.arithmetic = node.text("arithmetic");
    stage.sourceSha256 = node.text("source_sha256");
    const RecordedState recorded = readState(node);
    stage.state = recorded.state;
    stage.reason = recorded.reason;
    readKernelState(node, stage);
    noteUnsoundTimes(stage, kernelReason, spanReason);
    return stage;
}

// Nothing where its number is missing or is none: there is no state to say so with.
std::optional<ProgressionStep> readStep(const JsonNode &node)
{
    ProgressionStep step;
    if (!node.requireObject())
        return std::nullopt;
    step.title = node.requiredText("title");
    step.metric = node.requiredText("metric");
    const std::optional<double> value = requiredTime(node, "value");
    step.value = value.value_or(0);
    return value ? std::optional(step) : std::nullopt;
}

// Whether it is one.
bool readRange(const JsonNode &node, ProgressionAttempt &attempt)
{
    const QList<double> range = node.amounts("range");
    if (range.size() != 2 || range[0] > range[1] || !(range[0] > 0)) {
        node.contradiction("range", QStringLiteral("A range is two numbers above 0, the smaller one first."));
        return false;
    }
    attempt.low = range[0];
    attempt.high = range[1];
    return true;
}

bool readValue(const JsonNode &node, ProgressionAttempt &attempt)
{
    if (node.member("range").exists())
        return readRange(node, attempt);
    if (attempt.state != State::Ok && !node.member("value").exists())
        return false;
    const std::optional<double> value = requiredTime(node, "value");
    attempt.low = attempt.high = value.value_or(0);
    return value.has_value();
}

ProgressionAttempt readAttempt(const JsonNode &node)
{
    ProgressionAttempt attempt;
    if (!node.requireObject()) {
        attempt.state = State::Invalid;
        attempt.reason = noObject;
        return attempt;
    }
    attempt.title = node.requiredText("title");
    attempt.metric = node.requiredText("metric");
    const RecordedState recorded = readState(node);
    attempt.state = recorded.state;
    attempt.reason = recorded.reason;
    readKernelState(node, attempt);
    if (!readValue(node, attempt) && isMeasured(attempt.state)) {
        attempt.state = State::Invalid;
        attempt.reason = joinedReasons({QStringLiteral("its value is missing, or is no time above 0"), attempt.reason});
    }
    attempt.id = node.text("id");
    attempt.change = node.text("change");
    attempt.arithmetic = node.text("arithmetic");
    attempt.resources = readResources(node.member("resources"));
    attempt.comparedWith = node.text("compared_with");
    attempt.comparedWithStage = node.text("compared_with_stage");
    attempt.valueOfThat = node.amount("value_of_that");
    attempt.evidence = node.text("evidence");
    attempt.verdict = node.text("verdict");
    return attempt;
}

std::optional<ProgressionExperiment> readExperiment(const JsonNode &node)
{
    ProgressionExperiment experiment;
    if (!node.requireObject())
        return std::nullopt;
    experiment.title = node.text("title");
    if (const JsonNode counts = node.member("counts"); counts.exists())
        experiment.counts = *counts.value();
    const std::optional<double> predicted = node.requiredAmount("predicted");
    const std::optional<double> measured = node.requiredAmount("measured");
    experiment.metric = node.text("metric");
    node.eachMember("values", [](const QString &, const JsonNode &value) { value.asAmount(); });
    if (const JsonNode values = node.member("values"); values.isObject())
        experiment.values = *values.value();
    experiment.conclusion = node.text("conclusion");
    if (!predicted || !measured)
        return std::nullopt;
    experiment.predicted = *predicted;
    experiment.measured = *measured;
    checkExperiment(node, experiment);
    return experiment;
}

std::optional<ProgressionAb> readAb(const JsonNode &node)
{
    ProgressionAb ab;
    if (!node.requireObject())
        return std::nullopt;
    ab.title = node.text("title");
    ab.metric = node.text("metric");
    ab.stage = node.text("stage");
    ab.runs = node.amounts("runs");
    const std::optional<double> mean = requiredTime(node, "mean");
    node.eachElement("run_numbers", [&](const JsonNode &number) {
        const auto run = number.asCount();
        if (run && *run < std::numeric_limits<int>::max())
            ab.runNumbers.append(static_cast<int>(*run) + 1);
    });
    if (!mean)
        return std::nullopt;
    ab.mean = *mean;
    checkAb(node, ab);
    return ab;
}

// The elements that have the numbers they are about; the others are named in the log.
template <typename Entry>
QList<Entry> readSound(const JsonNode &node, const char *key, std::optional<Entry> (*read)(const JsonNode &))
{
    QList<Entry> entries;
    node.eachElement(key, [&](const JsonNode &element) {
        if (const std::optional<Entry> entry = read(element))
            entries.append(*entry);
    });
    return entries;
}

OperationProgression readOperation(const JsonNode &node)
{
    OperationProgression operation;
    if (!node.requireObject())
        return operation;
    operation.operation = node.requiredText("op");
    operation.dims = readDims(node);
    operation.cache = node.text("cache");
    checkWord(node.member("cache"), "warm", "cold");
    node.eachElement("stages", [&](const JsonNode &stage) { operation.stages.append(readStage(stage)); });
    operation.steps = readSound(node, "steps", readStep);
    node.eachElement("attempts", [&](const JsonNode &attempt) { operation.attempts.append(readAttempt(attempt)); });
    operation.experiments = readSound(node, "experiments", readExperiment);
    operation.ab = readSound(node, "ab", readAb);
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
