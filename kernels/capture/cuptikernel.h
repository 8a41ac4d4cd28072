// SPDX-License-Identifier: MIT
#pragma once

#include "iterationmatching.h"

#include <cupti_activity.h>
#include <cupti_version.h>

// CUPTI's kernel record as a plain value. For the per-major sources only: STAGECRAFT_CUPTI_MAJOR is 12 or 13, and each
// major has a namespace of its own, since both are linked into one program.
#ifndef STAGECRAFT_CUPTI_MAJOR // the build says it; read alone, as an editor does, it is that of the headers found
#define STAGECRAFT_CUPTI_MAJOR (CUPTI_API_VERSION >= 130000 ? 13 : 12)
#endif
#if STAGECRAFT_CUPTI_MAJOR == 12
#define STAGECRAFT_CUPTI_NAMESPACE cupti12
#elif STAGECRAFT_CUPTI_MAJOR == 13
#define STAGECRAFT_CUPTI_NAMESPACE cupti13
#else
#error "STAGECRAFT_CUPTI_MAJOR must be 12 or 13"
#endif

namespace stagecraft::capture::STAGECRAFT_CUPTI_NAMESPACE {

#if STAGECRAFT_CUPTI_MAJOR == 12
using ActivityKernel = CUpti_ActivityKernel9;
#else
using ActivityKernel = CUpti_ActivityKernel10;
#endif

inline RawKernel rawKernel(const ActivityKernel &record)
{
    RawKernel kernel;
    kernel.name = record.name ? record.name : "";
    kernel.start = record.start;
    kernel.end = record.end;
    kernel.correlationId = record.correlationId;
    kernel.grid = {record.gridX, record.gridY, record.gridZ};
    kernel.block = {record.blockX, record.blockY, record.blockZ};
    kernel.registersPerThread = record.registersPerThread;
    kernel.staticSharedBytes = record.staticSharedMemory;
    kernel.dynamicSharedBytes = record.dynamicSharedMemory;
    kernel.localBytesPerThread = record.localMemoryPerThread;
    return kernel;
}

} // namespace stagecraft::capture::STAGECRAFT_CUPTI_NAMESPACE
