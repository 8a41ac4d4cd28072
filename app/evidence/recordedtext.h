// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

namespace stagecraft::evidence {

// The driver's version; empty where none is recorded, which mage's summaries write as "unknown".
inline QString recordedDriver(const Namespace &evidence)
{
    return evidence.driver == QLatin1String("unknown") ? QString() : evidence.driver;
}

} // namespace stagecraft::evidence
