// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

// What a test tells the made-up libcupti (fakecupti.cpp), found in the loaded library by these names.
extern "C" {

// From now on the function returns this CUptiResult; nullptr: every function works.
void fakeCuptiRefuse(const char *function, int result);

// What cuptiGetVersion says; 0: it fails.
void fakeCuptiSetVersion(std::uint32_t version);

// A call into CUDA, as CUPTI tells its subscriber of one. runtime: through the runtime API, else the driver's.
void fakeCuptiCall(std::uint32_t correlationId, int runtime);

// One of the profiler calls: through the runtime or the driver, a start or a stop, its entry or its exit.
void fakeCuptiProfilerCall(int runtime, int start, int exit);

// A kernel that ran; delivered at the next flush if kernels are being recorded. Grid 3×2×1, block 32×4×1, 40 registers,
// 1024 + 512 bytes of shared memory, 16 bytes of local.
void fakeCuptiKernel(const char *name, std::uint32_t correlationId, std::uint64_t start, std::uint64_t end);

// Records that CUPTI says it lost.
void fakeCuptiDrop(std::uint32_t records);

// 1 where the kernels that were asked for last are to be held apart, 0 where they run as they do.
int fakeCuptiSerialized(void);

// Bit 0: subscribed, bit 1: kernels are recorded, bit 2: API calls are told, bit 3: the four profiler calls are told,
// bit 4: what recording adds to launches is still there.
int fakeCuptiActive(void);
}
