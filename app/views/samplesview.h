// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewrows.h"

// The view of every span sample, as it was taken. Internal to the views.
namespace stagecraft::views {

widgets::Figure samplesFigure(const evidence::Namespace &evidence, const ViewOptions &options);

// For programs a row per sample, for people one per round. Up to a million samples for programs.
widgets::ValueTable samplesTable(const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
