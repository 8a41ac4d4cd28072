// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compiledstages.h"

namespace stagecraft::commands {

// Stages for people: a table per operation, attempts indented, and below it what changed (listed only) or what is to be
// said of single stages (compiled).
QStringList stagesText(const QList<ListedStage> &stages);

// What did not compile, each cause once, with what to do and the compiler's words; for standard error.
QStringList failureText(const QList<ListedStage> &stages);

} // namespace stagecraft::commands
