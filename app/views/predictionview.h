// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

// The view of experiments: the ratio that counting something predicts against the ratio that was measured, and that the
// hardware counted. Internal to the views.
namespace stagecraft::views {

widgets::Figure predictionFigure(const evidence::Namespace &evidence, const ViewOptions &options);
widgets::ValueTable predictionTable(const evidence::Namespace &evidence, const ViewOptions &options);

int predictionDecimals(const ViewOptions &options);
// Empty where there is something to show.
QString predictionUnavailable(const evidence::Namespace &evidence, const ViewOptions &options);
QStringList predictionFooter(const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
