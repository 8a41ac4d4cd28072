// SPDX-License-Identifier: MIT
#pragma once

#include "backend.h"

namespace stagecraft::worker {

// A span as its clock measured it, in µs. Throws WorkerError(error::failed) for one that is no time: a call that began
// and ended within one tick took less than the clock can tell, which is not 0.
inline double measuredSpan(double us, const char *clock)
{
    if (us > 0)
        return us;
    throw WorkerError(protocol::error::failed,
                      std::string("a call took less than one tick of the ") + clock +
                          ", which therefore cannot time it",
                      "choose larger dims");
}

} // namespace stagecraft::worker
