// SPDX-License-Identifier: GPL-3.0-or-later
// In place of fakecupticounters.cpp: a CUPTI from before the Range Profiler.
#include "fakecuptistate.h"

void fakecupti::countKernel() {}

int fakecupti::countersActive()
{
    return 0;
}

void fakecupti::endCounters() {}
