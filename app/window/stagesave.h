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

struct StageSave
{
    int number = 0; // in this session, from 1
    QDateTime time;
    bool again = false; // measured anew, not saved
    stagefile::Stage stage;
    std::optional<stagefile::Stage> after; // what it is compared with, measured in the same run
    QList<qint64> dims;
    QString architecture; // that it was compiled for

    // Not Ok: `word` is the state in one to three words ("compile error", "illegal address", "measuring"), `reason` the
    // whole of it.
    evidence::State state = evidence::State::NotRun;
    QString word, reason;
    bool settled = false; // nothing more will happen to it

    QString runName; // of the namespace that it was measured in; empty: it was not
    QList<evidence::LaunchResources> resources;
    std::optional<double> kernelUs, spanUs;           // means, µs
    std::optional<double> afterKernelUs, afterSpanUs; // of `after`, in the same run
    std::optional<double> factor;                     // after ÷ this: of kernel times, else of spans
    QString verdict, verdictText;                     // "faster", "slower", "undecided"; the sentence behind it

    QString operation() const { return QString::fromStdString(stage.operation); }
    QString id() const { return QString::fromStdString(stage.id); }
    QString label() const; // "save 3 · 22:41"
};

// What failed, in the words of a list, from a state's reason: "wrong result", "illegal address", "endless loop",
// "impossible launch", "compile error", else "failed".
QString failureWord(evidence::State state, const QString &reason);

void applyCompilation(StageSave &save, const run::StageCompilation &compilation);

// The run that measures a save beside the stage before it.
run::RunPlan measurementPlan(const StageSave &save, int device, const QString &outputDirectory);

// Takes kernel time, span, state and verdict from that run's evidence.
void applyMeasurement(StageSave &save, const evidence::Namespace &evidence);

// One stage's saves, newest first.
widgets::ValueTable historyTable(const QList<StageSave> &saves, const QString &operation, const QString &id);

// All saves as evidence: a progression with an entry each, behind the stage that they started from. `lastRun` says
// where they were measured; it may be null.
evidence::Namespace sessionEvidence(const QList<StageSave> &saves, const evidence::Namespace *lastRun);

} // namespace stagecraft::window
