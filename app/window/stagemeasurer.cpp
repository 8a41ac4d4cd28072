// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagemeasurer.h"

#include <QDir>

namespace stagecraft::window {

using evidence::State;

QString gpuProblem(const Availability &availability, const QString &operation)
{
    const QList<ImplementationStatus> known = availability.implementations(operation);
    const auto cuda = std::ranges::find(known, QStringLiteral("cuda"), &ImplementationStatus::id);
    if (cuda != known.end() && cuda->state == ImplementationStatus::Ready)
        return {};
    const QString reason =
        cuda == known.end() || cuda->reason.isEmpty() ? StageMeasurer::tr("no worker reports a GPU") : cuda->reason;
    return cuda == known.end() || cuda->fix.isEmpty() ? reason
                                                      : StageMeasurer::tr("%1. What to do: %2").arg(reason, cuda->fix);
}

StageMeasurer::StageMeasurer(RunDesk &runs, StageCompilations &compilations, const QString &runsDirectory,
                             QObject *parent)
    : QObject(parent),
      m_runs(runs),
      m_compilations(compilations),
      m_directory(QDir(runsDirectory)
                      .filePath(QStringLiteral("stages-") +
                                QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd'T'HHmmss'Z'"))))
{
    connect(&m_compilations, &StageCompilations::compiled, this, &StageMeasurer::takeCompilation);
    connect(&m_runs, &RunDesk::stagesEvidence, this,
            [this](const NamespacePointer &evidence) { m_lastRun = evidence; });
    connect(&m_runs, &RunDesk::stagesFinished, this, &StageMeasurer::finish);
    // Queued: whoever else waits for the end of a run is told first.
    connect(&m_runs, &RunDesk::finished, this, &StageMeasurer::startNext, Qt::QueuedConnection);
    connect(&m_runs, &RunDesk::surveyed, this, &StageMeasurer::startNext, Qt::QueuedConnection);
    connect(&m_runs, &RunDesk::questionClosed, this, &StageMeasurer::startNext, Qt::QueuedConnection);
    connect(&m_runs, &RunDesk::samplingEnded, this, &StageMeasurer::startNext, Qt::QueuedConnection);
}

bool StageMeasurer::isBusy() const
{
    return m_running >= 0 || !m_compiling.isEmpty() || !m_waiting.isEmpty();
}

const StageSave *StageMeasurer::latest(const QString &operation, const QString &id) const
{
    for (auto save = m_saves.crbegin(); save != m_saves.crend(); ++save) {
        if (save->operation() == operation && save->id() == id)
            return &*save;
    }
    return nullptr;
}

StageSave &StageMeasurer::append(StageSave save)
{
    supersede(save.operation(), save.id());
    save.number = static_cast<int>(m_saves.size()) + 1;
    save.time = QDateTime::currentDateTime();
    save.device = device();
    m_saves.append(save);
    return m_saves.last();
}

// The newest text wins: what of the same stage is not being measured yet never will be.
void StageMeasurer::supersede(const QString &operation, const QString &id)
{
    for (int index = 0; index < m_saves.size(); ++index) {
        const StageSave &save = m_saves.at(index);
        if (save.settled || index == m_running || save.operation() != operation || save.id() != id)
            continue;
        m_compiling.removeAll(index);
        m_waiting.removeAll(index);
        settle(index, State::NotRun, tr("superseded"), tr("the stage was saved again before its turn came"));
    }
}

void StageMeasurer::settle(int index, State state, const QString &word, const QString &reason)
{
    StageSave &save = m_saves[index];
    save.state = state;
    save.word = word;
    save.reason = reason;
    save.settled = true;
    emit changed(index);
}

void StageMeasurer::submit(StageSave save)
{
    const QString misfit = m_compilations.misfit(save.stage, save.architecture, save.dims);
    StageSave &added = append(std::move(save));
    const int index = static_cast<int>(m_saves.size()) - 1;
    if (!misfit.isEmpty())
        return settle(index, State::Unavailable, tr("does not fit"), misfit);
    added.word = tr("compiling");
    m_compiling.append(index);
    const stagefile::Stage stage = added.stage;
    const std::optional<stagefile::Stage> after = added.after;
    const QString architecture = added.architecture;
    const QList<qint64> dims = added.dims;
    emit changed(index);
    if (after)
        m_compilations.request(*after, {architecture}, dims);
    if (const run::StageCompilation *known = m_compilations.find(stage, architecture, dims))
        return compiled(index, *known);
    m_compilations.request(stage, {architecture}, dims);
}

void StageMeasurer::submitInvalid(StageSave save, const QString &reason)
{
    append(std::move(save));
    settle(static_cast<int>(m_saves.size()) - 1, State::Invalid, tr("not a stage"), reason);
}

void StageMeasurer::takeCompilation(const run::StageCompilation &compilation, const QList<qint64> &dims)
{
    const QList<int> compiling = m_compiling;
    for (const int index : compiling) {
        const StageSave &save = m_saves.at(index);
        if (save.operation() == compilation.operation && save.id() == compilation.id &&
            save.architecture == compilation.architecture && save.dims == dims &&
            QString::fromStdString(save.stage.sha256) == compilation.sourceSha256)
            compiled(index, compilation);
    }
}

void StageMeasurer::compiled(int index, const run::StageCompilation &compilation)
{
    m_compiling.removeAll(index);
    StageSave &save = m_saves[index];
    applyCompilation(save, compilation);
    if (!save.settled) {
        save.word = tr("waiting");
        m_waiting.append(index);
    }
    emit changed(index);
    startNext();
}

QString StageMeasurer::device() const
{
    const int chosen = m_runs.plan().device;
    for (const DeviceChoice &device : m_runs.availability().devices()) {
        if (device.index == chosen)
            return QStringLiteral("%1 %2").arg(device.index).arg(device.name);
    }
    return {};
}

void StageMeasurer::startNext()
{
    while (m_running < 0 && !m_waiting.isEmpty() && m_runs.isFree()) {
        const int index = m_waiting.takeFirst();
        const QString reason = gpuProblem(m_runs.availability(), m_saves.at(index).operation());
        if (reason.isEmpty())
            return start(index);
        settle(index, State::Unavailable, tr("compiled"), tr("compiled, not measured: %1").arg(reason));
    }
}

QString StageMeasurer::nextDirectory(const StageSave &save) const
{
    return QDir(m_directory)
        .filePath(
            QStringLiteral("save-%1-%2-%3").arg(save.number, 3, 10, QLatin1Char('0')).arg(save.operation(), save.id()));
}

void StageMeasurer::start(int index)
{
    StageSave &save = m_saves[index];
    m_lastRun.reset();
    run::RunPlan plan = measurementPlan(save, m_runs.plan().device, nextDirectory(save));
    plan.workers = m_runs.workers();
    const QString problem = m_runs.startStages(plan);
    if (!problem.isEmpty()) {
        settle(index, State::Invalid, tr("cannot be run"), problem);
        return startNext();
    }
    m_running = index;
    save.device = device();
    save.word = tr("measuring");
    emit changed(index);
}

void StageMeasurer::finish(run::Outcome outcome, const QString &message)
{
    if (m_running < 0)
        return;
    const int index = std::exchange(m_running, -1);
    StageSave &save = m_saves[index];
    if (outcome == run::Outcome::Cancelled)
        return settle(index, State::NotRun, tr("stopped"), tr("the measurement was stopped"));
    if (!m_lastRun || outcome == run::Outcome::Error)
        return settle(index, State::Failed, tr("failed"), message);
    m_lastRuns.insert(save.device, m_lastRun);
    applyMeasurement(save, *m_lastRun);
    emit changed(index);
}

void StageMeasurer::drop()
{
    for (const int index : QList<int>(m_compiling + m_waiting))
        settle(index, State::NotRun, tr("dropped"), tr("the window was closed first"));
    m_compiling.clear();
    m_waiting.clear();
}

} // namespace stagecraft::window
