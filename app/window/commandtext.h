// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace stagecraft::window {

// Words as one line that QProcess::splitCommand() splits into the same words. That has no way to write an empty word:
// such a word is left out.
QString commandText(const QStringList &words);

} // namespace stagecraft::window
