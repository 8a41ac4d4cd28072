// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace stagecraft::capture {

// What is counted of a kernel unless other metrics are named: what says how busy each part of the GPU was, how many
// warps there were to hide a wait, what they waited for, and what the kernel did, in numbers that can be compared with
// a stage's own. Their names are those of Nsight Compute. On GPUs of compute capability 7.5 to 12 each is there or told
// as missing: wgmma to wait for is Hopper's alone, TF32 and asynchronous copies are of 8.0 on, Blackwell does not tell
// waits for constants, and GeForce Blackwell no DRAM bytes.
//
// Percentages of peak are of the elapsed time, not of the active cycles, so that all stand on one scale; the mean of
// active cycles over the elapsed ones says what the two differ by.
const std::vector<std::string> &usualMetrics();

} // namespace stagecraft::capture
