// SPDX-License-Identifier: GPL-3.0-or-later
#include "runplan.h"

#include "catalogue.h"
#include "implementationcatalogue.h"
#include "outputdirectory.h"
#include "publictext.h"

#include <algorithm>
#include <QSet>

namespace stagecraft::run {

namespace {

constexpr qint64 mostMeasurements = 100'000;
const QString coldCache = QStringLiteral("cold"), exactArithmetic = QStringLiteral("fp32");

QString rangeProblem(const char *option, int value, int least, int most)
{
    if (value >= least && value <= most)
        return {};
    return QStringLiteral("%1 is %2: allowed is %3 to %4.").arg(QLatin1String(option)).arg(value).arg(least).arg(most);
}

QString wordProblem(const char *option, const QString &word, const QStringList &allowed)
{
    if (allowed.contains(word))
        return {};
    return QStringLiteral("%1 is %2: allowed is %3.")
        .arg(QLatin1String(option), word, allowed.join(QStringLiteral(" or ")));
}

QString protocolProblem(const RunPlan &plan)
{
    const QStringList problems = {rangeProblem("--rounds", plan.rounds, 1, 1000),
                                  rangeProblem("--runs", plan.runs, 1, 100),
                                  rangeProblem("--warmup", plan.warmup, 0, 1'000'000),
                                  rangeProblem("--iterations", plan.iterations, 1, 1'000'000),
                                  rangeProblem("--capture-iterations", plan.captureIterations, 1, 100'000),
                                  rangeProblem("--device", plan.device, 0, 1023),
                                  rangeProblem("time limit (ms)", plan.measurementTimeLimitMs, 1, 86'400'000)};
    for (const QString &problem : problems) {
        if (!problem.isEmpty())
            return problem;
    }
    // Both hold the same instrument, which a run without capture leaves to another program.
    if (plan.counters && !plan.capture)
        return QStringLiteral("--counters cannot be taken with --no-capture, which leaves the device's profiler to "
                              "another program: leave out one of them.");
    if (const QString problem = wordProblem("--cache", plan.cache, cacheStates()); !problem.isEmpty())
        return problem;
    return wordProblem("--arithmetic", plan.arithmetic, arithmeticChoices());
}

QString sizeProblem(const RunPlan &plan)
{
    qint64 measurements = 0;
    for (const PlannedOperation &planned : plan.operations)
        measurements += planned.implementations.size() * totalRounds(plan);
    if (measurements <= mostMeasurements)
        return {};
    return QStringLiteral("The run has %1 measurements (operations × implementations × rounds × runs): at most "
                          "%2 are allowed; choose fewer --rounds or --runs.")
        .arg(measurements)
        .arg(mostMeasurements);
}

bool isOf(const stagefile::Stage &stage, const QString &operation, const QString &id)
{
    return stage.operation == operation.toStdString() && stage.id == id.toStdString();
}

QString stageProblem(const RunPlan &plan, const QString &operation, const QString &implementation)
{
    const QString id = stageId(implementation);
    const auto count =
        std::ranges::count_if(plan.stages, [&](const stagefile::Stage &stage) { return isOf(stage, operation, id); });
    if (count == 1) {
        const QString misfit = arithmeticMisfit(*plannedStage(plan, operation, implementation), plan.arithmetic);
        return misfit.isEmpty() ? QString()
                                : QStringLiteral("--arithmetic %1: %2; leave it out of --stages, or choose "
                                                 "--arithmetic any.")
                                      .arg(plan.arithmetic, misfit);
    }
    return count == 0 ? QStringLiteral("--stages: there is no stage %1/%2; `stagecraft stages` lists those there are.")
                            .arg(operation, id)
                      : QStringLiteral("--stages: there are %1 stages %2/%3, which evidence could not tell apart.")
                            .arg(count)
                            .arg(operation, id);
}

QString implementationsProblem(const RunPlan &plan, const PlannedOperation &planned)
{
    if (planned.implementations.isEmpty())
        return QStringLiteral("No implementation is chosen for %1 (--implementations): choose among %2.")
            .arg(planned.operation, knownImplementations(plan.workers).join(QStringLiteral(", ")));
    QSet<QString> seen;
    for (const QString &id : planned.implementations) {
        if (workerOf(plan.workers, id).isEmpty())
            return QStringLiteral("--implementations: “%1” is not known; there are %2.")
                .arg(id, knownImplementations(plan.workers).join(QStringLiteral(", ")));
        if (seen.contains(id))
            return QStringLiteral("--implementations: %1 is named twice for %2.").arg(id, planned.operation);
        seen.insert(id);
        if (const QString problem = stageId(id).isEmpty() ? QString() : stageProblem(plan, planned.operation, id);
            !problem.isEmpty())
            return problem;
    }
    return {};
}

QString operationProblem(const RunPlan &plan, const PlannedOperation &planned)
{
    const auto *operation = operations::findOperation(planned.operation.toStdString());
    if (!operation) {
        QStringList known;
        for (const auto &entry : operations::catalogue())
            known.append(QString::fromStdString(entry.id));
        return QStringLiteral("--operations: “%1” is not known; there are %2.")
            .arg(planned.operation, known.join(QStringLiteral(", ")));
    }
    const operations::Dims dims(planned.dims.begin(), planned.dims.end());
    if (const auto problem = operations::dimsProblem(*operation, dims))
        return QStringLiteral("--dims %1: %2").arg(planned.operation, QString::fromStdString(*problem));
    return implementationsProblem(plan, planned);
}

} // namespace

QString planContentProblem(const RunPlan &plan)
{
    if (plan.operations.isEmpty())
        return QStringLiteral("No operation is chosen (--operations).");
    QSet<QPair<QString, QList<qint64>>> seen;
    for (const PlannedOperation &planned : plan.operations) {
        if (const QString problem = operationProblem(plan, planned); !problem.isEmpty())
            return problem;
        const QPair key(planned.operation, planned.dims);
        if (seen.contains(key))
            return QStringLiteral("--operations: %1 is named twice with the same dims.").arg(planned.operation);
        seen.insert(key);
    }
    if (const QString problem = protocolProblem(plan); !problem.isEmpty())
        return problem;
    return sizeProblem(plan);
}

QString planProblem(const RunPlan &plan)
{
    QString problem = planContentProblem(plan);
    if (problem.isEmpty())
        problem = setupProblem(plan.workers);
    return problem.isEmpty() ? outputProblem(plan.outputDirectory) : problem;
}

int totalRounds(const RunPlan &plan)
{
    return plan.rounds * plan.runs;
}

const QStringList &cacheStates()
{
    static const QStringList states{QStringLiteral("warm"), coldCache};
    return states;
}

const QStringList &arithmeticChoices()
{
    static const QStringList choices{QStringLiteral("any"), exactArithmetic};
    return choices;
}

bool isCold(const RunPlan &plan)
{
    return plan.cache == coldCache;
}

QString countersUnavailable(const RunPlan &plan, const QString &implementation)
{
    if (workerOf(plan.workers, implementation) == QLatin1String("host"))
        return QStringLiteral("hardware counters are the GPU's, and this is computed on the CPU");
    if (isCold(plan))
        return QStringLiteral(
            "kernel replay runs each kernel several times on the same arrays and so finds them in the "
            "cache; take counters of a warm run (--cache warm)");
    return {};
}

QString arithmeticMisfit(const stagefile::Stage &stage, const QString &arithmetic)
{
    const QString own = publicText(stage.arithmetic);
    if (arithmetic != exactArithmetic || own == exactArithmetic)
        return {};
    return QStringLiteral("%1 computes in %2, which is not exact FP32").arg(QString::fromStdString(stage.name()), own);
}

const stagefile::Stage *plannedStage(const RunPlan &plan, const QString &operation, const QString &implementation)
{
    const QString id = stageId(implementation);
    const auto found =
        std::ranges::find_if(plan.stages, [&](const stagefile::Stage &stage) { return isOf(stage, operation, id); });
    return id.isEmpty() || found == plan.stages.end() ? nullptr : &*found;
}

QStringList roundOrder(const QStringList &implementations, int round)
{
    QStringList order = implementations;
    if (!order.isEmpty())
        std::ranges::rotate(order, order.begin() + round % order.size());
    return order;
}

} // namespace stagecraft::run
