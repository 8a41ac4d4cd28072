// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencelistmodel.h"
#include "rundesk.h"
#include "stagecompilations.h"
#include "stagesave.h"

namespace stagecraft::window {

// Why stages of this operation cannot run on the GPU, with the fix; empty: they can.
QString gpuProblem(const Availability &availability, const QString &operation);

// Takes each saved state of a stage through the compiler and, where there is a GPU, through a check and a measurement
// beside the stage before it. Measurements wait for a run in progress; of several saves of one stage that wait, only
// the newest is measured.
class StageMeasurer : public QObject
{
    Q_OBJECT
public:
    StageMeasurer(RunDesk &runs, StageCompilations &compilations, const QString &runsDirectory,
                  QObject *parent = nullptr);

    // What to measure; number, time and states are filled in here.
    void submit(StageSave save);
    void submitInvalid(StageSave save, const QString &reason); // a file that is no valid stage any more

    const QList<StageSave> &saves() const { return m_saves; }                   // oldest first
    const StageSave *latest(const QString &operation, const QString &id) const; // nullptr where there is none
    const NamespacePointer &lastRun() const { return m_lastRun; }               // null before the first
    NamespacePointer lastRun(const QString &device) const { return m_lastRuns.value(device); } // of that GPU
    bool isBusy() const;
    void drop(); // what still waits

signals:
    void changed(int index); // of saves()

private:
    StageSave &append(StageSave save);
    void supersede(const QString &operation, const QString &id);
    void takeCompilation(const run::StageCompilation &compilation, const QList<qint64> &dims);
    void compiled(int index, const run::StageCompilation &compilation);
    void startNext();
    void start(int index);
    void finish(run::Outcome outcome, const QString &message);
    void settle(int index, evidence::State state, const QString &word, const QString &reason);
    QString device() const; // that is chosen
    QString nextDirectory(const StageSave &save) const;

    RunDesk &m_runs;
    StageCompilations &m_compilations;
    QString m_directory; // of this session's runs
    QList<StageSave> m_saves;
    QList<int> m_compiling, m_waiting; // indices of m_saves
    int m_running = -1;
    NamespacePointer m_lastRun;
    QHash<QString, NamespacePointer> m_lastRuns; // by device
};

} // namespace stagecraft::window
