// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "instructionmix.h"
#include "occupancy.h"
#include "stagecatalogue.h"
#include "stagecompiler.h"
#include "stagesoptions.h"

namespace stagecraft::commands {

// One launch of a stage, as it was compiled.
struct CompiledLaunch
{
    protocol::KernelResources resources;
    qint64 threadsPerBlock = 0;
    std::optional<stagefile::Occupancy> occupancy; // what one multiprocessor holds
    QString noOccupancy;                           // why it is absent
    std::optional<run::InstructionMix> mix = {};   // of its machine code, where that was asked for and read
};

// What became of one stage for one architecture.
struct CompiledStage
{
    QString architecture;
    enum State
    {
        Compiled,
        Failed,
        Unavailable, // no compiler, or the stage is made for another GPU
        Invalid      // the stage is made for other dims
    } state = Compiled;
    bool made = false; // it went to the compiler: what is not Compiled then makes the command fail
    QString reason, fix, log;
    QList<CompiledLaunch> launches;
    QString noMachineCode, machineCodeFix; // why there is none, where it was asked for
};

struct ListedStage
{
    run::CatalogueStage entry;
    QList<CompiledStage> compiled; // one per architecture, in the order asked for

    bool failed() const; // for one of them
    bool lacksMachineCode() const;
    // Local memory or spills for one of them; whether on purpose says the stage's localMemory.
    bool usesLocalMemory() const;
};

QString stateWord(CompiledStage::State state);        // "compiled", "failed", …
QString limitWord(stagefile::Occupancy::Limit limit); // "registers", "shared memory", …

// Each attempt below the stage that it was compared with, retained stages in the order of their progression.
QList<run::CatalogueStage> inReadingOrder(const QList<run::CatalogueStage> &stages);

// Compiles every stage for every architecture of the request, with progress on standard error; without architectures
// they are only listed.
QList<ListedStage> compileStages(const QList<run::CatalogueStage> &stages, const StagesRequest &request);

} // namespace stagecraft::commands
