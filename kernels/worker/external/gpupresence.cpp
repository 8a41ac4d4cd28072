// SPDX-License-Identifier: MIT
#include "gpupresence.h"

#include "sharedlibrary.h"

#include <algorithm>
#include <array>

namespace stagecraft::worker {

bool gpuMayBeHere(const std::filesystem::path &devices)
{
    constexpr std::array names{"nvidiactl", "nvidia0", "dxg"};
    const auto exists = [&](const char *name) {
        std::error_code error;
        return std::filesystem::exists(devices / name, error);
    };
    return std::ranges::any_of(names, exists) || capture::SharedLibrary::load("libcuda.so.1").loaded();
}

} // namespace stagecraft::worker
