// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurelist.h"

namespace stagecraft::widgets {

// Repeated values as dots, a row each, with range and mark, on a scale that ends at ticks and need not start at zero.
// Labels take `labelWidth` at the left (0: they stand above their row), everything ends at `right`. Returns the height.
double layoutDots(FigureScene &scene, const FigureDots &dots, const BlockPlace &place, double labelWidth, double right);

} // namespace stagecraft::widgets
