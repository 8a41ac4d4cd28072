// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

namespace stagecraft::views {

// A ladder per operation: bars of the stages with the factor between them and what changed, single steps, attempts and
// repeated runs below. Internal to the views.
widgets::Figure progressionFigure(const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
