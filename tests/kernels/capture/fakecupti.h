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

// A kernel that ran; delivered at the next flush if kernels are being recorded, counted if they are being counted. Grid
// 3×2×1, block 32×4×1, 40 registers, 1024 + 512 bytes of shared memory, 16 bytes of local.
void fakeCuptiKernel(const char *name, std::uint32_t correlationId, std::uint64_t start, std::uint64_t end);

// Records, or kernels that were to be counted, that CUPTI says it lost.
void fakeCuptiDrop(std::uint32_t records);

// 1 where the kernels that were asked for last are to be held apart, 0 where they run as they do.
int fakeCuptiSerialized(void);

// Bit 0: subscribed, bit 1: kernels are recorded, bit 2: API calls are told, bit 3: the four profiler calls are told,
// bit 4: what recording adds to launches is still there, bit 5: the profiler is initialized, bit 6: it is enabled,
// bit 7: kernels are counted, bit 8: an object that knows metrics is there, bit 9: samples are
// taken.
int fakeCuptiActive(void);

// What keeps the GPU from being counted, by the name that CUPTI gives it ("wsl"); nullptr: nothing. The environment's
// STAGECRAFT_FAKE_CUPTI_LACKS goes first.
void fakeCuptiLack(const char *what);

// The functions of the profilers that were called since the last time, with blanks between. Metrics that begin with
// "absent__" are not there; "nan__" and "negative__" have such values.
const char *fakeCuptiTakeCalls(void);
}
