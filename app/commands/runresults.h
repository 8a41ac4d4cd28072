// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

namespace stagecraft::commands {

// A run's value table on standard output, below it the verdict on each implementation against this project's kernels
// (or against the first, where those are not among them), and where the evidence is.
void printResults(const evidence::Namespace &evidence, const QString &directory);

} // namespace stagecraft::commands
