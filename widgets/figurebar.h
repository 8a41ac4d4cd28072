// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figure.h"

// What a bar's data says about how it is drawn, in a panel and on a ladder alike.
namespace stagecraft::widgets {

bool isDrawable(const std::optional<double> &value); // finite and not negative

// The end of what is drawn of a bar, as a value: the bar itself or its upper whisker; 0 where nothing is drawn.
double barReach(const FigureBar &bar);

// What stands behind the value: the flags, and a state that does not take the bar's place (throttled, undecided).
QString barFlags(const FigureBar &bar);

// The width that value and flags need behind the bar's end; flags may be shortened.
double barTailWidth(const FigureBar &bar);

} // namespace stagecraft::widgets
