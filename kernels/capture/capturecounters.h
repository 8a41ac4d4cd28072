// SPDX-License-Identifier: MIT
#pragma once

#include "capturenode.h"
#include "counterprofiler.h"

// The counters of a bracket as a capture file has them.
namespace stagecraft::capture {

nlohmann::json countersJson(const CounterReading &reading);

// Trusts nothing. Throws CaptureFileError.
CounterReading readCounters(const CaptureNode &node);

} // namespace stagecraft::capture
