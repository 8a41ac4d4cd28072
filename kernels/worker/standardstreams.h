// SPDX-License-Identifier: MIT
#pragma once

namespace stagecraft::worker {

// The descriptors of the protocol. Both are closed on exec.
struct ProtocolDescriptors
{
    int in = -1;
    int out = -1;
};

// Moves standard input and output aside: descriptor 0 becomes the null device, descriptor 1 a copy of descriptor 2.
// Throws std::system_error where the process has no descriptor left or was started without 0 or 1.
ProtocolDescriptors claimStandardStreams();

} // namespace stagecraft::worker
