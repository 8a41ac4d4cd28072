// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

// The view of what kernels take of the GPU. Internal to the views.
namespace stagecraft::views {

// A panel per operation, a bar per launch: resident threads of an SM against what it can hold.
widgets::Figure resourcesFigure(const evidence::Namespace &evidence, const ViewOptions &options);

widgets::ValueTable resourcesTable(const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
