// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

// What stages declare that they do against what the hardware counted. Internal to the views.
namespace stagecraft::views {

// Beyond this deviation a declaration and its count are said to differ: what a driver adds to a launch, and lanes
// without work at the edges, stay below it.
inline constexpr double kMostDeviationPercent = 1;

// What a stage's `counts` say that hardware can confirm: "shared reads per multiply-add". The table of all stands in
// resources/help/counters.md.
QStringList confirmableCounts();

// One declared count of one stage, or of an attempt.
struct CountCheck
{
    QString operation, stage; // "matmul", "tiled"
    QList<qint64> dims;
    QString what;
    double declared = 0;
    std::optional<double> counted;
    bool withEmptyReads = false;                 // among what was counted, or it may be
    bool besideTheCopyEngine = false;            // whose bytes pass no load and no store: they are not counted
    evidence::State state = evidence::State::Ok; // of the stage's counters
    QString reason;                              // why it is not counted

    std::optional<double> deviationPercent() const; // of the counted from the declared
    bool differs() const;                           // by more than kMostDeviationPercent
    QString doubt() const; // why a deviation may be none of the declaration's; empty where it is or there is none
    bool isUndecided() const { return !doubt().isEmpty(); }
    bool agrees() const;
};

// Of all stages and attempts that declare something which hardware can confirm, in the progression's order; of those
// that the options ask for.
QList<CountCheck> countChecks(const evidence::Namespace &evidence, const ViewOptions &options = {});

// Whether the options ask for a stage by its own name, or for the kernels of this project, of which it is one.
bool isAskedFor(const QString &stage, const ViewOptions &options);

} // namespace stagecraft::views
