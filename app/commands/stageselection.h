// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runplan.h"
#include "stagecatalogue.h"

// `--stages retained|all|OP/ID,…` of a run: which stages take part by name.
namespace stagecraft::commands {

// What is wrong with these words as such, for a run of these operations and a catalogue with the user's own stages;
// empty if nothing.
QString stagesProblem(const QStringList &words, const QStringList &operations, const run::StageCatalogue &catalogue);

// The stages that the words mean, in reading order: `retained` those that come with Stagecraft and are retained, `all`
// attempts and the user's own too. The words must have no problem.
QList<run::CatalogueStage> selectedStages(const QStringList &words, const QStringList &operations,
                                          const run::StageCatalogue &catalogue);

// Takes those that a run of this arithmetic leaves out away from the stages that the words mean, and says of each why
// in `leftOut`. What is wrong, empty if nothing: such a stage was named itself, or none remains.
QString keepToArithmetic(const QStringList &words, const QString &arithmetic, QList<run::CatalogueStage> &stages,
                         QStringList &leftOut);

// Adds each stage to its operation, as implementation cuda/ID behind the others, and the texts to the plan; beside them
// those of the other bundled stages, one of which `cuda` will choose.
void assignStages(run::RunPlan &plan, const QList<run::CatalogueStage> &selected, const run::StageCatalogue &catalogue);

} // namespace stagecraft::commands
