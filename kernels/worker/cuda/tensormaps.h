// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"
#include "workload.h"

namespace stagecraft::worker {

// The tensor maps of a stage over these arrays, in the order of its parameters map0, map1, …: FLOAT32, row-major,
// element strides of 1, zeros beyond the edges. Each is passed to the kernel by value; they hold addresses, so every
// copy of the arrays needs its own. Throws WorkerError: unavailable where the driver has no cuTensorMapEncodeTiled,
// invalid where the dims do not allow a map, failed where the driver refuses one (it names the map).
std::vector<CUtensorMap> encodeTensorMaps(const stagefile::Stage &stage, const operations::Dims &dims,
                                          const DeviceArrays &arrays);

} // namespace stagecraft::worker
