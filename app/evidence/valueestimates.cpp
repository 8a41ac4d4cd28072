// SPDX-License-Identifier: GPL-3.0-or-later
#include "valueparts.h"

#include <algorithm>

namespace stagecraft::evidence {

namespace {

// The state of a value over its rounds. A failure in any round stands for the whole, since a wrong or dying
// implementation has no result; rounds not run yet only count while nothing else is there.
struct Verdict
{
    State state = State::NotRun;
    QString reason;
};

int weight(State state)
{
    switch (state) {
    case State::Failed:
        return 6;
    case State::Invalid:
        return 5;
    case State::Unavailable:
        return 4;
    case State::Undecided:
        return 3;
    case State::Throttled:
        return 2;
    case State::Ok:
        return 1;
    case State::NotRun:
        return 0;
    }
    return 5;
}

void merge(Verdict &verdict, State state, const QString &reason)
{
    if (weight(state) > weight(verdict.state) || (state == verdict.state && verdict.reason.isEmpty()))
        verdict = {state, reason};
}

bool counts(State state)
{
    return state == State::Ok || state == State::Throttled;
}

void setRange(Estimate &estimate)
{
    if (estimate.roundMeans.isEmpty())
        return;
    const auto [low, high] = std::minmax_element(estimate.roundMeans.begin(), estimate.roundMeans.end());
    estimate.low = *low;
    estimate.high = *high;
}

Value valueOf(const Verdict &verdict, const Estimate &estimate, const QString &source)
{
    Value value{std::nullopt, verdict.state, verdict.reason, source};
    if (!estimate.roundMeans.isEmpty())
        value.estimate = estimate;
    else if (counts(verdict.state))
        value = {std::nullopt, State::Invalid, QStringLiteral("the file holds no usable value"), source};
    return value;
}

QString lostRecords(const Capture &capture)
{
    return QStringLiteral("%1 of %2 kernel records had no usable time")
        .arg(capture.invalidRecords)
        .arg(capture.records.size() + capture.invalidRecords);
}

// With one kernel per iteration the sound records are the sound iterations; with more, a lost record makes its
// iteration's sum too small and cannot be told from the others.
bool recordsUsable(const Capture &capture)
{
    return !capture.records.isEmpty() && capture.requestedIterations > 0 &&
           (capture.invalidRecords == 0 || capture.launches == capture.requestedIterations);
}

void addCapture(const Capture &capture, Estimate &estimate, QList<double> &iterations, double &sum)
{
    double captured = 0;
    for (const KernelRecord &record : capture.records)
        captured += record.durationUs;
    const qint64 count = capture.invalidRecords == 0 ? capture.requestedIterations : capture.records.size();
    const QList<double> times = iterationTimes(capture);
    estimate.roundMeans.append(captured / static_cast<double>(count));
    if (!times.isEmpty())
        estimate.roundMedians.append(median(times));
    iterations.append(times);
    estimate.samples += count;
    sum += captured;
}

} // namespace

Value spanValue(const RowParts &parts)
{
    Verdict verdict;
    Estimate estimate;
    QList<double> samples;
    QString source;
    for (const RowParts::Span &span : parts.spans) {
        const Measurement &measurement = *span.measurement;
        merge(verdict, measurement.state, measurement.reason);
        if (source.isEmpty())
            source = measurement.source;
        if (!counts(measurement.state) || measurement.samplesUs.isEmpty())
            continue;
        samples.append(measurement.samplesUs);
        estimate.roundMeans.append(mean(measurement.samplesUs));
        estimate.roundMedians.append(median(measurement.samplesUs));
    }
    estimate.samples = samples.size();
    if (!samples.isEmpty()) {
        estimate.mean = mean(samples);
        estimate.median = median(samples);
    }
    setRange(estimate);
    // mage's files say no source: their spans are CUDA events by their format.
    return valueOf(verdict, estimate, source.isEmpty() ? QStringLiteral("event") : source);
}

QList<double> iterationTimes(const Capture &capture)
{
    if (capture.requestedIterations <= 0 || capture.records.isEmpty() || !recordsUsable(capture))
        return {};
    const qsizetype iterations = capture.invalidRecords == 0 ? capture.requestedIterations : capture.records.size();
    if (capture.records.size() % iterations != 0)
        return {};
    const qsizetype perIteration = capture.records.size() / iterations;
    QList<double> times(iterations, 0.0);
    for (qsizetype i = 0; i < capture.records.size(); ++i)
        times[i / perIteration] += capture.records[i].durationUs;
    return times;
}

Value kernelValue(const RowParts &parts)
{
    Verdict verdict;
    Estimate estimate;
    QList<double> iterations;
    QString source;
    double sum = 0;
    for (const Capture *capture : parts.captures) {
        const bool lost = counts(capture->state) && !recordsUsable(*capture);
        merge(verdict, lost ? State::Invalid : capture->state, lost ? lostRecords(*capture) : capture->reason);
        if (source.isEmpty())
            source = capture->backend;
        if (counts(capture->state) && !lost)
            addCapture(*capture, estimate, iterations, sum);
    }
    if (estimate.samples > 0)
        estimate.mean = sum / static_cast<double>(estimate.samples);
    if (!iterations.isEmpty() && iterations.size() == estimate.samples)
        estimate.median = median(iterations);
    setRange(estimate);
    return valueOf(verdict, estimate, source);
}

Value launchesValue(const RowParts &parts)
{
    Verdict verdict;
    Estimate estimate;
    QString source;
    double launches = 0;
    for (const Capture *capture : parts.captures) {
        merge(verdict, capture->state, capture->reason);
        if (source.isEmpty())
            source = capture->backend;
        if (!counts(capture->state) || capture->requestedIterations <= 0 || capture->launches <= 0)
            continue;
        launches += capture->launches;
        estimate.samples += capture->requestedIterations;
        estimate.roundMeans.append(static_cast<double>(capture->launches) / capture->requestedIterations);
    }
    if (estimate.samples > 0)
        estimate.mean = launches / static_cast<double>(estimate.samples);
    setRange(estimate);
    return valueOf(verdict, estimate, source);
}

} // namespace stagecraft::evidence
