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

} // namespace stagecraft::capture
