// SPDX-License-Identifier: MIT
#pragma once

#include "stagecompiler.h"

// A stage's launches and the kernels that its source was compiled to.
namespace stagecraft::worker {

// The names of the kernels in compiled code, machine code or PTX, in alphabetical order.
std::vector<std::string> entriesOf(const CompiledCode &code);

// Throws WorkerError(failed) where a launch names an entry that the source lacks: names the ones that there are.
void requireEntries(const stagefile::Stage &stage, const CompiledCode &code);

// What each launch takes, in order, with its dynamic shared bytes added to the static ones. Throws WorkerError(failed)
// where the compiler does not say it, as for PTX.
std::vector<protocol::KernelResources> launchResources(const stagefile::Stage &stage, const CompiledCode &code);

} // namespace stagecraft::worker
