// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace stagecraft::commands {

// `stagecraft run --output DIR`: measures without a window and writes a namespace.
int runRunCommand(const QStringList &arguments);

} // namespace stagecraft::commands
