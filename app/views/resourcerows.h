// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launchresources.h"
#include "viewcatalogue.h"

// What each kernel launch takes of a multiprocessor (SM) and how much of it runs at once. Internal to the views.
namespace stagecraft::views {

// What one SM of the GPU holds, as far as the evidence says which GPU it was.
struct SmFacts
{
    std::optional<int> sms, threads; // SMs of the GPU; resident threads that one can hold
    QString computeCapability;       // "8.9"; empty where it is not recorded
};
SmFacts smFacts(const evidence::Namespace &evidence);

struct Residency
{
    std::optional<int> threads;  // resident on an SM at most
    QString source;              // of threads: "driver", "calculated", or "grid" where it has too few blocks for them
    QString limitedBy;           // "registers", "the grid, …"; empty where it cannot be told
    std::optional<double> waves; // blocks of the grid ÷ blocks that the GPU holds at once
    std::optional<int> blocksPerSm;
    QString reason; // why there are no threads
};

// The kernel's fit (the driver's figure where it is recorded, else calculated from registers, shared memory and the
// compute capability), or what the grid gives where it has fewer blocks than would fit.
Residency residency(const evidence::LaunchResources &launch, const SmFacts &facts);

struct ResourceRow
{
    QString operation;
    QList<qint64> dims;
    QString kind;           // "stage", "attempt", "implementation"
    QString id, label;      // the stage's or the implementation's
    QString implementation; // for the colour
    evidence::LaunchResources launch;
    int launchNumber = 0, launchCount = 1;
    Residency residency;
};

// Stages and attempts with recorded resources, then implementations that are none of them, from their kernel records;
// by operation and dims.
QList<ResourceRow> resourceRows(const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
