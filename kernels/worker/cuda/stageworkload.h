// SPDX-License-Identifier: MIT
#pragma once

#include "workload.h"

#include <memory>

namespace stagecraft::worker {

// Compiles a stage for the GPU at hand, once, and readies its launches on every copy of the arrays. Throws WorkerError:
// unavailable where the stage does not fit the GPU or NVRTC is missing, invalid where it does not fit the dims, failed
// where it does not compile or load.
std::unique_ptr<Workload> prepareStage(const stagefile::Stage &stage, const operations::Dims &dims, const Gpu &gpu,
                                       ArrayCopies copies, const std::string &remark = {});

} // namespace stagecraft::worker
