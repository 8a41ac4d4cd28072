// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runplan.h"

namespace stagecraft::window {

// A protocol under a name, for the menus: how often everything is measured.
struct ProtocolPreset
{
    QString title, toolTip;
    int rounds = 0, warmup = 0, iterations = 0, captureIterations = 0;
};

// The project's default first, then the field note's, then a quick look.
const QList<ProtocolPreset> &protocolPresets();

void applyPreset(const ProtocolPreset &preset, run::RunPlan &plan);
int presetIndex(const run::RunPlan &plan); // −1 where none fits

// "5 × 100, 25 warm-up, warm", with ", exact FP32" where other arithmetic is left out, ", 5 runs" where there are
// several and ", no capture" where kernel time is not captured.
QString protocolSummary(const run::RunPlan &plan);

// "0:38", "1:02:05"; rounded up, so that it never says 0:00 while something remains.
QString durationText(qint64 milliseconds);

} // namespace stagecraft::window
