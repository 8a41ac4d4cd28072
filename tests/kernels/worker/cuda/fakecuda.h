// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

// What the made-up libcuda offers to the made-up libraries that run on it.
extern "C" {

// Adds a line to the log that the test asked for.
void fakeCudaNote(const char *line);

// Adds a line "arrays 0x… 0x… 0x…" of what a call reads and writes, where STAGECRAFT_FAKE_CUDA_ARRAYS asks for it.
void fakeCudaArrays(const void *a, const void *b, const void *out);

// A kernel was launched, and takes this long.
void fakeCudaLaunch(const char *kernel, double milliseconds);

// Since the process began, by what was launched.
double fakeCudaMilliseconds();

// Whether so many bytes lie within one allocation of device memory.
bool fakeCudaHolds(const void *memory, std::size_t bytes);

// Objects made (or, negative, destroyed) that must be gone when the GPU is released.
void fakeCudaCount(int objects);
}
