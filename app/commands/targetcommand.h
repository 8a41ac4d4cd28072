// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace stagecraft::commands {

// `stagecraft target`: this project's own side of the directory contract, for a harness that measures several programs.
int runTargetCommand(const QStringList &arguments);

} // namespace stagecraft::commands
