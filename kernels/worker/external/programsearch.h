// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace stagecraft::worker {

struct FoundProgram
{
    std::string path;        // with a '/' in it; empty where there is none
    std::string reason, fix; // why none, and what to do; without any folder
};

// Looks for a program as execvp() does: a name with '/' is a file, another one is looked for in each folder of PATH.
FoundProgram findProgram(const std::string &program);

// "harness" of "bin/harness": what a message or evidence calls it.
std::string programName(const std::string &program);

} // namespace stagecraft::worker
