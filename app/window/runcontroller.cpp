// SPDX-License-Identifier: GPL-3.0-or-later
#include "runcontroller.h"

namespace stagecraft::window {

namespace {
constexpr int evidenceIntervalMs = 100;
}

RunController::RunController(QObject *parent) : QObject(parent)
{
    m_thread.setObjectName(QStringLiteral("runner"));
    m_throttle.setSingleShot(true);
    m_throttle.setInterval(evidenceIntervalMs);
    connect(&m_throttle, &QTimer::timeout, this, &RunController::passEvidenceOn);
    connectRunner(new run::Runner);
    connectSurveyor(new run::Surveyor);
    m_thread.start();
}

RunController::~RunController()
{
    emit cancelRequested(QPrivateSignal());
    m_thread.quit();
    m_thread.wait();
}

void RunController::connectRunner(run::Runner *runner)
{
    runner->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, runner, &QObject::deleteLater);
    connect(this, &RunController::startRequested, runner, &run::Runner::start);
    connect(this, &RunController::cancelRequested, runner, &run::Runner::cancel);
    connect(runner, &run::Runner::progressed, this, &RunController::progressed);
    connect(runner, &run::Runner::samplesArrived, this, &RunController::samplesArrived);
    connect(runner, &run::Runner::evidenceChanged, this, &RunController::receiveEvidence);
    connect(runner, &run::Runner::logged, this, &RunController::logged);
    connect(runner, &run::Runner::finished, this, &RunController::finish);
}

void RunController::connectSurveyor(run::Surveyor *surveyor)
{
    surveyor->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, surveyor, &QObject::deleteLater);
    connect(this, &RunController::surveyRequested, surveyor, &run::Surveyor::start);
    connect(surveyor, &run::Surveyor::reported, this, [this](const run::WorkerReport &report) {
        if (m_nextSurvey)
            return;
        m_availability.add(report);
        emit availabilityChanged(m_availability, true);
    });
    connect(surveyor, &run::Surveyor::logged, this, &RunController::logged);
    connect(surveyor, &run::Surveyor::finished, this, &RunController::finishSurvey);
}

void RunController::start(const run::RunPlan &plan)
{
    Q_ASSERT(!m_running);
    m_running = true;
    m_plan = plan;
    emit startRequested(plan, QPrivateSignal());
}

void RunController::cancel()
{
    emit cancelRequested(QPrivateSignal());
}

void RunController::survey(const run::WorkerSetup &setup, int device)
{
    m_availability.reset(setup);
    emit availabilityChanged(m_availability, true);
    if (std::exchange(m_surveying, true))
        m_nextSurvey = Survey{setup, device};
    else
        emit surveyRequested(setup, device, QPrivateSignal());
}

void RunController::finishSurvey()
{
    m_surveying = false;
    if (const std::optional<Survey> next = std::exchange(m_nextSurvey, std::nullopt)) {
        survey(next->setup, next->device);
        return;
    }
    m_availability.finish();
    emit availabilityChanged(m_availability, false);
}

void RunController::receiveEvidence(const NamespacePointer &evidence)
{
    m_latest = evidence;
    if (!m_throttle.isActive())
        m_throttle.start();
}

void RunController::passEvidenceOn()
{
    if (m_latest)
        emit evidenceChanged(std::exchange(m_latest, nullptr));
}

void RunController::finish(run::Outcome outcome, const QString &message)
{
    m_throttle.stop();
    passEvidenceOn();
    m_running = false;
    emit finished(outcome, message);
}

} // namespace stagecraft::window
