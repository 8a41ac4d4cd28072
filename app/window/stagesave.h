// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"
#include "launchresources.h"
#include "runplan.h"
#include "stagecompiler.h"
#include "valuetable.h"

#include <QDateTime>

// What became of one state of the user's stage: each time it is saved, or measured again.
namespace stagecraft::window {

// Why there is no kernel time where there is a span.
struct MissingTime
{
    evidence::State state = evidence::State::Ok; // nothing is missing
    QString reason;
};

struct StageSave
{
    int number = 0; // in this session, from 1
    QDateTime time;
    bool again = false; // measured anew, not saved
    stagefile::Stage stage;
    std::optional<stagefile::Stage> after; // what it is compared with, measured in the same run
    QList<qint64> dims;
    QString device;       // the GPU that it is for, "0 NVIDIA H200"; empty: there is none
    QString architecture; // that it was compiled for: the GPU's own, else the chosen one

    // Not Ok: `word` is the state in one to three words ("compile error", "illegal address", "measuring"), `reason` the
    // whole of it.
    evidence::State state = evidence::State::NotRun;
    QString word, reason;
    bool settled = false; // nothing more will happen to it

    QString runName; // of the namespace that it was measured in; empty: it was not
    QList<evidence::LaunchResources> resources;
    std::optional<double> kernelUs, spanUs;           // means, µs
    std::optional<double> afterKernelUs, afterSpanUs; // of `after`, in the same run
    MissingTime missingKernel, missingAfterKernel;    // beside a span
    std::optional<double> factor;                     // after ÷ this: of kernel times, else of spans
    QString verdict;     // "faster", "slower", "undecided"; empty: there is nothing that it can be compared with
    QString verdictText; // the sentence behind it, or why there is none

    QString operation() const { return QString::fromStdString(stage.operation); }
    QString id() const { return QString::fromStdString(stage.id); }
    QString label() const; // "save 3 · 22:41"
};

// What failed, in the words of a list: the name of a CUDA error in the reason ("illegal address"), "no answer" of a
// worker that was given up, "impossible launch", else the state's name.
QString failureWord(evidence::State state, const QString &reason);

// The same of a compilation: "compile error" where the compiler refused the source, "compiler failed" where it died or
// never came to an end, "not compiled" where there is none. Empty for one that is compiled.
QString compilationWord(const run::StageCompilation &compilation);

void applyCompilation(StageSave &save, const run::StageCompilation &compilation);

// The run that measures a save beside the stage before it.
run::RunPlan measurementPlan(const StageSave &save, int device, const QString &outputDirectory);

// Takes kernel time, span, state, verdict and what the launches took on that GPU from that run's evidence.
void applyMeasurement(StageSave &save, const evidence::Namespace &evidence);

// One stage's saves, newest first.
widgets::ValueTable historyTable(const QList<StageSave> &saves, const QString &operation, const QString &id);

// The saves of one GPU as evidence: a progression for each operation, dims and arithmetic, with an entry for each save
// behind the stage that they started from. `lastRun` says where they were measured; it may be null.
evidence::Namespace sessionEvidence(const QList<StageSave> &saves, const evidence::Namespace *lastRun);

} // namespace stagecraft::window
