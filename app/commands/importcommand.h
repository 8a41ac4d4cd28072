// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandparser.h"

namespace stagecraft::commands {

CommandSyntax importSyntax();

// `stagecraft import FILE… --output DIR`: measurements of other tools as evidence.
int runImportCommand(const QStringList &arguments);

} // namespace stagecraft::commands
