// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace stagecraft::commands {

// `stagecraft doctor`: what this machine (or the one behind a prefix) can measure, what it cannot, why, and the fix.
int runDoctorCommand(const QStringList &arguments);

} // namespace stagecraft::commands
