// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace stagecraft::worker {

// From here on what a child leaves behind becomes a child of this process, so that nothing escapes endChildren(), not
// even what has left the process group.
void adoptDescendants();

// Kills every child of this process, then what those leave behind, until there is none. Returns false where one does
// not end within this time, as one that waits inside a driver.
bool endChildren(std::chrono::milliseconds patience = std::chrono::seconds(2));

} // namespace stagecraft::worker
