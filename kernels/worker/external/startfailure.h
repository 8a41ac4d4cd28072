// SPDX-License-Identifier: MIT
#pragma once

#include "backend.h"

namespace stagecraft::worker {

// Why execve() refused a file that is there and may be executed, by its errno and what the file begins with: no program
// and no script, a program for another machine, or a script whose interpreter is missing (error::unavailable); anything
// else is error::failed. Names no folder.
WorkerError notStarted(const std::string &path, int cause);

} // namespace stagecraft::worker
