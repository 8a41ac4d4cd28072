// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

// The subcommands of the program: `stagecraft NAME ARGUMENTS…`.
namespace stagecraft::commands {

// How every command ends (design.md section 8).
enum ExitStatus
{
    ExitDone = 0,
    ExitFailed = 1,
    ExitUsage = 2
};

struct Command
{
    QString name;    // "export"
    QString summary; // one line for `stagecraft --help`
    // `arguments` holds what follows the command's name on the command line. Runs after the application object exists
    // and returns an ExitStatus; a command that needs an event loop runs QCoreApplication::exec() itself. --help and
    // wrong usage are its own to answer, best with CommandParser (commandparser.h).
    int (*run)(const QStringList &arguments) = nullptr;
    bool needsGui = false; // draws figures, so that a QApplication must exist (the offscreen platform will do)
};

const QList<Command> &commandTable(); // in the order of the help text

const Command *findCommand(const QString &name); // nullptr for an unknown name

} // namespace stagecraft::commands
