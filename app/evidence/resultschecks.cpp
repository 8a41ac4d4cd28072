// SPDX-License-Identifier: GPL-3.0-or-later
#include "filereaders.h"
#include "statistics.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::evidence {

namespace {

// A recorded mean is recomputed from the same samples: only the order of summation may differ.
bool agrees(double recorded, double computed)
{
    return std::abs(recorded - computed) <= 1e-9 * std::max(std::abs(recorded), std::abs(computed));
}

QString number(double value)
{
    return QString::number(value, 'g', 10);
}

void checkRecorded(const JsonNode &node, const char *key, std::optional<double> recorded, double computed)
{
    if (recorded && std::isfinite(computed) && !agrees(*recorded, computed))
        node.contradiction(
            key, QStringLiteral("%1 is recorded, the samples give %2.").arg(number(*recorded), number(computed)));
}

void checkDeclared(const JsonNode &node, const char *key, std::optional<int> own, std::optional<int> declared)
{
    if (own && declared && *own != *declared)
        node.contradiction(
            key, QStringLiteral("%1 is recorded where the file declares %2 per round.").arg(*own).arg(*declared));
}

// Samples of one implementation over all rounds, as the file has them and as it declares them.
struct SampleCount
{
    qint64 found = 0, declared = 0;
};

void checkSampleCount(const JsonNode &node, std::optional<int> iterations, const SampleCount &total)
{
    const auto found = static_cast<qint64>(node.member("samples_us").size());
    if (!iterations || found == *iterations)
        return;
    node.contradiction("samples_us",
                       QStringLiteral("%1 samples where %2 iterations are declared (%3 of %4 in all rounds).")
                           .arg(found)
                           .arg(*iterations)
                           .arg(total.found)
                           .arg(total.declared));
}

void checkMeasurement(const JsonNode &node, const Namespace &evidence, Measurement &measurement,
                      const SampleCount &total)
{
    const std::optional<int> iterations = measurement.iterations ? measurement.iterations : evidence.iterationsPerRound;
    if (measurement.state == State::Ok || measurement.state == State::Throttled) {
        checkSampleCount(node, iterations, total);
        checkDeclared(node, "iterations", measurement.iterations, evidence.iterationsPerRound);
        checkDeclared(node, "warmup", measurement.warmup, evidence.warmupPerRound);
    }
    checkRecorded(node, "event_mean_us", measurement.eventMeanUs, mean(measurement.samplesUs));
    checkRecorded(node, "event_median_us", measurement.eventMedianUs, median(measurement.samplesUs));
    const bool counts = measurement.state == State::Ok || measurement.state == State::Throttled;
    if (!counts || !measurement.correctness || measurement.correctness->passed)
        return;
    const JsonNode correctness = node.member("correctness");
    if (correctness.member("passed").exists())
        correctness.contradiction("passed", QStringLiteral("The correctness check did not pass, yet the state is %1; "
                                                           "such times are no results.")
                                                .arg(stateName(measurement.state)));
    measurement.state = State::Failed;
    measurement.reason = QStringLiteral("the correctness check did not pass");
}

QMap<QString, SampleCount> countSamples(const JsonNode &rounds, const Namespace &evidence,
                                        const OperationResult &result)
{
    QMap<QString, SampleCount> counts;
    for (qsizetype r = 0; r < result.rounds.size(); ++r) {
        const auto &implementations = result.rounds[r].implementations;
        for (auto it = implementations.begin(); it != implementations.end(); ++it) {
            const JsonNode samples = rounds.element(static_cast<std::size_t>(r))
                                         .member("implementations")
                                         .member(it.key().toUtf8().constData())
                                         .member("samples_us");
            SampleCount &count = counts[it.key()];
            count.found += samples.isArray() ? static_cast<qint64>(samples.size()) : 0;
            count.declared += it->iterations.value_or(evidence.iterationsPerRound.value_or(0));
        }
    }
    return counts;
}

void checkResult(const JsonNode &node, const Namespace &evidence, OperationResult &result)
{
    const JsonNode rounds = node.member("rounds");
    if (!rounds.exists())
        rounds.contradiction(QStringLiteral("There is no list of rounds."));
    else if (evidence.roundsDeclared && rounds.isArray() && result.rounds.size() != *evidence.roundsDeclared &&
             !rounds.log().stoppedInside(rounds.pointer())) // else the missing ones are lost, not left out
        rounds.contradiction(QStringLiteral("The file declares %1 rounds, the list has %2.")
                                 .arg(*evidence.roundsDeclared)
                                 .arg(result.rounds.size()));
    const QMap<QString, SampleCount> counts = countSamples(rounds, evidence, result);
    for (qsizetype r = 0; r < result.rounds.size(); ++r) {
        const JsonNode implementations = rounds.element(static_cast<std::size_t>(r)).member("implementations");
        if (!implementations.exists())
            implementations.contradiction(QStringLiteral("The round names no implementations."));
        for (auto it = result.rounds[r].implementations.begin(); it != result.rounds[r].implementations.end(); ++it) {
            const JsonNode measurement = implementations.member(it.key().toUtf8().constData());
            if (measurement.isObject())
                checkMeasurement(measurement, evidence, *it, counts.value(it.key()));
        }
    }
}

} // namespace

void checkResults(const JsonNode &root, Namespace &evidence)
{
    const JsonNode results = root.member("results");
    for (qsizetype i = 0; i < evidence.results.size(); ++i) {
        const JsonNode result = results.element(static_cast<std::size_t>(i));
        if (result.isObject())
            checkResult(result, evidence, evidence.results[i]);
    }
}

} // namespace stagecraft::evidence
