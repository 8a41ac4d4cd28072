// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jsonnode.h"

// What a progression says of itself must hold: ratios and means are computed again from the numbers beside them.
// Internal to this library.
namespace stagecraft::evidence {

// `predicted` against a ratio of two counts, `measured` against that of the times with the same labels.
void checkExperiment(const JsonNode &node, const ProgressionExperiment &experiment);

// `mean` against the runs, and one number for each run.
void checkAb(const JsonNode &node, const ProgressionAb &ab);

// Whether a time stands there: a finite number above 0. Reports nothing.
bool hasTime(const JsonNode &node, const char *key);

// The time, or nothing and a contradiction where none stands there.
std::optional<double> requiredTime(const JsonNode &node, const char *key);

// A time that is there has no reason to be missing.
void checkKernelState(const JsonNode &node, State kernelState);

} // namespace stagecraft::evidence
