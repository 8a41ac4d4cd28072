// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace stagecraft::worker {

// What CUDA_VISIBLE_DEVICES must be for a program that shall see this GPU alone, as its first one. Where this process
// has such a list itself, the device is counted in it, as CUDA does; an empty list, which hides every GPU, stays.
// Throws WorkerError(error::unavailable) where the list is shorter.
std::string visibleDevice(int device);

} // namespace stagecraft::worker
