// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "countchecks.h"
#include "experimentratios.h"

// The experiments that the view of predictions shows: those that the evidence records, and of operations without any
// those that follow from what successive stages declare. Internal to the views.
namespace stagecraft::views {

// Ratios that are no further apart than this agree.
inline constexpr double kRatiosAgreeWithin = 0.1;

struct PredictionRow
{
    QString operation;
    evidence::ProgressionExperiment experiment;
    bool fromStages = false;                    // not recorded, but made of two stages
    bool hasCounters = false;                   // of stages whose thing hardware can count, and counters are recorded
    std::optional<LabelledRatio> count, time;   // of what is counted in the code, and of the times
    std::optional<LabelledRatio> counted;       // of what the hardware counted
    QString reason;                             // why nothing was counted
    std::optional<double> countedRatio() const; // numerator ÷ denominator
    QString limitWords() const;                 // where counts agree and time does not; else empty
};
// Those of which the options ask for either kernel.
QList<PredictionRow> predictionRows(const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
