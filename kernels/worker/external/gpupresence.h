// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace stagecraft::worker {

// Whether a program may find a GPU here: NVIDIA's device is in this folder (WSL's is dxg), or this process can load the
// driver's library. Either is enough, since a program may have another search path than this process. Loads the library
// without initializing it.
bool gpuMayBeHere(const std::filesystem::path &devices = "/dev");

} // namespace stagecraft::worker
