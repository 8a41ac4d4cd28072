// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

namespace stagecraft::views {

// How each operation's kernel got where it is, a row for every stage, step, attempt, experiment and A/B run. A time
// stands in the column of its own metric, so that kernel times and spans are never read as one series. Internal to the
// views.
widgets::ValueTable progressionTable(const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
