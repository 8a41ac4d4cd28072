// SPDX-License-Identifier: MIT
#include "visibledevice.h"

#include "backend.h"

#include <cstdlib>
#include <sstream>

namespace stagecraft::worker {

std::string visibleDevice(int device)
{
    const char *list = std::getenv("CUDA_VISIBLE_DEVICES");
    if (!list)
        return std::to_string(device);
    if (*list == '\0')
        return {};
    std::istringstream entries(list);
    int count = 0;
    for (std::string entry; std::getline(entries, entry, ','); ++count) {
        if (count == device)
            return entry;
    }
    throw WorkerError(protocol::error::unavailable,
                      "GPU " + std::to_string(device) + " was asked for, but CUDA_VISIBLE_DEVICES names " +
                          std::to_string(count),
                      "choose another GPU, or add it to CUDA_VISIBLE_DEVICES");
}

} // namespace stagecraft::worker
