// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandparser.h"
#include "runplan.h"
#include "stagecatalogue.h"

// The command line of `stagecraft run` as a plan.
namespace stagecraft::commands {

CommandSyntax runSyntax();

struct RunRequest
{
    run::RunPlan plan;                 // its operations have no implementations yet
    QStringList implementations;       // as asked for; empty: all that are available here
    QList<run::CatalogueStage> stages; // that take part by name
    QStringList leftOut;               // why stages that `stages` would have do not take part, a clause each
    run::StageCatalogue catalogue;     // where they are from
    QString reference;                 // of the verdicts; empty: each operation its own
    std::optional<int> exitStatus;     // set: end with it, everything has been said
};

RunRequest parseRun(const QStringList &arguments);

// Gives each operation of the plan those of the implementations that can compute it by their nature. Returns the
// implementations that were asked for and fit none of the operations.
QStringList assignImplementations(run::RunPlan &plan, const QStringList &implementations);

} // namespace stagecraft::commands
