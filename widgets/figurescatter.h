// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurelist.h"

namespace stagecraft::widgets {

// Items as markers over two logarithmic scales, below their ceilings. Each item's name and value stand at the right
// edge at its height, no two over each other, with a line to its markers; in a narrow place its number stands there and
// the names below. Returns the height.
double layoutScatter(FigureScene &scene, const FigureScatter &scatter, const BlockPlace &place);

} // namespace stagecraft::widgets
