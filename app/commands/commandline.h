// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandtable.h"

// What the program was asked for: `stagecraft [NAMESPACE…]`, `stagecraft COMMAND …`, help or version.
namespace stagecraft::commands {

struct Invocation
{
    enum Kind
    {
        Window,  // open the window
        Run,     // run `command`
        Answered // help, version or a complaint has been printed: end with exitStatus
    } kind = Answered;
    const Command *command = nullptr;
    // What follows the command; for the window all arguments, with names of bundled evidence at the front replaced by
    // what evidence::readNamespace() takes.
    QStringList arguments;
    int exitStatus = ExitDone;
};

// `arguments` is the command line without the program's name. Needs a QCoreApplication (any kind).
Invocation interpretCommandLine(const QStringList &arguments);

QString programHelp();

// What works without a display, for whoever has none.
QString headlessHint();

// The program's exit status after everything has been printed: 1, with a line on standard error, where standard output
// did not take all of it (a full disk, a closed descriptor).
int confirmOutput(int status);

} // namespace stagecraft::commands
