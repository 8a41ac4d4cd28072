// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QApplication;

namespace stagecraft::window {

// Opens the window and runs the event loop. `arguments` is the command line without the program's name: namespaces to
// show, and the options that windowHelp() lists. Returns the exit status (2 for wrong usage).
int runWindow(QApplication &application, const QStringList &arguments);

// Whether these arguments need no display: --screenshot and --help. The platform "offscreen" will do for them.
bool needsNoDisplay(const QStringList &arguments);

// The window's part of the help text: usage and options.
QString windowHelp();

} // namespace stagecraft::window
