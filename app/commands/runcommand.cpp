// SPDX-License-Identifier: GPL-3.0-or-later
#include "runcommand.h"

#include "commandtable.h"
#include "console.h"
#include "implementationcatalogue.h"
#include "interrupt.h"
#include "operationoptions.h"
#include "runner.h"
#include "runoptions.h"
#include "runprogress.h"
#include "runresults.h"
#include "stageselection.h"
#include "statistics.h"
#include "workercommand.h"

#include <algorithm>
#include <QCoreApplication>
#include <QEventLoop>

namespace stagecraft::commands {

namespace {

// Nothing is left out silently: what cannot run here is named with its reason.
void explain(const run::WorkerReport &report, const QStringList &available)
{
    for (const run::ImplementationEntry &entry : run::implementationCatalogue()) {
        if (entry.worker != report.worker || available.contains(entry.id))
            continue;
        QString reason = report.reason, fix = report.fix;
        if (report.answered)
            reason = QStringLiteral("the %1 worker does not have it").arg(report.worker);
        for (const protocol::Implementation &implementation : report.description.implementations) {
            if (implementation.id != entry.id.toStdString())
                continue;
            reason = QString::fromStdString(implementation.reason);
            fix = QString::fromStdString(implementation.fix);
        }
        complainLine(QStringLiteral("%1 is left out: %2%3")
                         .arg(entry.id, reason, fix.isEmpty() ? QString() : QStringLiteral(". What to do: ") + fix));
    }
}

QStringList availableIn(const run::WorkerReport &report)
{
    QStringList ids;
    for (const protocol::Implementation &implementation : report.description.implementations) {
        const QString id = QString::fromStdString(implementation.id);
        if (implementation.available && run::workerOf({}, id) == report.worker)
            ids.append(id);
    }
    return ids;
}

// All that are available here, in the order in which tables show them. External programs were named one by one, so
// they take part whether they are there or not.
QStringList availableImplementations(const run::RunPlan &plan)
{
    run::WorkerSetup asked = plan.workers;
    asked.externals.clear();
    run::Surveyor surveyor;
    QEventLoop loop;
    QStringList available;
    QObject::connect(&surveyor, &run::Surveyor::reported, &loop, [&](const run::WorkerReport &report) {
        const QStringList own = availableIn(report);
        explain(report, own);
        available += own;
    });
    QObject::connect(&surveyor, &run::Surveyor::finished, &loop, &QEventLoop::quit);
    surveyor.start(asked, plan.device);
    loop.exec();
    for (const run::ExternalProgram &external : plan.workers.externals)
        available.append(external.name);
    return evidence::implementationOrder(available);
}

// The stages need only the worker: where it has no GPU, evidence says so of each.
void chooseStages(RunRequest &request)
{
    for (const run::StageProblem &problem : request.catalogue.problems)
        complainLine(QStringLiteral("A stage is left out: ") + problem.text);
    for (const QString &reason : request.leftOut)
        complainLine(QStringLiteral("A stage is left out: %1 (--arithmetic %2)").arg(reason, request.plan.arithmetic));
    if (request.stages.isEmpty())
        return;
    const run::WorkerCommand command = run::workerCommand(QStringLiteral("cuda"), request.plan.workers);
    if (command.problem.isEmpty())
        assignStages(request.plan, request.stages, request.catalogue);
    else
        complainLine(QStringLiteral("The stages are left out: %1. What to do: %2").arg(command.problem, command.fix));
}

// A reference that is not measured would leave every verdict open, after all the time that the run takes.
QString referenceProblem(const RunRequest &request)
{
    QStringList part;
    for (const run::PlannedOperation &planned : request.plan.operations)
        part += planned.implementations;
    part.removeDuplicates();
    if (request.reference.isEmpty() || part.contains(request.reference))
        return {};
    return QStringLiteral("--reference: “%1” takes no part in this run; there are %2%3")
        .arg(request.reference, commas(part), didYouMean(request.reference, part));
}

// The plan's implementations; an exit status where there is nothing to run.
std::optional<int> chooseImplementations(RunRequest &request)
{
    const bool named = !request.implementations.isEmpty();
    if (!named)
        request.implementations = availableImplementations(request.plan);
    if (request.implementations.isEmpty() && request.stages.isEmpty()) {
        complainLine(QStringLiteral("No implementation is available here; `stagecraft doctor` says more."));
        return ExitFailed;
    }
    for (const run::ExternalProgram &external : request.plan.workers.externals) {
        if (!request.implementations.contains(external.name))
            complainLine(QStringLiteral("%1 is left out: --implementations does not name it.").arg(external.name));
    }
    const QStringList idle = assignImplementations(request.plan, request.implementations);
    if (named && !idle.isEmpty())
        return CommandParser(runSyntax())
            .usageError(
                QStringLiteral("--implementations: %1 computes none of the chosen operations").arg(idle.first()));
    chooseStages(request);
    request.plan.operations.removeIf([](const run::PlannedOperation &planned) {
        if (planned.implementations.isEmpty())
            complainLine(
                QStringLiteral("%1 is left out: none of the implementations computes it.").arg(planned.operation));
        return planned.implementations.isEmpty();
    });
    return request.plan.operations.isEmpty() ? std::optional<int>(ExitFailed) : std::nullopt;
}

int runPlan(const run::RunPlan &plan, const QString &reference)
{
    run::Runner runner;
    run::InterruptNotifier interrupt;
    RunProgress progress;
    QEventLoop loop;
    QSharedPointer<const evidence::Namespace> evidence;
    std::optional<run::Outcome> outcome;
    QObject::connect(&runner, &run::Runner::progressed, &loop, [&](const auto &step) { progress.show(step); });
    QObject::connect(&runner, &run::Runner::logged, &loop,
                     [&](const QString &level, const QString &text) { progress.say(level, text); });
    QObject::connect(&runner, &run::Runner::evidenceChanged, &loop, [&](const auto &changed) { evidence = changed; });
    QObject::connect(&interrupt, &run::InterruptNotifier::interrupted, &runner, &run::Runner::cancel);
    QObject::connect(&runner, &run::Runner::finished, &loop, [&](run::Outcome how, const QString &message) {
        outcome = how;
        progress.end();
        complainLine(message);
        loop.quit();
    });
    runner.start(plan);
    loop.exec();
    if (outcome != run::Outcome::Error && evidence)
        printResults(*evidence, plan.outputDirectory, reference);
    return outcome == run::Outcome::Completed ? ExitDone : ExitFailed;
}

} // namespace

int runRunCommand(const QStringList &arguments)
{
    RunRequest request = parseRun(arguments);
    if (request.exitStatus)
        return *request.exitStatus;
    if (const std::optional<int> status = chooseImplementations(request))
        return *status;
    if (const QString problem = referenceProblem(request); !problem.isEmpty())
        return CommandParser(runSyntax()).usageError(problem);
    if (const QString problem = run::planProblem(request.plan); !problem.isEmpty())
        return CommandParser(runSyntax()).usageError(problem);
    return runPlan(request.plan, request.reference);
}

} // namespace stagecraft::commands
