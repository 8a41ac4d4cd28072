// SPDX-License-Identifier: GPL-3.0-or-later
// In place of fakecupticounters.cpp and fakecuptisampling.cpp: a CUPTI that only records.
#include "fakecuptistate.h"

void fakecupti::countKernel() {}

int fakecupti::countersActive()
{
    return 0;
}

void fakecupti::endCounters() {}

void fakecupti::sampleKernel(const char *) {}

int fakecupti::samplingActive()
{
    return 0;
}
