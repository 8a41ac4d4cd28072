// SPDX-License-Identifier: GPL-3.0-or-later
#include "implementationcatalogue.h"
#include "measuredgpu.h"
#include "measurementtext.h"
#include "publictext.h"
#include "runsession.h"
#include "workercommand.h"

#include <algorithm>

// What a run asks of its workers: prepare and check, spans, capture. What comes after the rounds is in afterrounds.cpp.
namespace stagecraft::run {

using evidence::State;

namespace {

constexpr int cancelGraceMs = 3000;
constexpr int tolerableLosses = 2;

} // namespace

void RunSession::prepare(const Continue &prepared)
{
    if (lane().closed)
        return stepDone();
    setPhase("prepare");
    m_hurry = [this] { m_workers.abortStarting(); };
    m_workers.acquire(
        workerOf(m_plan.workers, m_step.implementation),
        [this, prepared](const WorkerPool::Ready &ready) {
            if (const auto fault = implementationFault(ready.description, implementationBase(m_step.implementation),
                                                       planned().operation))
                return prepareFailed(*fault);
            if (const auto fault = m_gpu ? otherGpuFault(ready.description, *m_gpu) : std::nullopt)
                return prepareFailed(*fault);
            prepareOn(ready.process, prepared);
        },
        [this](const WorkerFault &fault) { prepareFailed(fault); });
}

void RunSession::prepareOn(WorkerProcess *worker, const Continue &prepared)
{
    protocol::PrepareParams params;
    params.operation = planned().operation.toStdString();
    params.dims.assign(planned().dims.begin(), planned().dims.end());
    params.seed = m_plan.seed;
    params.sha256 = m_inputs.sha256;
    params.directory = m_inputs.path();
    params.implementation = implementationBase(m_step.implementation).toStdString();
    if (const stagefile::Stage *named = stage()) {
        params.stage = named->name();
        params.source = named->text;
    }
    params.device = workerDevice(worker->command().worker, m_plan.device);
    if (m_plan.cache != cacheStates().first())
        params.cache = m_plan.cache.toStdString();
    if (m_plan.arithmetic != arithmeticChoices().first())
        params.arithmetic = m_plan.arithmetic.toStdString();
    hurryThrough(worker);
    worker->call<protocol::PrepareResult>(
        protocol::method::prepare, params, m_plan.measurementTimeLimitMs,
        [this, worker, prepared](const protocol::PrepareResult &result) { check(worker, result, prepared); },
        [=, this](const WorkerFault &fault) {
            // What cannot be prepared has run no kernel: the worker and what else it holds are as good as before.
            fault.lost ? prepareInterrupted(worker, fault, prepared) : refused(fault);
        });
}

void RunSession::refused(const WorkerFault &fault)
{
    if (!fault.log.isEmpty())
        emit logged(QStringLiteral("error"), fault.log);
    prepareFailed(fault);
}

void RunSession::check(WorkerProcess *worker, const protocol::PrepareResult &result, const Continue &prepared)
{
    // From here on it has arrays on the device, which a check that fails must not leak.
    lane().worker = worker;
    lane().handle = result.handle;
    lane().stage = publicText(result.stage);
    lane().arithmetic = publicText(result.arithmetic);
    if (const auto fault = preparationFault(result, stage()))
        return prepareFailed(*fault);
    if (const auto fault = wishFault(result, m_plan))
        return prepareFailed(*fault);
    if (const QString text = preparedText(result, isCold(m_plan)); !text.isEmpty())
        emit logged(QStringLiteral("info"), QStringLiteral("%1 %2.").arg(stepText(), text));
    setPhase("check");
    worker->call<protocol::CheckResult>(
        protocol::method::check, protocol::CheckParams{result.handle, firstRound()}, m_plan.measurementTimeLimitMs,
        [=, this](const protocol::CheckResult &check) { checked(result, check, prepared); },
        [=, this](const WorkerFault &fault) { prepareInterrupted(worker, fault, prepared); });
}

void RunSession::checked(const protocol::PrepareResult &result, const protocol::CheckResult &check,
                         const Continue &prepared)
{
    protocol::PrepareResult kept = result;
    kept.note = publicText(result.note).toStdString();
    record(ImplementationPrepared{m_step.operation, firstRound(), m_step.implementation, kept, check});
    for (const protocol::Launch &launch : result.launches) {
        emit logged(QStringLiteral("info"),
                    QStringLiteral("%1: %2 uses %3 registers, %4 B shared, %5 B spilled per thread.")
                        .arg(stepText(), publicText(launch.entry))
                        .arg(launch.resources.registers)
                        .arg(launch.resources.sharedBytes)
                        .arg(launch.resources.spillBytes));
    }
    if (!check.passed) {
        WorkerFault fault;
        fault.reason = checkFailureText(check);
        return prepareFailed(fault);
    }
    lane().retried = false;
    publish();
    prepared();
}

// A worker may be lost for reasons of its own, so a loss is tried once more before all rounds are given up for it; an
// endless loop would only take the time limit again.
void RunSession::prepareInterrupted(WorkerProcess *worker, const WorkerFault &fault, const Continue &prepared)
{
    lane().worker = worker;
    if (!fault.lost || fault.timedOut || m_cancelled || std::exchange(lane().retried, true)) {
        retireWorker(fault);
        return prepareFailed(fault);
    }
    emit logged(QStringLiteral("warning"),
                QStringLiteral("%1: %2. It is prepared once more, in a fresh worker.").arg(stepText(), fault.text()));
    // Queued, so that the lost worker has ended its own affairs.
    QMetaObject::invokeMethod(
        this, [this, prepared] { m_cancelled ? stepDone() : prepare(prepared); }, Qt::QueuedConnection);
}

void RunSession::prepareFailed(const WorkerFault &fault)
{
    if (m_step.kind == RunStep::Counters)
        return countersFailed(fault);
    if (!m_cancelled)
        closeLane(fault.state, fault.text(), firstRound());
    stepDone();
}

void RunSession::closeLane(State state, const QString &reason, int fromRound)
{
    lane().closed = true;
    const int toRound = lane().measured ? endOfRun() : totalRounds(m_plan);
    record(ImplementationClosed{m_step.operation, fromRound, m_step.implementation, state,
                                withoutPlaces(reason, m_plan.workers), toRound});
    emit logged(state == State::NotRun ? QStringLiteral("warning") : QStringLiteral("error"),
                QStringLiteral("%1 is %2: %3").arg(stepText(), evidence::stateName(state), reason));
    publish();
}

int RunSession::firstRound() const
{
    return m_step.round >= 0 ? m_step.round : m_step.run * m_plan.rounds;
}

int RunSession::endOfRun() const
{
    return (m_step.run + 1) * m_plan.rounds;
}

const stagefile::Stage *RunSession::stage() const
{
    return plannedStage(m_plan, planned().operation, m_step.implementation);
}

void RunSession::withHandle(const Continue &ready)
{
    if (lane().closed)
        return stepDone();
    if (lane().worker && lane().worker->isUsable())
        return ready();
    emit logged(QStringLiteral("info"), QStringLiteral("%1 is prepared again in a fresh worker.").arg(stepText()));
    prepare(ready);
}

void RunSession::measureSpans()
{
    withHandle([this] {
        setPhase("spans");
        m_samples.clear();
        m_takingSamples = true;
        hurryThrough(lane().worker);
        lane().worker->call<protocol::MeasureResult>(
            protocol::method::measure,
            protocol::MeasureParams{lane().handle, m_step.round, m_plan.warmup, m_plan.iterations},
            m_plan.measurementTimeLimitMs, [this](const protocol::MeasureResult &result) { spansEnded(result); },
            [this](const WorkerFault &fault) { spansFailed(fault); });
    });
}

void RunSession::takeSamples(WorkerProcess *from, const protocol::SamplesNote &note)
{
    const auto count = static_cast<qsizetype>(note.us.size());
    if (!m_takingSamples || from != lane().worker || note.handle != lane().handle || note.first != m_samples.size() ||
        count > m_plan.iterations - m_samples.size()) {
        from->fail(QStringLiteral("the worker broke the protocol and was ended: it sent samples %1 to %2, which nobody "
                                  "asked for")
                       .arg(note.first)
                       .arg(note.first + count - 1),
                   QStringLiteral("use a worker and a program of the same version"));
        return;
    }
    const QList<double> us(note.us.begin(), note.us.end());
    m_samples += us;
    emit samplesArrived({planned().operation, m_step.implementation, m_step.round, note.first, us});
}

void RunSession::spansEnded(const protocol::MeasureResult &result)
{
    m_takingSamples = false;
    const auto count = m_samples.size();
    if (result.count != count) {
        recordSpans(State::Failed,
                    QStringLiteral("the worker says it took %1 samples, %2 arrived").arg(result.count).arg(count));
    } else if (const auto zero = m_samples.indexOf(0.0); zero >= 0) {
        recordSpans(State::Invalid, QStringLiteral("sample %1 is 0 µs: the clock did not advance").arg(zero + 1));
    } else if (count == m_plan.iterations) {
        recordSpans(State::Ok, {});
    } else if (m_cancelled) {
        recordSpans(State::NotRun,
                    QStringLiteral("cancelled after %1 of %2 samples").arg(count).arg(m_plan.iterations));
    } else {
        recordSpans(State::Failed, QStringLiteral("the worker ended after %1 of %2 samples without being asked to")
                                       .arg(count)
                                       .arg(m_plan.iterations));
    }
}

void RunSession::spansFailed(const WorkerFault &fault)
{
    m_takingSamples = false;
    if (m_cancelled) {
        return recordSpans(
            State::NotRun,
            QStringLiteral("cancelled after %1 of %2 samples").arg(m_samples.size()).arg(m_plan.iterations));
    }
    retireWorker(fault);
    recordSpans(fault.state, fault.text());
}

void RunSession::recordSpans(State state, const QString &reason)
{
    if (state != State::Ok) {
        lane().failedSpansRound = m_step.round;
        emit logged(QStringLiteral("error"),
                    QStringLiteral("%1, round %2, spans: %3").arg(stepText()).arg(m_step.round + 1).arg(reason));
    }
    lane().measuredInRun = lane().measuredInRun || state == State::Ok;
    lane().measured = lane().measured || lane().measuredInRun;
    record(SpansMeasured{m_step.operation, m_step.round, m_step.implementation, m_samples, state, reason});
    publish();
    stepDone();
}

void RunSession::captureKernels()
{
    if (lane().failedSpansRound == m_step.round)
        return recordCapture({}, State::NotRun, QStringLiteral("the spans of this round were not completed"));
    if (lane().closed)
        return stepDone();
    const auto *description = m_workers.description(workerOf(m_plan.workers, m_step.implementation));
    if (!description->capture.available) {
        const WorkerFault fault = captureFault(description->capture);
        return recordCapture({}, fault.state, fault.text());
    }
    withHandle([this] {
        setPhase("capture");
        hurryThrough(lane().worker);
        lane().worker->call<protocol::CaptureResult>(
            protocol::method::capture,
            protocol::CaptureParams{lane().handle, m_step.round, m_plan.warmup, m_plan.captureIterations},
            m_plan.measurementTimeLimitMs, [this](const protocol::CaptureResult &result) { captureEnded(result); },
            [this](const WorkerFault &fault) { captureFailed(fault); });
    });
}

void RunSession::captureEnded(protocol::CaptureResult result)
{
    if (result.cancelled) {
        return recordCapture({}, m_cancelled ? State::NotRun : State::Failed,
                             m_cancelled ? QStringLiteral("cancelled during the capture")
                                         : QStringLiteral("the worker ended the capture without being asked to"));
    }
    // In the order of the iterations, for readers that know of no iteration per record.
    std::ranges::stable_sort(result.records, {}, &protocol::KernelRecord::iteration);
    const QString problem = captureProblem(result, m_plan.captureIterations);
    recordCapture(result, problem.isEmpty() ? State::Ok : State::Invalid, problem);
}

void RunSession::captureFailed(const WorkerFault &fault)
{
    if (m_cancelled)
        return recordCapture({}, State::NotRun, QStringLiteral("cancelled during the capture"));
    retireWorker(fault);
    recordCapture({}, fault.state, fault.text());
}

void RunSession::recordCapture(const protocol::CaptureResult &result, State state, const QString &reason)
{
    if (state == State::Failed || state == State::Invalid) {
        emit logged(QStringLiteral("error"),
                    QStringLiteral("%1, round %2, kernel time: %3").arg(stepText()).arg(m_step.round + 1).arg(reason));
    }
    record(KernelsCaptured{m_step.operation, m_step.round, m_step.implementation, result, state, reason});
    publish();
    stepDone();
}

// After a failed kernel the context that it ran in is of no more use; after a loss there is no worker. Either way the
// rest goes on in a fresh one, unless this implementation has cost too many.
void RunSession::retireWorker(const WorkerFault &fault)
{
    if (lane().worker && !fault.lost && fault.state == State::Failed)
        lane().worker->end();
    if (!fault.lost || ++lane().losses < tolerableLosses || m_step.round < 0)
        return;
    const int next = m_step.round + 1;
    if (next < endOfRun())
        closeLane(State::NotRun, QStringLiteral("not run: it cost %1 workers in earlier rounds").arg(lane().losses),
                  next);
}

void RunSession::hurryThrough(WorkerProcess *worker)
{
    m_hurry = [worker = QPointer(worker)] {
        if (!worker)
            return;
        worker->notify(protocol::method::cancel);
        QTimer::singleShot(cancelGraceMs, worker, [worker] {
            if (worker->isBusy())
                worker->fail(QStringLiteral("the worker did not stop within %1 s").arg(cancelGraceMs / 1000), {});
        });
    };
}

} // namespace stagecraft::run
