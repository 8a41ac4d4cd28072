// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagefindings.h"

#include "launchresources.h"
#include "measurementtext.h"
#include "publictext.h"
#include "verdict.h"

#include <algorithm>
#include <cmath>
#include <QSet>

namespace stagecraft::run {

using evidence::Estimate;
using evidence::State;
using evidence::Value;

namespace {

// A difference that a field note would still call "time follows the count".
constexpr double followsWithin = 0.1;

const QString kernelTime = QStringLiteral("kernel time"), span = QStringLiteral("span");

struct Metric
{
    QString name;
    Value evidence::ValueRow::*value;
};
const Metric kernelMetric{kernelTime, &evidence::ValueRow::kernel}, spanMetric{span, &evidence::ValueRow::span};

const Estimate *result(const StageFinding &finding, const Metric &metric)
{
    const Value &value = finding.row.*metric.value;
    return value.state == State::Ok && value.estimate ? &*value.estimate : nullptr;
}

// Kernel time where both have it, since spans can include gaps of the host.
const Metric *commonMetric(const StageFinding &a, const StageFinding &b)
{
    for (const Metric *metric : {&kernelMetric, &spanMetric}) {
        if (result(a, *metric) && result(b, *metric))
            return metric;
    }
    return nullptr;
}

const StageFinding *findStage(const QList<StageFinding> &findings, const std::string &id)
{
    const auto found = std::ranges::find(findings, QString::fromStdString(id), &StageFinding::id);
    return found == findings.end() ? nullptr : &*found;
}

// The one that it came from or was compared with; nullptr where there is none, or none in this run.
const StageFinding *predecessor(const QList<StageFinding> &findings, const StageFinding &finding)
{
    return finding.stage && !finding.stage->after.empty() ? findStage(findings, finding.stage->after) : nullptr;
}

bool sameArithmetic(const StageFinding &a, const StageFinding &b)
{
    return a.row.arithmetic.isEmpty() || b.row.arithmetic.isEmpty() || a.row.arithmetic == b.row.arithmetic;
}

QString titleOf(const StageFinding &finding)
{
    return finding.stage ? publicText(finding.stage->title) : finding.id;
}

evidence::LaunchResources launchOf(const protocol::Launch &launch)
{
    evidence::LaunchResources resources;
    resources.entry = publicText(launch.entry);
    resources.grid = extentsText(launch.grid);
    resources.block = extentsText(launch.block);
    resources.blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
    resources.threadsPerBlock = launch.block[0] * launch.block[1] * launch.block[2];
    resources.registersPerThread = launch.resources.registers;
    resources.barriers = launch.resources.barriers;
    resources.sharedMemBytes = launch.resources.sharedBytes;
    resources.localBytes = launch.resources.localBytes;
    resources.spillBytes = launch.resources.spillBytes;
    if (launch.residentThreadsPerSm > 0) // not even one block would be a launch that fails
        resources.residentThreadsPerSm = launch.residentThreadsPerSm;
    return resources;
}

nlohmann::json resourcesOf(const StageFinding &finding)
{
    QList<evidence::LaunchResources> launches;
    for (const protocol::Launch &launch : finding.prepared.launches)
        launches.append(launchOf(launch));
    nlohmann::json resources = evidence::launchResourcesJson(launches);
    if (finding.stage) {
        for (const auto &[name, count] : finding.stage->counts)
            resources["counts"][publicText(name).toStdString()] = count;
    }
    return resources.empty() ? nlohmann::json() : resources;
}

// Where there is a span but no kernel time, why.
void setKernelState(const StageFinding &finding, auto &entry)
{
    if (finding.row.span.state != State::Ok || finding.row.kernel.state == State::Ok)
        return;
    entry.kernelState = finding.row.kernel.state;
    entry.kernelReason = finding.row.kernel.reason;
}

evidence::ProgressionStage stageEntry(const RunFacts &run, const StageFinding &finding)
{
    evidence::ProgressionStage entry;
    entry.id = finding.id;
    entry.title = titleOf(finding);
    if (finding.stage) {
        entry.label = publicText(finding.stage->label);
        entry.change = publicText(finding.stage->change);
        entry.arithmetic = publicText(finding.stage->arithmetic);
        entry.sourceSha256 = QString::fromStdString(finding.stage->sha256);
    } else {
        entry.arithmetic = publicText(finding.row.arithmetic);
        entry.sourceSha256 = QString::fromStdString(finding.prepared.sourceSha256);
    }
    if (const Estimate *estimate = result(finding, kernelMetric))
        entry.kernelUs = estimate->mean;
    if (const Estimate *estimate = result(finding, spanMetric))
        entry.spanUs = estimate->mean;
    entry.retainedIn = {run.name};
    entry.origin = run.name;
    entry.resources = resourcesOf(finding);
    if (finding.row.span.state != State::Ok) {
        entry.state = finding.row.span.state;
        entry.reason = finding.row.span.reason;
    }
    setKernelState(finding, entry);
    return entry;
}

void setValue(const RunFacts &run, const Estimate &estimate, evidence::ProgressionAttempt &entry)
{
    entry.low = entry.high = estimate.mean;
    const QList<double> means = run.runs > 1 ? evidence::runMeans(estimate, run.rounds).values() : QList<double>();
    if (means.size() > 1) {
        const auto [low, high] = std::ranges::minmax(means);
        entry.low = low;
        entry.high = high;
    }
}

void setComparison(const RunFacts &run, const StageFinding &finding, const StageFinding *other,
                   evidence::ProgressionAttempt &entry)
{
    const QString otherId = QString::fromStdString(finding.stage->after);
    entry.comparedWith = other ? QStringLiteral("%1, same run").arg(titleOf(*other)) : otherId;
    entry.comparedWithStage = otherId.isEmpty() ? QString() : run.operation + QLatin1Char('/') + otherId;
    if (entry.state != State::Ok)
        return;
    const Metric &metric = entry.metric == kernelTime ? kernelMetric : spanMetric;
    const Estimate *others = other ? result(*other, metric) : nullptr;
    if (!others) {
        entry.verdict = QStringLiteral("undecided: %1 has no %2 in this run").arg(entry.comparedWithStage, metric.name);
    } else if (!sameArithmetic(finding, *other)) {
        entry.verdict = QStringLiteral("undecided: other arithmetic, %1 against %2")
                            .arg(publicText(finding.row.arithmetic), publicText(other->row.arithmetic));
    } else {
        entry.valueOfThat = others->mean;
        const evidence::Verdict verdict = evidence::compareRows(finding.row, other->row, metric.value);
        entry.verdict = verdict.text;
        if (!verdict.nextStep.isEmpty())
            entry.verdict += QStringLiteral("; next: ") + verdict.nextStep;
    }
}

evidence::ProgressionAttempt attemptEntry(const RunFacts &run, const QList<StageFinding> &findings,
                                          const StageFinding &finding)
{
    evidence::ProgressionAttempt entry;
    entry.id = finding.id;
    entry.title = titleOf(finding);
    entry.change = publicText(finding.stage->change);
    entry.arithmetic = publicText(finding.stage->arithmetic);
    entry.evidence = run.name;
    entry.resources = resourcesOf(finding);
    const StageFinding *other = predecessor(findings, finding);
    const Metric *metric = other ? commonMetric(finding, *other) : nullptr;
    if (!metric)
        metric = result(finding, kernelMetric) || (!result(finding, spanMetric) && run.capture) ? &kernelMetric
                                                                                                : &spanMetric;
    entry.metric = metric->name;
    if (const Estimate *estimate = result(finding, *metric)) {
        setValue(run, *estimate, entry);
    } else {
        entry.state = finding.row.span.state == State::Ok ? State::Unavailable : finding.row.span.state;
        entry.reason = finding.row.span.reason;
    }
    setKernelState(finding, entry);
    setComparison(run, finding, other, entry);
    return entry;
}

QString percent(double share)
{
    return QStringLiteral("%1 %").arg(100 * share, 0, 'f', 1);
}

// A prediction that is no further from 1 than what would pass for agreement, or for noise, could not fail; nor could
// times that are not told apart confirm one.
QString conclusionOf(double predicted, double measured, const evidence::Verdict &verdict)
{
    const QString undecided = QStringLiteral("Not decided whether time follows the count: ");
    if (verdict.kind == evidence::Verdict::Undecided)
        return undecided + verdict.text;
    const double least = std::max(followsWithin, verdict.resolution.value_or(0));
    if (std::abs(predicted - 1) <= least)
        return undecided +
               QStringLiteral("the predicted ratio is %1 from 1, within the %2 that pass for agreement or noise.")
                   .arg(percent(std::abs(predicted - 1)), percent(least));
    const double ratio = measured / predicted;
    if (std::abs(ratio - 1) <= followsWithin)
        return QStringLiteral("Time follows the count: the measured ratio is %1 from the predicted one.")
            .arg(percent(std::abs(ratio - 1)));
    return QStringLiteral("The count alone does not explain the time: the measured ratio is %1 times the predicted "
                          "one.")
        .arg(ratio, 0, 'f', 2);
}

// What a thread owns ("outputs per thread") and what a block holds ("shared bytes") are sizes that a stage chooses, and
// barriers are waits: none is work that takes time in proportion.
bool isWork(const std::string &count)
{
    return !count.ends_with(" per thread") && !count.ends_with(" bytes") && !count.starts_with("barriers");
}

// Whether time follows what can be counted, for each thing of which this stage does more or less than the other.
void appendExperiments(const StageFinding &finding, const StageFinding &other, evidence::OperationProgression &entry)
{
    const Metric *metric = commonMetric(finding, other);
    if (!metric || !other.stage || !sameArithmetic(finding, other))
        return;
    const double own = result(finding, *metric)->mean, others = result(other, *metric)->mean;
    const evidence::Verdict verdict = evidence::compareRows(finding.row, other.row, metric->value);
    for (const auto &[name, count] : finding.stage->counts) {
        const auto found = other.stage->counts.find(name);
        if (!isWork(name) || found == other.stage->counts.end() ||
            !(count > 0 && found->second > 0 && own > 0 && others > 0) || count == found->second)
            continue;
        const QString what = publicText(name);
        evidence::ProgressionExperiment experiment;
        experiment.title = QStringLiteral("%1 against %2: does time follow the %3?").arg(finding.id, other.id, what);
        experiment.counts = {{what.toStdString(), {{finding.stage->id, count}, {other.stage->id, found->second}}}};
        experiment.predicted = count / found->second;
        experiment.measured = own / others;
        experiment.metric = metric->name;
        experiment.values = {{finding.stage->id, own}, {other.stage->id, others}};
        experiment.conclusion = conclusionOf(experiment.predicted, experiment.measured, verdict);
        entry.experiments.append(experiment);
    }
}

void appendAb(const RunFacts &run, const StageFinding &finding, evidence::OperationProgression &entry)
{
    for (const Metric *metric : {&spanMetric, &kernelMetric}) {
        const Estimate *estimate = result(finding, *metric);
        if (!estimate)
            continue;
        const QMap<int, double> means = evidence::runMeans(*estimate, run.rounds);
        evidence::ProgressionAb ab;
        ab.title = titleOf(finding);
        ab.metric = metric->name;
        ab.runs = means.values();
        for (const int number : means.keys())
            ab.runNumbers.append(number + 1);
        ab.mean = evidence::mean(ab.runs);
        ab.stage = run.operation + QLatin1Char('/') + finding.id;
        entry.ab.append(ab);
    }
}

} // namespace

void sortFindings(QList<StageFinding> &findings)
{
    QList<StageFinding> waiting = findings, sorted;
    // Each pass takes those whose predecessor is there already; what names itself in a circle comes as it was.
    while (!waiting.isEmpty()) {
        const auto isReady = [&](const StageFinding &finding) { return !predecessor(waiting, finding); };
        const auto next = std::ranges::find_if(waiting, isReady);
        const auto chosen = next == waiting.end() ? waiting.begin() : next;
        sorted.append(*chosen);
        waiting.erase(chosen);
    }
    std::stable_partition(sorted.begin(), sorted.end(),
                          [](const StageFinding &finding) { return !finding.isAttempt(); });
    findings = sorted;
}

evidence::OperationProgression progressionOf(const RunFacts &run, const QList<StageFinding> &findings)
{
    evidence::OperationProgression entry;
    entry.operation = run.operation;
    for (const StageFinding &finding : findings) {
        if (finding.isAttempt())
            entry.attempts.append(attemptEntry(run, findings, finding));
        else
            entry.stages.append(stageEntry(run, finding));
        if (const StageFinding *other = predecessor(findings, finding))
            appendExperiments(finding, *other, entry);
        if (run.runs > 1)
            appendAb(run, finding, entry);
    }
    return entry;
}

} // namespace stagecraft::run
