// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace stagecraft::commands {

// `stagecraft export NAMESPACE… --output DIR`: views to files.
int runExportCommand(const QStringList &arguments);

} // namespace stagecraft::commands
