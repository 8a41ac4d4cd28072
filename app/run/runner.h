// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"
#include "messages.h"
#include "runplan.h"

#include <memory>
#include <QObject>
#include <QSharedPointer>

namespace stagecraft::run {

struct Progress
{
    // operation, implementation and stage are empty where the phase is not about one. phase: "start" (of a worker),
    // "inputs", "prepare", "check", "spans", "capture", "GPU state", "floors", "counters", "write".
    QString operation, implementation, stage, phase;
    int round = 0, rounds = 0; // counted from 1, as people do, through all runs; 0 outside of rounds
    int run = 0, runs = 0;     // counted from 1
    int done = 0, total = 0;   // measurements (operation × implementation × round)
    qint64 elapsedMs = 0;
    qint64 remainingMs = -1; // −1: not known yet
};

struct SampleBatch
{
    QString operation, implementation;
    int round = 0; // counted from 0 through all runs, as Round::index
    int first = 0; // number of us[0] within the round
    QList<double> us;
};

enum class Outcome
{
    Completed,
    CompletedWithFailures,
    Cancelled,
    Error
};

// Runs a plan: starts workers, speaks the protocol, keeps the journal, writes the namespace. Asynchronous: start() and
// cancel() return at once and everything else arrives as signals. It owns its QProcesses and may live in a thread of
// its own (the window moves it there); all signals carry values.
class Runner : public QObject
{
    Q_OBJECT
public:
    explicit Runner(QObject *parent = nullptr);
    ~Runner() override;

public slots:
    void start(const stagecraft::run::RunPlan &plan);
    void cancel(); // ends within one sample; what was measured is written

signals:
    void progressed(const stagecraft::run::Progress &progress);
    void samplesArrived(const stagecraft::run::SampleBatch &batch);
    // After every measurement: the whole namespace as it stands, unmeasured parts in state NotRun.
    void evidenceChanged(QSharedPointer<const stagecraft::evidence::Namespace> evidence);
    void logged(const QString &level, const QString &text);
    void finished(stagecraft::run::Outcome outcome, const QString &message);

private:
    class Private;
    std::unique_ptr<Private> d;
};

// What one worker command said of itself, or why it said nothing.
struct WorkerReport
{
    QString worker, command; // "cuda"; the command as typed, no absolute path of this machine
    bool answered = false;
    QString reason, fix;
    protocol::DescribeResult description;
};

// Asks every known worker to describe itself, for doctor, the plan panel and the window's device list. Asynchronous.
class Surveyor : public QObject
{
    Q_OBJECT
public:
    explicit Surveyor(QObject *parent = nullptr);
    ~Surveyor() override;

public slots:
    // Whether workers of a GPU are asked for hardware counters too, each once its report is out: they take a second and
    // are of no use to a worker that would measure. Off at first.
    void setAsksForCounters(bool asks);
    // While a survey goes, another one is not begun: its reports are on their way.
    void start(const stagecraft::run::WorkerSetup &setup, int device);
    void ask(const QStringList &workers, const stagecraft::run::WorkerSetup &setup, int device); // only these

signals:
    void reported(const stagecraft::run::WorkerReport &report); // once per worker
    // After that worker's report; why not, where it does not say whether it has them.
    void countersReported(const QString &worker, const stagecraft::protocol::CaptureSupport &counters);
    void logged(const QString &level, const QString &text); // what a worker prints, a login's banner included
    void finished();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace stagecraft::run
