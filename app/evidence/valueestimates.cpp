// SPDX-License-Identifier: GPL-3.0-or-later
#include "valueparts.h"

#include <QHash>

#include <algorithm>

namespace stagecraft::evidence {

namespace {

// The heaviest state of several rounds, and its reason.
struct Standing
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

void merge(Standing &standing, State state, const QString &reason)
{
    if (weight(state) > weight(standing.state) || (state == standing.state && standing.reason.isEmpty()))
        standing = {state, reason};
}

bool counts(State state)
{
    return state == State::Ok || state == State::Throttled;
}

// The states of a value's rounds. A round without a sound measurement costs that round only; what it was stands for the
// whole where no round is sound. Rounds not run yet are neither.
struct RoundStates
{
    Standing all, sound, lost;
    int rounds = 0, lostRounds = 0;

    void add(State state, const QString &reason)
    {
        ++rounds;
        merge(all, state, reason);
        if (counts(state)) {
            merge(sound, state, reason);
        } else if (state != State::NotRun) {
            merge(lost, state, reason);
            ++lostRounds;
        }
    }
};

void setRange(Estimate &estimate)
{
    if (estimate.roundMeans.isEmpty())
        return;
    const auto [low, high] = std::minmax_element(estimate.roundMeans.begin(), estimate.roundMeans.end());
    estimate.low = *low;
    estimate.high = *high;
}

Value valueOf(const RoundStates &states, Estimate estimate, const QString &source)
{
    if (estimate.roundMeans.isEmpty()) {
        if (counts(states.all.state))
            return {std::nullopt, State::Invalid, QStringLiteral("the file holds no usable value"), source};
        return {std::nullopt, states.all.state, states.all.reason, source};
    }
    QStringList reasons;
    if (states.lostRounds > 0)
        reasons.append(QStringLiteral("%1 of %2 rounds: %3")
                           .arg(estimate.roundMeans.size())
                           .arg(states.rounds)
                           .arg(states.lost.reason.isEmpty() ? stateName(states.lost.state) : states.lost.reason));
    if (!states.sound.reason.isEmpty())
        reasons.append(states.sound.reason);
    estimate.lostRounds = states.lostRounds;
    return {estimate, states.sound.state, reasons.join(QStringLiteral("; ")), source};
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
    estimate.roundMedians.append(median(times));
    if (capture.round)
        estimate.roundIndices.append(*capture.round);
    iterations.append(times);
    estimate.samples += count;
    sum += captured;
}

} // namespace

Value spanValue(const RowParts &parts)
{
    RoundStates states;
    Estimate estimate;
    QList<double> samples;
    QString source;
    for (const RowParts::Span &span : parts.spans) {
        const Measurement &measurement = *span.measurement;
        states.add(measurement.state, measurement.reason);
        if (source.isEmpty())
            source = measurement.source;
        if (!counts(measurement.state) || measurement.samplesUs.isEmpty())
            continue;
        samples.append(measurement.samplesUs);
        estimate.roundMeans.append(mean(measurement.samplesUs));
        estimate.roundMedians.append(median(measurement.samplesUs));
        estimate.roundIndices.append(span.round);
    }
    estimate.samples = samples.size();
    if (!samples.isEmpty()) {
        estimate.mean = mean(samples);
        estimate.median = median(samples);
    }
    setRange(estimate);
    // mage's files say no source: their spans are CUDA events by their format.
    return valueOf(states, estimate, source.isEmpty() ? QStringLiteral("event") : source);
}

QList<int> launchesByIteration(const Capture &capture)
{
    QList<int> launches(qMax(0, capture.requestedIterations), 0);
    for (const KernelRecord &record : capture.records) {
        if (!record.iteration || *record.iteration < 0 || *record.iteration >= launches.size())
            return {};
        ++launches[*record.iteration];
    }
    return launches;
}

QList<double> iterationTimes(const Capture &capture)
{
    if (capture.requestedIterations <= 0 || capture.records.isEmpty() || !recordsUsable(capture))
        return {};
    if (capture.invalidRecords == 0 && !launchesByIteration(capture).isEmpty()) {
        QList<double> named(capture.requestedIterations, 0.0);
        for (const KernelRecord &record : capture.records)
            named[*record.iteration] += record.durationUs;
        return named;
    }
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
    RoundStates states;
    Estimate estimate;
    QList<double> iterations;
    QString source;
    double sum = 0;
    for (const Capture *capture : parts.captures) {
        const bool lost = counts(capture->state) && !recordsUsable(*capture);
        states.add(lost ? State::Invalid : capture->state, lost ? lostRecords(*capture) : capture->reason);
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
    return valueOf(states, estimate, source);
}

Value launchesValue(const RowParts &parts)
{
    RoundStates states;
    Estimate estimate;
    QString source;
    double launches = 0;
    for (const Capture *capture : parts.captures) {
        states.add(capture->state, capture->reason);
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
    return valueOf(states, estimate, source);
}

QList<KernelCount> kernelCounts(const RowParts &parts)
{
    QList<KernelCount> kernels;
    QHash<QString, qsizetype> places;
    qint64 iterations = 0;
    bool complete = true;
    for (const Capture *capture : parts.captures) {
        if (!counts(capture->state) || capture->requestedIterations <= 0)
            continue;
        iterations += capture->requestedIterations;
        complete = complete && capture->invalidRecords == 0;
        for (const KernelRecord &record : capture->records) {
            const auto place = places.find(record.kernelName);
            if (place != places.end()) {
                *kernels[*place].perIteration += 1;
                continue;
            }
            places.insert(record.kernelName, kernels.size());
            kernels.append({record.kernelName, 1.0});
        }
    }
    for (KernelCount &kernel : kernels)
        kernel.perIteration =
            complete ? std::optional(*kernel.perIteration / static_cast<double>(iterations)) : std::nullopt;
    return kernels;
}

} // namespace stagecraft::evidence
