// SPDX-License-Identifier: MIT
#pragma once

#include "cuptirefusal.h"

#include <optional>

namespace stagecraft::capture {

// Waits for the work of this thread's CUDA context, through the driver that the process has loaded; without a context
// there is nothing to wait for. nullopt when done; else why the GPU did not come to the end of it.
std::optional<Refusal> waitForGpu();

// The CUDA version that the loaded driver stands for (12080, say); 0 where none is loaded.
int loadedDriverVersion();

} // namespace stagecraft::capture
