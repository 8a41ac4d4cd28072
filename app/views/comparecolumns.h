// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparison.h"
#include "viewcatalogue.h"

// Columns and cells that the tables of `compare` share, and those of the counters' views with them. Internal to the
// views.
namespace stagecraft::views {

widgets::ValueColumn textColumn(const char *id, const char *title, const char *toolTip);
widgets::ValueColumn numberColumn(const char *id, const char *title, const char *unit, int decimals,
                                  const char *toolTip);

widgets::ValueCell textCell(const QString &text, const QString &toolTip = {});
widgets::ValueCell stateCell(evidence::State state, const QString &reason);
widgets::ValueCell valueCell(const evidence::Value &value);     // its mean, or its state
widgets::ValueCell changeCell(const evidence::Change &change);  // the percentage, or that there is none and why
widgets::ValueCell boundCell(const evidence::ComparedRow &row); // or "unknown"

// People are spared columns in which nothing stands, and a cache state that is warm everywhere.
void dropEmptyColumns(widgets::ValueTable &table);

} // namespace stagecraft::views
