// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

namespace stagecraft::commands {

// What a run's hardware counters came to, a line for each implementation of an operation below a heading: how many
// metrics of how many kernels, or why there are none. Empty where the run did not ask for any.
QStringList countersBlock(const evidence::Namespace &evidence);

} // namespace stagecraft::commands
