// SPDX-License-Identifier: GPL-3.0-or-later
#include "documents.h"

#include "filereaders.h"

namespace stagecraft::evidence {

namespace {

using nlohmann::json;

json correctnessJson(const std::optional<Correctness> &correctness)
{
    if (!correctness)
        return nullptr;
    return {{"passed", correctness->passed},
            {"max_abs_error", optionalJson(correctness->maxAbsError)},
            {"rel_error", optionalJson(correctness->relError)},
            {"rtol", optionalJson(correctness->rtol)},
            {"atol", optionalJson(correctness->atol)},
            {"checked_elements", optionalJson(correctness->checkedElements)},
            {"reference", textJson(correctness->reference)}};
}

json measurementJson(const Measurement &measurement)
{
    json object = {{"samples_us", std::vector<double>(measurement.samplesUs.begin(), measurement.samplesUs.end())},
                   {"event_mean_us", optionalJson(measurement.eventMeanUs)},
                   {"event_median_us", optionalJson(measurement.eventMedianUs)},
                   {"warmup", optionalJson(measurement.warmup)},
                   {"iterations", optionalJson(measurement.iterations)},
                   {"correctness", correctnessJson(measurement.correctness)},
                   {"stage", textJson(measurement.stage)},
                   {"arithmetic", textJson(measurement.arithmetic)},
                   {"source", textJson(measurement.source)},
                   {"note", textJson(measurement.note)}};
    setState(object, measurement.state, measurement.reason);
    return object;
}

json roundJson(const Round &round)
{
    json implementations = json::object();
    for (auto it = round.implementations.begin(); it != round.implementations.end(); ++it)
        implementations[it.key().toStdString()] = measurementJson(it.value());
    return {{"index", round.index},
            {"run", optionalJson(round.run)},
            {"order", textsJson(round.order)},
            {"gpu_state", textJson(round.gpuState)},
            {"implementations", implementations}};
}

json resultJson(const OperationResult &result)
{
    json rounds = json::array();
    for (const Round &round : result.rounds)
        rounds.push_back(roundJson(round));
    json hashes = nullptr;
    if (result.seed || !result.inputSha256.isEmpty())
        hashes = {{"seed", optionalJson(result.seed)}, {"sha256", textMapJson(result.inputSha256)}};
    return {{"op", result.operation.toStdString()},
            {"dims", dimsJson(result.dims)},
            {"cache", textJson(result.cache)},
            {"input_hashes", hashes},
            {"rounds", rounds}};
}

} // namespace

json resultsJson(const Namespace &evidence)
{
    json results = json::array();
    for (const OperationResult &result : evidence.results)
        results.push_back(resultJson(result));
    return {{"format", formatNumber},
            {"experiment_id", textJson(evidence.experimentId)},
            {"utc", textJson(evidence.utc)},
            {"gpu", textJson(evidence.gpu)},
            {"driver", textJson(evidence.driver)},
            {"cuda", textJson(evidence.cuda)},
            {"platform", textJson(evidence.platform)},
            {"precision", textJson(evidence.precision)},
            {"timing", textJson(evidence.timing)},
            {"excluded", textsJson(evidence.excluded)},
            {"rounds", optionalJson(evidence.roundsDeclared)},
            {"runs", optionalJson(evidence.runs)},
            {"rounds_per_run", optionalJson(evidence.roundsPerRun)},
            {"iterations_per_round", optionalJson(evidence.iterationsPerRound)},
            {"warmup_per_round", optionalJson(evidence.warmupPerRound)},
            {"source_sha256", textMapJson(evidence.sourceSha256)},
            {"gpu_state_before", textJson(evidence.gpuStateBefore)},
            {"gpu_state_after", textJson(evidence.gpuStateAfter)},
            {"results", results}};
}

} // namespace stagecraft::evidence
