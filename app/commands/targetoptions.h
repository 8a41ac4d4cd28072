// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandparser.h"
#include "inputs.h"
#include "stage.h"

namespace stagecraft::commands {

// What `stagecraft target` was asked for.
struct TargetRequest
{
    std::optional<int> exitStatus; // end with it at once: everything has been said
    QString directory;             // as the user named it
    QString name, implementation;
    QString python;                        // the interpreter of the Python worker; empty: what WorkerSetup says then
    operations::InputManifest manifest;    // of the directory, with the counts of this run: both are there
    std::optional<stagefile::Stage> stage; // nullopt: the implementation's own choice
    bool bracket = false;                  // the timed part, for an instrument of the harness

    QString outputName() const { return name + QStringLiteral("-output.bin"); }
    QString timingName() const { return name + QStringLiteral("-timing.json"); }
    QString path(const QString &file) const { return directory + QLatin1Char('/') + file; }
};

CommandSyntax targetSyntax();

// Reads input.json too.
TargetRequest parseTarget(const QStringList &arguments);

} // namespace stagecraft::commands
