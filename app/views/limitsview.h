// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

// The view of what each kernel is short of: use of each unit and shares of the time, with the sentence that they give.
// Internal to the views.
namespace stagecraft::views {

widgets::Figure limitsFigure(const evidence::Namespace &evidence, const ViewOptions &options);
widgets::ValueTable limitsTable(const evidence::Namespace &evidence, const ViewOptions &options);

QStringList limitsFooter(const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
