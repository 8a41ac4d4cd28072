// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandtable.h"

#include "checkcommand.h"
#include "comparecommand.h"
#include "doctorcommand.h"
#include "exportcommand.h"
#include "importcommand.h"
#include "runcommand.h"
#include "stagescommand.h"
#include "targetcommand.h"

#include <algorithm>

namespace stagecraft::commands {

const QList<Command> &commandTable()
{
    static const QList<Command> table{
        {QStringLiteral("run"), QStringLiteral("Measure operations, and keep the evidence."), runRunCommand, false},
        {QStringLiteral("export"), QStringLiteral("Write figures and value tables of evidence."), runExportCommand,
         true},
        {QStringLiteral("import"), QStringLiteral("Make evidence of what other tools measured."), runImportCommand,
         false},
        {QStringLiteral("compare"), QStringLiteral("Say what changed between namespaces, and serve as a gate."),
         runCompareCommand, false},
        {QStringLiteral("check"), QStringLiteral("Name what contradicts the format, or itself, in evidence."),
         runCheckCommand, false},
        {QStringLiteral("stages"), QStringLiteral("List the stages of the kernels, and what a compiler says of them."),
         runStagesCommand, false},
        {QStringLiteral("doctor"), QStringLiteral("Say what this machine has, what it lacks, and what to do."),
         runDoctorCommand, false},
        {QStringLiteral("target"), QStringLiteral("Run a kernel for a harness that measures programs by a directory."),
         runTargetCommand, false}};
    return table;
}

const Command *findCommand(const QString &name)
{
    const QList<Command> &table = commandTable();
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Command &command) { return command.name == name; });
    return found == table.end() ? nullptr : &*found;
}

} // namespace stagecraft::commands
