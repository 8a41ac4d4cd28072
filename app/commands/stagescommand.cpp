// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagescommand.h"

#include "commandtable.h"
#include "compiledstages.h"
#include "console.h"
#include "stagesjson.h"
#include "stagestext.h"

#include <algorithm>

namespace stagecraft::commands {

namespace {

// Problems of files; those of other operations are not this call's.
bool complainOfProblems(const run::StageCatalogue &catalogue, const StagesRequest &request)
{
    bool any = false;
    for (const run::StageProblem &problem : catalogue.problems) {
        if (!problem.operation.isEmpty() && !request.operations.contains(problem.operation))
            continue;
        complainLine(problem.text);
        any = true;
    }
    return any;
}

} // namespace

int runStagesCommand(const QStringList &arguments)
{
    const StagesRequest request = parseStages(arguments);
    if (request.exitStatus)
        return *request.exitStatus;
    const run::StageCatalogue catalogue = run::stageCatalogue(request.ownFolder);
    QList<run::CatalogueStage> stages = inReadingOrder(catalogue.stages);
    stages.removeIf([&](const run::CatalogueStage &entry) { return !request.operations.contains(entry.operation()); });
    const bool problems = complainOfProblems(catalogue, request);
    const QList<ListedStage> listed = compileStages(stages, request);
    for (const QString &line : failureText(listed))
        complainLine(line);
    if (request.json) {
        printLine(
            QString::fromStdString(stagesJson(listed).dump(2, ' ', false, nlohmann::json::error_handler_t::replace)));
    } else {
        for (const QString &line : stagesText(listed))
            printLine(line);
    }
    const bool failed = std::ranges::any_of(
        listed, [](const ListedStage &stage) { return stage.failed() || stage.lacksMachineCode(); });
    return problems || failed ? ExitFailed : ExitDone;
}

} // namespace stagecraft::commands
