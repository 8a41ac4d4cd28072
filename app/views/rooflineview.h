// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

// The roofline: operations per byte against operations per second, below the ceilings that this GPU reached. Internal
// to the views.
namespace stagecraft::views {

widgets::Figure rooflineFigure(const evidence::Namespace &evidence, const ViewOptions &options);
widgets::ValueTable rooflineTable(const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
