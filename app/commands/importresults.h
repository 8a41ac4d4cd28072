// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

namespace stagecraft::commands {

// On standard output: a line for each operation and implementation with its times, launches and their timing source,
// then where the evidence is.
void printImported(const evidence::Namespace &evidence, const QString &directory);

} // namespace stagecraft::commands
