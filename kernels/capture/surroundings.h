// SPDX-License-Identifier: MIT
#pragma once

namespace stagecraft::capture {

// What this process runs inside of, as far as it changes what a person has to do about a refusal.
struct Surroundings
{
    bool wsl = false;       // Windows Subsystem for Linux
    bool container = false; // Docker, Podman, LXC, …
};

Surroundings surroundings();

// Whether STAGECRAFT_CAPTURE_KERNELS says "serialized": then CUPTI holds each kernel apart from its neighbours, which
// adds more than a microsecond to each, instead of leaving them as they run. For comparing instruments.
bool serializesKernels();

} // namespace stagecraft::capture
