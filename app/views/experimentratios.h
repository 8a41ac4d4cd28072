// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

// The two numbers behind a ratio of an experiment. Internal to the views.
namespace stagecraft::views {

// numerator ÷ denominator of {LABEL: number, LABEL: number}.
struct LabelledRatio
{
    QString what; // the countable thing: "shared reads per multiply-add"; for times the metric
    QString numeratorLabel, denominatorLabel;
    double numerator = 0, denominator = 0;
};

// The count whose two values give the predicted ratio, either way round, best; nullopt where no count has two values.
std::optional<LabelledRatio> countedRatio(const evidence::ProgressionExperiment &experiment);

// The times of the same two labels, where both are recorded.
std::optional<LabelledRatio> measuredRatio(const evidence::ProgressionExperiment &experiment);

} // namespace stagecraft::views
