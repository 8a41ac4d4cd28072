// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stage.h"
#include "workersetup.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

// What a run does, decided before it starts: shared by the command line, the window and the runner.
namespace stagecraft::run {

struct PlannedOperation
{
    QString operation;
    QList<qint64> dims;
    // In plan order; round r starts with the r-th, modulo their number. "cuda/ID" is a stage that is asked for by name.
    QStringList implementations;
};

struct RunPlan
{
    QList<PlannedOperation> operations;
    // Those that implementations name as cuda/ID, each with its text. Others may stand beside them: they say what
    // `cuda` chose.
    QList<stagefile::Stage> stages;
    int runs = 1;   // how often the whole protocol is repeated, each time in fresh workers
    int rounds = 5; // of one run; in evidence, rounds are numbered through all runs
    int warmup = 25, iterations = 100, captureIterations = 100;
    bool capture = true;
    bool floors = true;    // after the rounds, where the cuda worker took part and kernels are captured
    bool counters = false; // hardware counters, after everything that is timed
    quint64 seed = 20260910;
    QString cache = QStringLiteral("warm");     // or "cold": calls rotate through copies that exceed the L2 twice
    QString arithmetic = QStringLiteral("any"); // or "fp32": stages of exact FP32 only
    int device = 0;
    WorkerSetup workers;
    int measurementTimeLimitMs = 120'000; // without any message from the worker, after which it is ended
    QString outputDirectory;              // the namespace; its name is the namespace's name
};

// Empty when the plan can be run, else the first problem as a sentence that names the option and what is allowed. Looks
// at the output directory, which must not exist yet or be empty.
QString planProblem(const RunPlan &plan);

// The same without a look at the output directory and at what starts external programs; of a plan that comes from a
// file, which names them only.
QString planContentProblem(const RunPlan &plan);

int totalRounds(const RunPlan &plan); // of all runs

// The words that `cache` and `arithmetic` of a plan may be, the default first.
const QStringList &cacheStates();
const QStringList &arithmeticChoices();

bool isCold(const RunPlan &plan);

// Why the implementation is not asked for hardware counters, in a plan that wants them; empty where it is.
QString countersUnavailable(const RunPlan &plan, const QString &implementation);

// Why a stage takes no part in a run of this arithmetic, as a clause: "matmul/mma computes in 3xtf32, …"; empty where
// it may.
QString arithmeticMisfit(const stagefile::Stage &stage, const QString &arithmetic);

// The stage that "cuda/ID" means for this operation; nullptr where the plan does not have it, or for another id.
const stagefile::Stage *plannedStage(const RunPlan &plan, const QString &operation, const QString &implementation);

QStringList roundOrder(const QStringList &implementations, int round); // rotated left by round

} // namespace stagecraft::run
