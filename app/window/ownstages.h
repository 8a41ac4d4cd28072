// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stagecatalogue.h"

// The user's own stage files: where they are kept, how they are named, how one is made from another.
namespace stagecraft::window {

// The folder that is suggested where none is chosen: Stagecraft/stages among the user's documents.
QString suggestedStagesFolder();

// FOLDER/OPERATION/ID.cu
QString stagePath(const QString &folder, const QString &operation, const QString &id);

// Whether it holds a subfolder of an operation's name with a .cu file in it.
bool holdsStages(const QString &folder);

// Why no own stage can have this id, as a sentence; empty if one can.
QString stageIdProblem(const QString &id, const QString &operation, const run::StageCatalogue &catalogue);

// An id that is free: "tiled-2" for a copy of tiled.
QString freeStageId(const run::CatalogueStage &from, const run::StageCatalogue &catalogue);

// The text of a new stage: that of `from` with its title, id as label, `after` naming it, status attempt and an
// invitation to say what changed. What holds for the original only goes: `source`, and the comment's paragraph
// "Measured effect.", which says that nothing is measured yet. Everything else, the licence line included, stays as it
// is.
QString copiedStageText(const run::CatalogueStage &from, const QString &id, const QString &title);

// Writes the text atomically and creates the folder; an error that names file and cause, empty on success.
QString writeStageFile(const QString &path, const QString &text);

} // namespace stagecraft::window
