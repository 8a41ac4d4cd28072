// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

// Which implementation is faster than the reference, and how sure that is. Internal to the views.
namespace stagecraft::views {

widgets::Figure verdictsFigure(const evidence::Namespace &evidence, const ViewOptions &options);
widgets::ValueTable verdictsTable(const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
