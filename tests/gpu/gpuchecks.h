// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checklist.h"
#include "contender.h"
#include "stagefit.h"
#include "workerprocess.h"

#include <filesystem>

namespace stagecraft::tests {

// What the worker says of the machine: its self-test was recorded, its device and libraries are named.
void checkDevice(Checklist &list, const protocol::DescribeResult &description);

// Every stage, and each operation of every implementation that is available. Points into `stages`.
std::vector<Contender> contenders(const protocol::DescribeResult &description,
                                  const std::vector<stagefile::Stage> &stages);

// At the default dims: correct, measured and captured.
void checkWork(Checklist &list, WorkerProcess &worker, const std::vector<Contender> &contenders,
               const std::filesystem::path &scratch);

// Over odd dims and made inputs: correct; or, where the stage's `requires` excludes the dims, refused by name, and the
// implementation `cuda` runs the last retained stage that fits and names those it passed over.
void checkContract(Checklist &list, WorkerProcess &worker, const std::vector<Contender> &contenders,
                   const std::vector<stagefile::Stage> &stages, const stagefile::GpuFacts &gpu,
                   const std::filesystem::path &scratch);

// Stages of matmul with ±Inf, NaN and FLT_MAX in both inputs: each output is what FP32 gives, in whatever arithmetic
// the stage computes.
void checkPlanted(Checklist &list, WorkerProcess &worker, const std::vector<Contender> &contenders,
                  const stagefile::GpuFacts &gpu, const std::filesystem::path &scratch);

// What stages declare to read from shared memory against hardware counters, and samples of where their warps wait;
// skipped where the driver allows no counters.
void checkCounters(Checklist &list, const WorkerCommand &command, const std::vector<Contender> &contenders,
                   const stagefile::GpuFacts &gpu);

// Each contender once at a few small odd dims: correct, or skipped where it is unavailable.
void checkFewDims(Checklist &list, WorkerProcess &worker, const std::vector<Contender> &contenders);

// The worker ends in an orderly way: for a tool that watches it.
void checkEnd(Checklist &list, WorkerProcess &worker);

// PyTorch and Triton in the user's Python: each of their implementations with every operation at the default dims, as
// checkWork, the eager one's launches as they were found; two of them over a few odd dims; and, for the reader, spans
// with and without the capture library.
void checkPeers(Checklist &list, const WorkerCommand &python, const std::filesystem::path &scratch);

// What goes wrong: inputs that differ, a cancelled measurement, kernels that write nothing, fault or never end.
void checkFaults(Checklist &list, const WorkerCommand &command, const std::filesystem::path &stages,
                 const std::filesystem::path &scratch);

} // namespace stagecraft::tests
