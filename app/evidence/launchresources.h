// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

namespace stagecraft::evidence {

// What one kernel launch takes, as a progression's `resources` record it. Bytes and threads are counts of one block,
// local and spill bytes of one thread. An absent value is "not recorded".
struct LaunchResources
{
    QString entry;                                 // the kernel's name
    QString grid, block;                           // "x,y,z"
    std::optional<qint64> blocks, threadsPerBlock; // products of the two
    std::optional<int> registersPerThread, barriers, residentThreadsPerSm;
    std::optional<qint64> sharedMemBytes, localBytes, spillBytes;
};

// A stage's launches in order. `resources` holds either the keys of its only launch (blocks, threads_per_block, grid,
// block, registers_per_thread, shared_mem_bytes, local_bytes, spill_bytes, barriers, resident_threads_per_sm, entry),
// as the field note's progression does, or a list `launches` of such objects; beside them `counts`. What has the wrong
// type counts as not recorded. Empty where nothing is recorded.
QList<LaunchResources> launchResources(const nlohmann::json &resources);

// The other way: flat for one launch, a list for several.
nlohmann::json launchResourcesJson(const QList<LaunchResources> &launches);

// {"shared reads per multiply-add": 0.5}: the countable things of a stage, from its `resources`.
QMap<QString, double> stageCounts(const nlohmann::json &resources);

} // namespace stagecraft::evidence
