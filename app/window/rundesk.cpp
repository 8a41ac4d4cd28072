// SPDX-License-Identifier: GPL-3.0-or-later
#include "rundesk.h"

#include "actions.h"
#include "counted.h"
#include "evidencelistmodel.h"
#include "figurepane.h"
#include "headerbar.h"
#include "logdock.h"
#include "messagebar.h"
#include "plandock.h"
#include "planmodel.h"
#include "protocolpanel.h"
#include "protocolsummary.h"
#include "runstore.h"

#include <QAction>
#include <QDateTime>

namespace stagecraft::window {

RunDesk::RunDesk(const RunParts &parts, const QString &runsDirectory, QObject *parent)
    : QObject(parent), m_parts(parts), m_runsDirectory(runsDirectory)
{
    connectController();
    connect(m_parts.plan, &PlanModel::planChanged, this, &RunDesk::updatePlan);
    connect(m_parts.planDock->protocol(), &ProtocolPanel::changed, this, &RunDesk::updatePlan);
    connect(m_parts.actions->run, &QAction::triggered, this, &RunDesk::start);
    connect(m_parts.actions->stop, &QAction::triggered, this, &RunDesk::stop);
    connect(m_parts.actions->surveyAgain, &QAction::triggered, this, &RunDesk::survey);
    // What is available can differ from device to device.
    connect(m_parts.header, &HeaderBar::deviceChosen, this, &RunDesk::survey);
    connect(m_parts.header, &HeaderBar::presetChosen, this, [this](int index) {
        run::RunPlan chosen = plan();
        applyPreset(protocolPresets().at(index), chosen);
        m_parts.planDock->protocol()->setProtocol(chosen);
    });
    updatePlan();
}

void RunDesk::connectController()
{
    connect(&m_controller, &RunController::availabilityChanged, this,
            [this](const Availability &availability, bool asking) {
                m_availability = availability;
                m_parts.plan->setAvailability(availability);
                m_parts.header->setAvailability(availability, asking);
                m_surveying = asking;
                updatePlan();
                if (!asking) {
                    logAvailability(availability);
                    emit surveyed();
                }
            });
    connect(&m_controller, &RunController::progressed, this, [this](const run::Progress &progress) {
        if (!m_stopping)
            m_parts.header->showProgress(progress);
        m_parts.plan->setRunning(progress.operation, progress.implementation, progress.phase);
        emit progressed(progress);
    });
    connect(&m_controller, &RunController::samplesArrived, this,
            [this](const run::SampleBatch &batch) { m_parts.figures->appendSamples(batch); });
    connect(&m_controller, &RunController::evidenceChanged, this, &RunDesk::receiveEvidence);
    connect(&m_controller, &RunController::logged, this, &RunDesk::receiveLog);
    connect(&m_controller, &RunController::finished, this, &RunDesk::finish);
}

void RunDesk::logAvailability(const Availability &availability)
{
    for (const DeviceChoice &device : availability.devices())
        m_parts.log->append(QStringLiteral("info"), tr("Device %1: %2").arg(device.name, device.detail));
    if (availability.devices().isEmpty())
        m_parts.log->append(QStringLiteral("info"), tr("No CUDA device: %1").arg(availability.noDeviceReason()));
    for (const ImplementationStatus &status : availability.implementations()) {
        if (status.state == ImplementationStatus::Ready)
            m_parts.log->append(QStringLiteral("debug"), tr("%1 is available. %2").arg(status.id, status.note));
    }
    for (const QString &cause : unavailableCauses(availability.implementations()))
        m_parts.log->append(QStringLiteral("info"), tr("Unavailable: %1").arg(cause));
}

run::RunPlan RunDesk::plan() const
{
    run::RunPlan plan;
    m_parts.planDock->protocol()->applyTo(plan);
    plan.operations = m_parts.plan->plannedOperations();
    plan.stages = m_parts.plan->plannedStages();
    plan.device = m_parts.header->device();
    plan.workers = m_workers;
    return plan;
}

void RunDesk::updatePlan()
{
    run::RunPlan protocol;
    m_parts.planDock->protocol()->applyTo(protocol);
    m_parts.plan->setArithmetic(protocol.arithmetic);
    const run::RunPlan current = plan();
    m_parts.header->setProtocol(current);
    m_parts.planDock->setProtocolSummary(protocolSummary(current));
    m_parts.actions->surveyAgain->setEnabled(!isRunning() && !m_surveying);
    emit freeChanged();
    if (isRunning())
        return;
    m_parts.actions->run->setEnabled(mayRun());
    m_parts.header->showIdle(idleText(current.rounds));
}

bool RunDesk::mayRun() const
{
    return isFree() && m_parts.plan->plannedMeasurements() > 0;
}

QString RunDesk::idleText(int rounds) const
{
    const int measurements = m_parts.plan->plannedMeasurements();
    if (m_questionOpen && !m_surveying)
        return tr("Run waits: the Python worker is being asked…");
    if (m_sampling)
        return tr("Run waits: a stage is being sampled on the GPU…");
    if (m_surveying) {
        QStringList asked = run::workersOf(m_workers);
        asked.removeIf([this](const QString &worker) { return m_availability.report(worker) != nullptr; });
        return tr("Run waits: asking %1 what this machine can run…").arg(asked.join(QStringLiteral(", ")));
    }
    if (measurements == 0)
        return tr("Nothing to run: check an operation and an implementation that is available");
    if (!m_idleText.isEmpty())
        return m_idleText;
    return tr("Ready: %1 in each of %2")
        .arg(counted(measurements, tr("measurement"), tr("measurements")), counted(rounds, tr("round"), tr("rounds")));
}

void RunDesk::start()
{
    run::RunPlan wanted = plan();
    wanted.outputDirectory = newRunDirectory(m_runsDirectory, QDateTime::currentDateTimeUtc());
    const QString problem = run::planProblem(wanted);
    if (isRunning() || !problem.isEmpty()) {
        if (!problem.isEmpty())
            m_parts.messages->showMessage(MessageBar::Severity::Error, tr("This plan cannot be run"), problem);
        return;
    }
    m_parts.messages->hide();
    m_showRun = true;
    begin(wanted);
}

QString RunDesk::startStages(const run::RunPlan &plan)
{
    if (isRunning())
        return tr("A run is in progress.");
    const QString problem = run::planProblem(plan);
    if (!problem.isEmpty())
        return problem;
    m_stages = true;
    begin(plan);
    return {};
}

void RunDesk::begin(const run::RunPlan &plan)
{
    m_failureShown = m_stopping = false;
    m_controller.start(plan);
    setRunning(true);
    m_parts.header->showRunning();
    m_parts.figures->beginSamples();
    emit freeChanged();
    emit started();
}

void RunDesk::stop()
{
    if (!isRunning())
        return;
    m_stopping = true;
    m_parts.actions->stop->setEnabled(false);
    m_parts.header->showStopping();
    m_controller.cancel();
}

void RunDesk::survey()
{
    if (m_sampling) {
        m_surveyDue = true;
        return;
    }
    m_surveying = true;
    m_surveyDue = false;
    m_controller.survey(m_workers, m_parts.header->device());
}

void RunDesk::setWorkers(const run::WorkerSetup &workers)
{
    if (m_workers == workers)
        return;
    m_workers = workers;
    // Workers that start up would disturb what is being measured.
    m_surveyDue = isRunning();
    if (!m_surveyDue)
        survey();
}

void RunDesk::setQuestionOpen(bool open)
{
    if (std::exchange(m_questionOpen, open) == open)
        return;
    updatePlan();
    if (!open)
        emit questionClosed();
}

void RunDesk::setSampling(bool sampling)
{
    if (std::exchange(m_sampling, sampling) == sampling)
        return;
    updatePlan();
    if (sampling)
        return;
    if (m_surveyDue && !isRunning())
        survey();
    emit samplingEnded();
}

void RunDesk::log(const QString &level, const QString &text)
{
    m_parts.log->append(level, text);
}

void RunDesk::setRunning(bool running)
{
    m_parts.actions->run->setEnabled(mayRun());
    m_parts.actions->stop->setEnabled(running);
    m_parts.actions->surveyAgain->setEnabled(!running && !m_surveying);
    m_parts.actions->restorePlan->setEnabled(!running);
    m_parts.planDock->setLocked(running);
}

void RunDesk::receiveEvidence(const NamespacePointer &evidence)
{
    if (m_stages) {
        emit stagesEvidence(evidence);
        return;
    }
    const int row = m_parts.evidence->putRunning(evidence);
    if (!std::exchange(m_showRun, false))
        return;
    m_parts.evidence->showOnly(row);
    emit runListed(row);
}

void RunDesk::receiveLog(const QString &level, const QString &text)
{
    m_parts.log->append(level, text);
    if (isRunning())
        m_parts.header->showWorkerLine(text);
    // What a stop cuts short is no failure; a stage that is being written says on its own page what it is.
    if (level != QLatin1String("error") || m_failureShown || m_stopping || m_stages)
        return;
    m_failureShown = true;
    m_parts.messages->showMessage(MessageBar::Severity::Error, tr("A measurement failed; the rest goes on"), text);
}

void RunDesk::finish(run::Outcome outcome, const QString &message)
{
    const bool stages = std::exchange(m_stages, false);
    if (!stages)
        m_parts.evidence->finishRunning();
    m_parts.figures->endSamples();
    m_parts.plan->setRunning({}, {}, {});
    setRunning(false);
    if (stages)
        emit stagesFinished(outcome, message);
    else
        showOutcome(outcome, message);
    updatePlan();
    emit finished(outcome);
    if (m_surveyDue && !isRunning())
        survey();
}

void RunDesk::showOutcome(run::Outcome outcome, const QString &message)
{
    const QString name = m_controller.plan().outputDirectory.section(QLatin1Char('/'), -1);
    switch (outcome) {
    case run::Outcome::Completed:
        m_idleText = tr("Done: kept as %1").arg(name);
        break;
    case run::Outcome::CompletedWithFailures:
        m_idleText = tr("Done, with failures: kept as %1").arg(name);
        m_parts.messages->showMessage(MessageBar::Severity::Warning, tr("The run is done, with failures"),
                                      m_failureShown ? message + QLatin1Char('\n') + m_parts.messages->text()
                                                     : message);
        break;
    case run::Outcome::Cancelled:
        m_idleText = tr("Stopped: what was measured is kept as %1").arg(name);
        break;
    case run::Outcome::Error:
        m_idleText = tr("The run ended with an error");
        m_parts.messages->showMessage(MessageBar::Severity::Error, tr("The run could not go on"), message);
        break;
    }
}

} // namespace stagecraft::window
