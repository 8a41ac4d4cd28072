// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checklist.h"
#include "workerprocess.h"

#include <filesystem>

namespace stagecraft::tests {

// What the worker says of the machine: its self-test was recorded, its device and libraries are named.
void checkDevice(Checklist &list, const protocol::DescribeResult &description);

// Every stage of every operation, and cuBLAS, over the default dims and odd ones: correct; at the default dims measured
// and captured too.
void checkWork(Checklist &list, WorkerProcess &worker, const protocol::DescribeResult &description,
               const std::filesystem::path &stages, const std::filesystem::path &scratch);

// What goes wrong: inputs that differ, a cancelled measurement, kernels that write nothing, fault or never end.
void checkFaults(Checklist &list, const std::string &program, const std::filesystem::path &stages,
                 const std::filesystem::path &scratch);

} // namespace stagecraft::tests
