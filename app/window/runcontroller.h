// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "availability.h"
#include "evidencelistmodel.h"
#include "runner.h"

#include <QThread>
#include <QTimer>

#include <optional>

namespace stagecraft::window {

// The runner and the surveyor in a thread of their own. The window talks to them through here only, by queued calls and
// signals, so that neither a worker's chatter nor writing evidence holds up the screen. Snapshots of the evidence are
// passed on at most ten times a second; the last one always is.
class RunController : public QObject
{
    Q_OBJECT
public:
    explicit RunController(QObject *parent = nullptr);
    ~RunController() override; // cancels what runs and waits for it to be written

    bool isRunning() const { return m_running; }
    const run::RunPlan &plan() const { return m_plan; } // of the run in progress or the last one

    void start(const run::RunPlan &plan);
    void cancel();
    // One that is asked for while another goes comes after it, and what the earlier one finds is not passed on.
    void survey(const run::WorkerSetup &setup, int device);

signals:
    void startRequested(const stagecraft::run::RunPlan &plan, QPrivateSignal);
    void cancelRequested(QPrivateSignal);
    void surveyRequested(const stagecraft::run::WorkerSetup &setup, int device, QPrivateSignal);

    void progressed(const stagecraft::run::Progress &progress);
    void samplesArrived(const stagecraft::run::SampleBatch &batch);
    void evidenceChanged(const stagecraft::window::NamespacePointer &evidence);
    void logged(const QString &level, const QString &text);
    void finished(stagecraft::run::Outcome outcome, const QString &message);
    void availabilityChanged(const stagecraft::window::Availability &availability, bool asking);

private:
    void connectRunner(run::Runner *runner);
    void connectSurveyor(run::Surveyor *surveyor);
    void receiveEvidence(const NamespacePointer &evidence);
    void passEvidenceOn();
    void finish(run::Outcome outcome, const QString &message);
    void finishSurvey();

    struct Survey
    {
        run::WorkerSetup setup;
        int device = 0;
    };

    QThread m_thread;
    QTimer m_throttle;
    NamespacePointer m_latest; // not passed on yet
    run::RunPlan m_plan;
    Availability m_availability;
    bool m_running = false;
    bool m_surveying = false;
    std::optional<Survey> m_nextSurvey;
};

} // namespace stagecraft::window
