// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

#include <string_view>

namespace stagecraft::worker {

// What ptxas says of each kernel under --verbose: registers, barriers, static shared bytes, stack (local) bytes and
// bytes of spill stores. Lines of other kinds are passed over, so that a release that words one differently costs that
// figure only.
std::vector<protocol::KernelResources> resourcesInLog(std::string_view log);

} // namespace stagecraft::worker
