// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandparser.h"
#include "workersetup.h"

// Options that say which processes run kernels, read alike by every command that starts them all.
namespace stagecraft::commands {

// Appends --worker, --python and --external.
void addWorkerOptions(CommandSyntax &syntax);

// Returns what is wrong, empty if nothing. Whether what is named is there is for the worker's start to say: it makes
// that worker unavailable, and nothing else.
QString readWorkers(const CommandParser &parser, run::WorkerSetup &workers);

} // namespace stagecraft::commands
