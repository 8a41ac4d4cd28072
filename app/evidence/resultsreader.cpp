// SPDX-License-Identifier: GPL-3.0-or-later
#include "filereaders.h"

namespace stagecraft::evidence {

namespace {

std::optional<Correctness> readCorrectness(const JsonNode &node)
{
    if (!node.exists() || !node.requireObject())
        return std::nullopt;
    Correctness correctness;
    const std::optional<bool> passed = node.flag("passed");
    if (!passed && !node.member("passed").exists())
        node.contradiction("passed", QStringLiteral("A correctness check must say whether it passed."));
    correctness.passed = passed.value_or(false);
    correctness.maxAbsError = node.amount("max_abs_error");
    correctness.relError = node.amount("rel_error");
    correctness.rtol = node.amount("rtol");
    correctness.atol = node.amount("atol");
    correctness.checkedElements = node.count("checked_elements");
    correctness.reference = node.text("reference");
    return correctness;
}

Measurement readMeasurement(const JsonNode &node)
{
    Measurement measurement;
    if (!node.requireObject()) {
        measurement.state = State::Invalid;
        measurement.reason = QStringLiteral("the file has no measurement here");
        return measurement;
    }
    const RecordedState recorded = readState(node);
    measurement.state = recorded.state;
    measurement.reason = recorded.reason;
    measurement.samplesUs = node.amounts("samples_us");
    measurement.eventMeanUs = node.amount("event_mean_us");
    measurement.eventMedianUs = node.amount("event_median_us");
    measurement.warmup = node.smallCount("warmup");
    measurement.iterations = node.smallCount("iterations");
    measurement.correctness = readCorrectness(node.member("correctness"));
    measurement.stage = node.text("stage");
    measurement.arithmetic = node.text("arithmetic");
    measurement.source = node.text("source");
    measurement.note = node.text("note");
    return measurement;
}

Round readRound(const JsonNode &node)
{
    Round round;
    if (!node.requireObject())
        return round;
    round.index = node.smallCount("index").value_or(0);
    round.run = node.smallCount("run");
    round.order = node.texts("order");
    round.gpuState = node.text("gpu_state");
    node.eachMember("implementations", [&round](const QString &id, const JsonNode &measurement) {
        round.implementations.insert(id, readMeasurement(measurement));
    });
    return round;
}

void readInputHashes(const JsonNode &hashes, OperationResult &result)
{
    if (!hashes.exists() || !hashes.requireObject())
        return;
    const JsonNode seed = hashes.member("seed");
    if (seed.exists() && seed.value()->is_number_unsigned())
        result.seed = seed.value()->get<quint64>();
    else if (seed.exists())
        seed.contradiction(QStringLiteral("A seed is a whole number from 0 to 18446744073709551615."));
    result.inputSha256 = hashes.textMap("sha256");
}

OperationResult readResult(const JsonNode &node)
{
    OperationResult result;
    if (!node.requireObject())
        return result;
    result.operation = node.requiredText("op");
    result.dims = readDims(node);
    result.cache = node.text("cache");
    readInputHashes(node.member("input_hashes"), result);
    node.eachElement("rounds", [&result](const JsonNode &round) { result.rounds.append(readRound(round)); });
    return result;
}

void readProvenance(const JsonNode &root, Namespace &evidence)
{
    readText(root, "experiment_id", evidence.experimentId);
    readText(root, "utc", evidence.utc);
    readText(root, "gpu", evidence.gpu);
    readText(root, "driver", evidence.driver);
    readText(root, "cuda", evidence.cuda);
    readText(root, "platform", evidence.platform);
    readText(root, "precision", evidence.precision);
    readText(root, "timing", evidence.timing);
    readText(root, "gpu_state_before", evidence.gpuStateBefore);
    readText(root, "gpu_state_after", evidence.gpuStateAfter);
    evidence.excluded = root.texts("excluded");
    evidence.sourceSha256 = root.textMap("source_sha256");
    evidence.roundsDeclared = root.smallCount("rounds");
    evidence.runs = root.smallCount("runs");
    evidence.roundsPerRun = root.smallCount("rounds_per_run");
    evidence.iterationsPerRound = root.smallCount("iterations_per_round");
    evidence.warmupPerRound = root.smallCount("warmup_per_round");
}

} // namespace

void readResults(const JsonNode &root, Namespace &evidence)
{
    if (!root.requireObject())
        return;
    if (!root.member("results").isArray()) {
        root.contradiction("results",
                           QStringLiteral("There is no list of results: this is no comparison-results file."));
        return;
    }
    readProvenance(root, evidence);
    root.eachElement("results", [&evidence](const JsonNode &result) { evidence.results.append(readResult(result)); });
    checkResults(root, evidence);
}

} // namespace stagecraft::evidence
