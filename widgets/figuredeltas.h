// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurelist.h"

namespace stagecraft::widgets {

// Changes in percent as bars from a zero within the width, each before the band in which it means nothing; labels at
// the left and values at the right where the width has room for them, else above and below their bar. Returns the
// height.
double layoutDeltas(FigureScene &scene, const FigureDeltas &deltas, const BlockPlace &place);

} // namespace stagecraft::widgets
