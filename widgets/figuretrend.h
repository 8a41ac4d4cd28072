// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurelist.h"

namespace stagecraft::widgets {

// Lines over places on one zero-based scale, a dot each value; names and values stand behind the lines' ends, or below
// the places where the width is narrow. Returns the height.
double layoutTrend(FigureScene &scene, const FigureTrend &trend, const BlockPlace &place);

} // namespace stagecraft::widgets
