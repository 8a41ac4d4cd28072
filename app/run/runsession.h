// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpustate.h"
#include "journal.h"
#include "remainingtime.h"
#include "runinputs.h"
#include "runner.h"
#include "runrecord.h"
#include "workerpool.h"

#include <map>
#include <QElapsedTimer>
#include <QPointer>

namespace stagecraft::run {

// One run from start to finish, step by step (runschedule.h). Each step ends by calling stepDone() once, from the event
// loop; while one waits, m_hurry knows how to end it early.
class RunSession : public QObject
{
    Q_OBJECT
public:
    explicit RunSession(RunPlan plan, QObject *parent = nullptr);

    void start();
    void cancel();

signals:
    void progressed(const stagecraft::run::Progress &progress);
    void samplesArrived(const stagecraft::run::SampleBatch &batch);
    void evidenceChanged(QSharedPointer<const stagecraft::evidence::Namespace> evidence);
    void logged(const QString &level, const QString &text);
    void finished(stagecraft::run::Outcome outcome, const QString &message);

private:
    // One implementation of one operation over the rounds.
    struct Lane
    {
        bool closed = false;
        bool measured = false;          // something sound so far, in any run
        bool measuredInRun = false;     // … in this one
        QPointer<WorkerProcess> worker; // that holds the handle
        std::int64_t handle = 0;
        QString stage, arithmetic;
        int losses = 0;            // workers that died or hung while they measured it
        bool retried = false;      // its preparation, after a loss, in a fresh worker
        int failedSpansRound = -1; // a round whose capture is pointless
    };
    using LaneKey = std::pair<int, QString>; // operation, implementation
    using Continue = std::function<void()>;

    // runsession.cpp: the flow
    void runStep();
    void dispatch();
    void stepDone();
    void endWorkers();
    void findGpu();
    void startWorker();
    void workerDescribed(const QString &worker, const protocol::DescribeResult &description);
    void readGpuState(GpuStateRead::When when);
    void makeInputs();
    void generateInputs(const std::function<void(const RunInputs &)> &made);
    void inputsMade(const RunInputs &inputs);
    void record(const RunEvent &event);
    void publish();
    void setPhase(const char *phase);
    void reportProgress();
    void conclude();
    void writeEvidence();
    void written(const QString &problem);
    QString unwrittenText(QString problem) const;

    // measurementsteps.cpp: what is asked of workers
    void prepare(const Continue &prepared);
    void prepareOn(WorkerProcess *worker, const Continue &prepared);
    void refused(const WorkerFault &fault);
    void check(WorkerProcess *worker, const protocol::PrepareResult &result, const Continue &prepared);
    void checked(const protocol::PrepareResult &result, const protocol::CheckResult &check, const Continue &prepared);
    void prepareInterrupted(WorkerProcess *worker, const WorkerFault &fault, const Continue &prepared);
    void prepareFailed(const WorkerFault &fault);
    void withHandle(const Continue &ready);
    void measureSpans();
    void takeSamples(WorkerProcess *from, const protocol::SamplesNote &note);
    void spansEnded(const protocol::MeasureResult &result);
    void spansFailed(const WorkerFault &fault);
    void recordSpans(evidence::State state, const QString &reason);
    void captureKernels();
    void captureEnded(protocol::CaptureResult result);
    void captureFailed(const WorkerFault &fault);
    void recordCapture(const protocol::CaptureResult &result, evidence::State state, const QString &reason);
    void closeLane(evidence::State state, const QString &reason, int fromRound);
    int firstRound() const;                // that the step is about, or of the run that it belongs to
    int endOfRun() const;                  // the round after the run's last one
    const stagefile::Stage *stage() const; // that the step's implementation names; nullptr where it names none
    void retireWorker(const WorkerFault &fault);
    void hurryThrough(WorkerProcess *worker);

    // afterrounds.cpp: what is asked once more
    void checkAgain();
    void checkedAgain(const protocol::CheckResult &check);
    void checkAgainFailed(const WorkerFault &fault);
    void notCheckedAgain(const QString &reason);
    void resultChanged(const std::optional<protocol::CheckResult> &check, const QString &reason);
    void releaseHandles();
    void releaseHandle(Lane &of, const Continue &released);

    // floorstep.cpp: what nothing of the run can beat
    void measureFloors();
    void askForFloors(WorkerProcess *worker);
    void floorsMeasured(const protocol::FloorsResult &result);
    void floorsFailed(const WorkerFault &fault);

    // counterstep.cpp: what each call is made of, once nothing is timed any more
    bool hasSoundMeasurement();
    void takeCounters();
    void withInputs(const Continue &ready);
    void askForCounters();
    void countersTaken(const protocol::CountersResult &result);
    void countersFailed(const WorkerFault &fault);
    void recordCounters(const protocol::CountersResult &result, evidence::State state, const QString &reason);

    Lane &lane() { return m_lanes[{m_step.operation, m_step.implementation}]; }
    const PlannedOperation &planned() const { return m_plan.operations[m_step.operation]; }
    QString stepText() const; // "matmul/cuda"

    RunPlan m_plan;
    QList<RunStep> m_steps;
    qsizetype m_next = 0; // the step after m_step
    RunStep m_step;
    const char *m_phase = "";
    RunRecord m_record;
    Journal m_journal;
    WorkerPool m_workers;
    GpuStateReader m_gpuState;
    RemainingTime m_remaining;
    QElapsedTimer m_clock, m_stepClock;
    QTimer m_tick; // reports the time left while a step takes long
    RunInputs m_inputs;
    std::map<LaneKey, Lane> m_lanes;
    QList<QPointer<WorkerProcess>> m_faulty; // that failed in a check after the rounds; they end after the last one
    QList<double> m_samples;                 // of the spans being measured
    bool m_takingSamples = false;
    Continue m_hurry;
    std::optional<protocol::Device> m_gpu; // that is measured on, as the first worker that has one describes it
    QString m_gpuUuid, m_journalProblem;
    bool m_cancelled = false, m_concluding = false;
    bool m_floorsSkipped = false; // the run was cancelled when only they were left
    int m_journalLostFrom = 0;    // the round, counted from 1, while m_journalProblem says something
    int m_done = 0;
};

} // namespace stagecraft::run
