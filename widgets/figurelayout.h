// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurescene.h"

namespace stagecraft::widgets {

// Everything of the figure at its place. The same figure, layout and fonts give the same scene.
FigureScene composeFigure(const Figure &figure, Layout layout);

} // namespace stagecraft::widgets
