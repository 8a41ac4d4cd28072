// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"

#include <utility>

namespace stagecraft::stagefile {

using Macro = std::pair<std::string, std::string>; // name, value

// What NVRTC defines before a stage is compiled: its dims (STAGE_M, STAGE_N, …: integer literals), and what
// stagecraft.cuh makes the parameter list STAGE_ARGS from: STAGE_OPERATION_<NAME>, and STAGE_SCRATCH and
// STAGE_TENSOR_MAPS where the stage has them. The dims must be valid for the stage's operation.
std::vector<Macro> macrosOf(const Stage &stage, const operations::Dims &dims);

} // namespace stagecraft::stagefile
