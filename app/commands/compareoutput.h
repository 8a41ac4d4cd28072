// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compareoptions.h"
#include "comparisongate.h"
#include "viewcatalogue.h"

namespace stagecraft::commands {

// What `stagecraft compare` has to say, whatever the format.
struct ComparePrint
{
    const evidence::Namespace &now;
    views::ViewOptions options;      // its baselines are the earlier namespaces
    evidence::Comparison comparison; // of the first and the last
    QList<evidence::ImplementationPair> likelyPairs;
    std::optional<evidence::GateResult> gate;
};

// Differences first, then the table with its footer, then the gate. CSV holds the table alone, so that differences and
// gate go to standard error; JSON has them as keys.
void printComparison(const ComparePrint &print, CompareFormat format);

} // namespace stagecraft::commands
