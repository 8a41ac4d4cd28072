// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace stagecraft::commands {

// `stagecraft check NAMESPACE…`: reads evidence and names what contradicts its format or itself.
int runCheckCommand(const QStringList &arguments);

} // namespace stagecraft::commands
