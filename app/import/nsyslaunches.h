// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foreigndatabase.h"

namespace stagecraft::import {

// A kernel launch as an Nsight Systems export records it.
struct NsysLaunch
{
    std::optional<qint64> startNs, endNs;
    qint64 process = 0;     // serialized, without a thread; 0: not recorded
    qint64 correlation = 0; // of the API call that launched it; 0: not recorded
    qint64 device = 0;
    evidence::KernelRecord record; // its kernel's full name, and 0 where the duration is none above 0
};

// Every launch, in the order of their starts. What the tables lack is said in `file`, with what it costs; an error
// where there are no kernels.
QList<NsysLaunch> readNsysLaunches(ForeignDatabase &database, ForeignFile &file, const Cancelled &cancelled);

} // namespace stagecraft::import
