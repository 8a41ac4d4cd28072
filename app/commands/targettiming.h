// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"
#include "targetoptions.h"

namespace stagecraft::commands {

double meanOf(const std::vector<double> &samplesUs); // at least one

// Writes NAME-timing.json: the keys of the directory contract, and which implementation and stage the samples are of
// and by which clock. Whole or not at all. Returns what went wrong, empty if nothing.
QString writeTiming(const TargetRequest &request, const protocol::PrepareResult &prepared,
                    const std::vector<double> &samplesUs);

} // namespace stagecraft::commands
