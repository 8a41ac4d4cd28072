// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace stagecraft::commands {

// `stagecraft compare BASE NEW …`
int runCompareCommand(const QStringList &arguments);

} // namespace stagecraft::commands
