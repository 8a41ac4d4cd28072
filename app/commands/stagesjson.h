// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compiledstages.h"

namespace stagecraft::commands {

// Stages for programs: an array of objects. Compiled for one architecture, an object has the figures itself, each the
// largest over the stage's launches (of resident threads the smallest); in any case `compiled` has them by
// architecture.
nlohmann::json stagesJson(const QList<ListedStage> &stages);

} // namespace stagecraft::commands
