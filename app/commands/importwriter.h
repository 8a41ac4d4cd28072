// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

namespace stagecraft::commands {

// Writes the namespace into `directory`, which does not exist or is empty (run::outputProblem() says so): whole, or not
// at all. An error text, or empty.
QString writeWhole(const evidence::Namespace &evidence, const QString &directory);

} // namespace stagecraft::commands
