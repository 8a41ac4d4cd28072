// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewrows.h"

// The figures made of bars: kernel-span, kernel, span, launches. Internal to the views.
namespace stagecraft::views {

widgets::Figure kernelSpanFigure(const evidence::Namespace &evidence, const ViewOptions &options);
widgets::Figure metricFigure(ViewId view, Metric metric, const evidence::Namespace &evidence,
                             const ViewOptions &options);

} // namespace stagecraft::views
