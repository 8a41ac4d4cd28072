// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runcontroller.h"

#include <QObject>

namespace stagecraft::window {

class Actions;
class EvidenceListModel;
class FigurePane;
class HeaderBar;
class LogDock;
class MessageBar;
class PlanDock;
class PlanModel;

// The parts of the window that a run speaks to.
struct RunParts
{
    Actions *actions = nullptr;
    PlanModel *plan = nullptr;
    PlanDock *planDock = nullptr;
    HeaderBar *header = nullptr;
    EvidenceListModel *evidence = nullptr;
    FigurePane *figures = nullptr;
    LogDock *log = nullptr;
    MessageBar *messages = nullptr;
};

// What happens between Run and the end of a run: the plan becomes a run, the run becomes figures, log and messages.
class RunDesk : public QObject
{
    Q_OBJECT
public:
    RunDesk(const RunParts &parts, const QString &runsDirectory, QObject *parent = nullptr);

    run::RunPlan plan() const; // as planned now, without an output directory
    bool isRunning() const { return m_controller.isRunning(); }
    bool isSurveying() const { return m_surveying; }

    // Whether something may be measured now: workers that start up would disturb it.
    bool isFree() const { return !isRunning() && !m_surveying && !m_questionOpen && !m_sampling; }

    void start();
    void stop();
    void survey();

    // Of the user's choice, for the runs and surveys to come. Asks the workers anew where it differs.
    void setWorkers(const run::WorkerSetup &workers);
    const run::WorkerSetup &workers() const { return m_workers; }

    // A worker is asked elsewhere (in Settings): nothing is measured meanwhile.
    void setQuestionOpen(bool open);

    // A stage is sampled on the GPU, which would disturb what is timed there: nothing is measured or asked meanwhile.
    void setSampling(bool sampling);

    void log(const QString &level, const QString &text); // what it says

    // Runs a plan of stages that are being written: it shows in the header and the log, and its evidence goes to
    // stagesEvidence() rather than into the list. Returns why it cannot be started; empty: it runs.
    QString startStages(const run::RunPlan &plan);
    const Availability &availability() const { return m_availability; }

signals:
    void stagesEvidence(const stagecraft::window::NamespacePointer &evidence);
    void stagesFinished(stagecraft::run::Outcome outcome, const QString &message); // before finished()
    void surveyed();
    void questionClosed();
    void samplingEnded();
    void freeChanged();      // isFree() may be another
    void started();          // a run, of stages too
    void runListed(int row); // the run has its place in the evidence list
    void progressed(const stagecraft::run::Progress &progress);
    void finished(stagecraft::run::Outcome outcome);

private:
    void connectController();
    void logAvailability(const Availability &availability);
    void updatePlan();
    bool mayRun() const;
    QString idleText(int rounds) const;
    void receiveEvidence(const NamespacePointer &evidence);
    void receiveLog(const QString &level, const QString &text);
    void finish(run::Outcome outcome, const QString &message);
    void showOutcome(run::Outcome outcome, const QString &message);
    void begin(const run::RunPlan &plan);
    void setRunning(bool running);

    RunParts m_parts;
    QString m_runsDirectory;
    run::WorkerSetup m_workers;
    Availability m_availability;
    bool m_surveying = false;
    bool m_questionOpen = false;
    bool m_sampling = false;
    bool m_surveyDue = false;    // other workers were chosen during a run, or something was to be asked while sampling
    bool m_stages = false;       // what runs was started by startStages()
    bool m_showRun = false;      // a run has started and is not in the list yet
    bool m_stopping = false;     // the user has ended the run
    bool m_failureShown = false; // a worker's failure stands in the message bar
    QString m_idleText;          // how the last run ended, until the plan changes
    // Last, so that its thread ends before anything that its signals reach is gone.
    RunController m_controller;
};

} // namespace stagecraft::window
