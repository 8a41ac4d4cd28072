// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparisonplan.h"
#include "figurepage.h"

namespace stagecraft::window {

// What the controls of the Compare page offer and say about one plan.
struct ComparisonFacts
{
    ComparisonPlan plan;
    QStringList operations;                     // of any of the namespaces
    QStringList unchanged;                      // of these: as the reader says, else as the evidence does
    QList<evidence::ImplementationPair> likely; // that are not paired yet
    QStringList differing;                      // what besides the results differs: "GPU", "driver", …
    QStringList differences;                    // the same with both sides and what it means, a line each
};

// Pure, and reads every sample: not for the event loop. `cancelled` as of buildPage().
ComparisonFacts comparisonFacts(const ComparisonPlan &plan, const Cancelled &cancelled = {});

// The page's figure and table. Fewer than two namespaces: a page whose hint says what to do.
FigurePage buildComparePage(const QList<EvidenceListModel::Entry> &entries, const ComparisonState &state,
                            const Cancelled &cancelled = {});

// What the view is built with: the last of the others against the base and those between. The plan outlives them.
views::ViewOptions comparisonOptions(const ComparisonPlan &plan);

} // namespace stagecraft::window
