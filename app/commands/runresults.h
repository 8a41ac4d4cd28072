// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

namespace stagecraft::commands {

// A run's value table on standard output, below it the verdict on each implementation against the reference, and where
// the evidence is. Without a reference each operation has its own: this project's kernels where they were measured,
// else the first one measured in the run's order. What hardware counters came to stands between them, where the run
// asked for any.
void printResults(const evidence::Namespace &evidence, const QString &directory, const QString &reference);

} // namespace stagecraft::commands
