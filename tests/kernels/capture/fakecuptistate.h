// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cuptikernel.h"

#include <cstdint>
#include <cupti_result.h>

// What the parts of the made-up libcupti tell each other: fakecupti.cpp with the records, fakecupticounters.cpp with
// the counters, fakecuptisampling.cpp with the samples.
namespace fakecupti {

// The result that the function was told to return, or that the environment names.
CUptiResult answer(const char *function);

// Since cuptiFinalize, until somebody subscribes: everything but subscribing then says that CUPTI is not initialized.
bool isGone();

// The ranges that are said to be lost, once.
std::size_t takeDropped();

// The counters' part. A kernel was launched; what is on, as bits of fakeCuptiActive(); cuptiFinalize was called.
void countKernel();
int countersActive();
void endCounters();

// The samples' part. A kernel was launched; what is on.
void sampleKernel(const char *name);
int samplingActive();

} // namespace fakecupti
