// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace stagecraft::commands {

// `stagecraft stages`: lists stages and, where asked to, what a compiler says of them; needs no GPU.
int runStagesCommand(const QStringList &arguments);

} // namespace stagecraft::commands
