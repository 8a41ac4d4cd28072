// SPDX-License-Identifier: GPL-3.0-or-later
#include "runsession.h"

#include "evidencewriter.h"
#include "implementationcatalogue.h"
#include "measuredgpu.h"
#include "publictext.h"

#include <QDateTime>
#include <QDir>
#include <QFutureWatcher>
#include <QtConcurrentRun>

namespace stagecraft::run {

namespace {

constexpr int tickMs = 500;

const char *phaseName(RunStep::Kind kind)
{
    switch (kind) {
    case RunStep::EndWorkers:
    case RunStep::FindGpu:
    case RunStep::StartWorker:
        return "start";
    case RunStep::Inputs:
        return "inputs";
    case RunStep::Prepare:
    case RunStep::Release:
        return "prepare";
    case RunStep::Recheck:
        return "check";
    case RunStep::Floors:
        return "floors";
    case RunStep::Counters:
        return "counters";
    case RunStep::Spans:
        return "spans";
    case RunStep::Capture:
        return "capture";
    case RunStep::StateBefore:
    case RunStep::StateAfterRound:
    case RunStep::StateAfter:
        return "GPU state";
    }
    return "";
}

// Calls `done` on the context's thread with what `work` returned on a thread of the pool.
template <class Work, class Done>
auto *inThread(QObject *context, Work work, Done done)
{
    using Result = std::invoke_result_t<Work>;
    auto *watcher = new QFutureWatcher<Result>(context);
    QObject::connect(watcher, &QFutureWatcher<Result>::finished, context, [watcher, done] {
        watcher->deleteLater();
        done(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(std::move(work)));
    return watcher;
}

} // namespace

RunSession::RunSession(RunPlan plan, QObject *parent)
    : QObject(parent),
      m_plan(std::move(plan)),
      m_steps(runSchedule(m_plan)),
      m_workers(m_plan.workers, protocol::DescribeParams{m_plan.device, !m_plan.capture}, m_plan.measurementTimeLimitMs,
                this),
      m_gpuState(this),
      m_tick(this)
{
    connect(&m_workers, &WorkerPool::logged, this, &RunSession::logged);
    connect(&m_workers, &WorkerPool::samplesReceived, this, &RunSession::takeSamples);
    connect(&m_workers, &WorkerPool::described, this, &RunSession::workerDescribed);
    connect(&m_tick, &QTimer::timeout, this, &RunSession::reportProgress);
}

void RunSession::start()
{
    QString problem = planProblem(m_plan);
    if (problem.isEmpty())
        problem = m_journal.open(m_plan.outputDirectory);
    if (!problem.isEmpty()) {
        emit finished(Outcome::Error, problem);
        return;
    }
    m_clock.start();
    m_tick.start(tickMs);
    record(RunStarted{m_plan, QDir(QDir(m_plan.outputDirectory).absolutePath()).dirName(),
                      QDateTime::currentDateTimeUtc().toString(Qt::ISODate)});
    publish();
    runStep();
}

void RunSession::cancel()
{
    if (m_cancelled || m_floorsSkipped || m_concluding)
        return;
    if (m_step.kind == RunStep::Floors && m_next == m_steps.size()) {
        // The last step: all that was planned is measured and checked, so nothing of the run is cut short.
        m_floorsSkipped = true;
        emit logged(QStringLiteral("info"), QStringLiteral("Floors are left out; the run is complete without them."));
    } else {
        m_cancelled = true;
        emit logged(QStringLiteral("info"), QStringLiteral("Stopping the run; what was measured is kept."));
    }
    if (const Continue hurry = std::exchange(m_hurry, {}))
        hurry();
}

void RunSession::runStep()
{
    if (m_concluding)
        return;
    if (m_cancelled || m_next >= m_steps.size())
        return conclude();
    m_step = m_steps[m_next++];
    m_stepClock.start();
    dispatch();
}

void RunSession::dispatch()
{
    m_phase = phaseName(m_step.kind);
    switch (m_step.kind) {
    case RunStep::EndWorkers:
        return endWorkers();
    case RunStep::FindGpu:
        return findGpu();
    case RunStep::StartWorker:
        return startWorker();
    case RunStep::StateBefore:
        return readGpuState(GpuStateRead::Before);
    case RunStep::Inputs:
        return makeInputs();
    case RunStep::Prepare:
        return prepare([this] { stepDone(); });
    case RunStep::Spans:
        return measureSpans();
    case RunStep::Capture:
        return captureKernels();
    case RunStep::StateAfterRound:
        return readGpuState(GpuStateRead::AfterRound);
    case RunStep::Recheck:
        return checkAgain();
    case RunStep::Release:
        return releaseHandles();
    case RunStep::Floors:
        return measureFloors();
    case RunStep::StateAfter:
        return readGpuState(GpuStateRead::After);
    case RunStep::Counters:
        return takeCounters();
    }
}

void RunSession::stepDone()
{
    m_hurry = {};
    m_remaining.add(m_step, m_stepClock.elapsed());
    if (m_step.endsMeasurement && !m_cancelled)
        ++m_done;
    // Queued, so that a long row of steps that have nothing to do does not nest.
    QMetaObject::invokeMethod(this, &RunSession::runStep, Qt::QueuedConnection);
}

// The next run begins anew, but what never gave a sound measurement would only fail again.
void RunSession::endWorkers()
{
    emit logged(QStringLiteral("info"),
                QStringLiteral("Run %1 of %2, in fresh workers.").arg(m_step.run + 1).arg(m_plan.runs));
    for (auto &[key, entry] : m_lanes) {
        Lane next;
        next.closed = entry.closed && !entry.measured;
        next.measured = entry.measured;
        next.stage = entry.stage;
        next.arithmetic = entry.arithmetic;
        entry = next;
    }
    m_workers.endAll([this] { stepDone(); });
}

// Without a GPU worker, or without a GPU, the external programs may still run, on what they have.
void RunSession::findGpu()
{
    setPhase("start");
    m_hurry = [this] { m_workers.abortStarting(); };
    m_workers.acquire(
        m_step.worker,
        [this](const WorkerPool::Ready &ready) {
            connect(ready.process, &WorkerProcess::ended, this, &RunSession::stepDone);
            ready.process->end();
        },
        [this](const WorkerFault &) { stepDone(); });
}

void RunSession::startWorker()
{
    setPhase("start");
    m_hurry = [this] { m_workers.abortStarting(); };
    m_workers.acquire(
        m_step.worker, [this](const WorkerPool::Ready &) { stepDone(); },
        [this](const WorkerFault &fault) {
            if (!m_cancelled)
                emit logged(QStringLiteral("error"), fault.text());
            stepDone();
        });
}

void RunSession::workerDescribed(const QString &worker, const protocol::DescribeResult &description)
{
    const protocol::Device *gpu = measuredGpu(description, m_plan.device);
    protocol::DescribeResult kept = publicDescription(description);
    if (m_step.kind == RunStep::FindGpu) {
        if (!gpu)
            return;
        kept.libraries.clear(); // nothing that is measured uses them
    }
    record(WorkerDescribed{kept});
    if (gpu && !m_gpu) {
        m_gpu = *gpu;
        m_gpuUuid = QString::fromStdString(gpu->uuid);
    }
    const QString whose = worker.contains(QLatin1Char('/'))
                              ? QStringLiteral("The worker of %1").arg(worker.section(QLatin1Char('/'), 1))
                              : QStringLiteral("The %1 worker").arg(worker);
    emit logged(QStringLiteral("info"), QStringLiteral("%1 runs on %2.").arg(whose, publicText(description.platform)));
    publish();
}

void RunSession::readGpuState(GpuStateRead::When when)
{
    if (m_gpuUuid.isEmpty())
        return stepDone();
    if (!m_plan.workers.prefix.isEmpty()) {
        emit logged(QStringLiteral("info"),
                    QStringLiteral("The GPU's clocks and throttle reasons are not recorded for a "
                                   "worker behind a prefix."));
        m_gpuUuid.clear();
        return stepDone();
    }
    setPhase("GPU state");
    m_hurry = [this] { m_gpuState.abort(); };
    m_gpuState.read(m_gpuUuid, [this, when](const QString &text, const QString &problem) {
        if (!problem.isEmpty() && !m_cancelled) {
            emit logged(QStringLiteral("warning"),
                        QStringLiteral("The GPU's clocks and throttle reasons are not recorded: %1.").arg(problem));
            m_gpuUuid.clear(); // it would fail alike in every round
        } else if (!text.isEmpty()) {
            record(GpuStateRead{when, qMax(0, m_step.operation), qMax(0, m_step.round), text});
        }
        stepDone();
    });
}

void RunSession::makeInputs()
{
    setPhase("inputs");
    generateInputs([this](const RunInputs &inputs) { inputsMade(inputs); });
}

void RunSession::generateInputs(const std::function<void(const RunInputs &)> &made)
{
    const bool shared = m_plan.workers.prefix.isEmpty();
    auto *watcher = inThread(
        this, [plan = m_plan, operation = planned(), shared] { return makeRunInputs(plan, operation, shared); }, made);
    m_hurry = [this, watcher] {
        watcher->disconnect(this); // the thread runs on to its end, for nobody
        stepDone();
    };
}

void RunSession::inputsMade(const RunInputs &inputs)
{
    m_inputs = inputs;
    if (inputs.problem.isEmpty()) {
        record(InputsMade{m_step.operation, inputs.sha256});
        return stepDone();
    }
    emit logged(QStringLiteral("error"), QStringLiteral("%1: %2").arg(planned().operation, inputs.problem));
    for (const QString &implementation : planned().implementations) {
        m_step.implementation = implementation;
        closeLane(evidence::State::Failed, inputs.problem, firstRound());
    }
    stepDone();
}

void RunSession::record(const RunEvent &event)
{
    m_record.apply(event);
    const QString problem = m_journal.append(event);
    if (problem.isEmpty() || !m_journalProblem.isEmpty())
        return;
    m_journalProblem = problem;
    m_journalLostFrom = m_step.round + 1;
    emit logged(QStringLiteral("error"), QStringLiteral("%1. The run goes on; a crash of the program would lose it "
                                                        "from round %2.")
                                             .arg(problem)
                                             .arg(m_journalLostFrom));
}

void RunSession::publish()
{
    auto copy = QSharedPointer<evidence::Namespace>::create(m_record.evidence());
    copy->directory = m_plan.outputDirectory;
    emit evidenceChanged(copy);
}

void RunSession::setPhase(const char *phase)
{
    m_phase = phase;
    reportProgress();
}

void RunSession::reportProgress()
{
    Progress progress;
    if (m_step.operation >= 0)
        progress.operation = planned().operation;
    progress.implementation = m_step.implementation;
    if (!m_step.implementation.isEmpty())
        progress.stage = lane().stage;
    progress.phase = QString::fromLatin1(m_phase);
    progress.round = m_step.round + 1;
    progress.rounds = totalRounds(m_plan);
    progress.run = m_step.run + 1;
    progress.runs = m_plan.runs;
    progress.done = m_done;
    progress.total = measurementCount(m_plan);
    progress.elapsedMs = m_clock.elapsed();
    if (!m_concluding && m_next > 0) {
        const qint64 rest = m_remaining.estimate(m_steps, m_next);
        const qint64 step = qMax<qint64>(0, m_remaining.estimateOne(m_step) - m_stepClock.elapsed());
        progress.remainingMs = rest < 0 ? -1 : rest + step;
    }
    emit progressed(progress);
}

QString RunSession::stepText() const
{
    return planned().operation + QLatin1Char('/') + m_step.implementation;
}

void RunSession::conclude()
{
    m_concluding = true;
    m_step = {};
    setPhase("write");
    record(RunEnded{m_cancelled});
    m_workers.endAll([this] { writeEvidence(); });
}

void RunSession::writeEvidence()
{
    inThread(
        this,
        [evidence = m_record.evidence(), directory = m_plan.outputDirectory] {
            return evidence::writeNamespace(evidence, directory);
        },
        [this](const QString &problem) { written(problem); });
}

QString RunSession::unwrittenText(QString problem) const
{
    if (problem.endsWith(QLatin1Char('.')))
        problem.chop(1);
    if (m_journalProblem.isEmpty())
        return QStringLiteral("%1. What was measured is in the journal %2 beside it.").arg(problem, journalFileName());
    return QStringLiteral("%1. The journal %2 beside it could not be written either: what was measured is lost from "
                          "round %3.")
        .arg(problem, journalFileName())
        .arg(m_journalLostFrom);
}

void RunSession::written(const QString &problem)
{
    m_tick.stop();
    if (!problem.isEmpty()) {
        emit finished(Outcome::Error, unwrittenText(problem));
        return;
    }
    m_journal.remove();
    publish();
    const int failures = failureCount(m_record.evidence());
    const int total = measurementCount(m_plan);
    if (m_cancelled) {
        emit finished(Outcome::Cancelled, QStringLiteral("The run was cancelled after %1 of %2 measurements, which are "
                                                         "kept.")
                                              .arg(m_done)
                                              .arg(total));
    } else if (failures > 0) {
        emit finished(Outcome::CompletedWithFailures,
                      QStringLiteral("The run is complete, but %1 of %2 measurements failed or were unavailable.")
                          .arg(failures)
                          .arg(total));
    } else {
        emit finished(Outcome::Completed, QStringLiteral("The run is complete (%1 of %1 measurements).").arg(total));
    }
}

} // namespace stagecraft::run
