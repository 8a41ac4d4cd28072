// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandparser.h"

#include <QMap>

// The command line of `stagecraft stages`.
namespace stagecraft::commands {

CommandSyntax stagesSyntax();

struct StagesRequest
{
    QStringList operations;
    QString ownFolder;                 // empty: only the stages that come with Stagecraft
    QStringList architectures;         // to compile for; empty: not at all
    QMap<QString, QList<qint64>> dims; // of an operation, where not its default
    QString cubinFolder;               // empty: none are written
    QString machineCodeFolder;         // likewise, of PTX and machine code as text
    QStringList workerPrefix;
    bool json = false;
    std::optional<int> exitStatus; // set: end with it, everything has been said
};

StagesRequest parseStages(const QStringList &arguments);

} // namespace stagecraft::commands
