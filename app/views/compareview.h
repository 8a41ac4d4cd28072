// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

// The namespace against options.baselines: with one of them what changed of each row, with several a trend over all.
namespace stagecraft::views {

// `unavailable` is set where there is no baseline or one of them has no sound measurement. options.baselines must
// outlive the call. Safe on any thread.
widgets::Figure compareFigure(const evidence::Namespace &evidence, const ViewOptions &options);
widgets::ValueTable compareTable(const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
