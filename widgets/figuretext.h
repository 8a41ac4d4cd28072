// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figure.h"

// Names and reasons in a figure come from evidence, which is untrusted: any length, any character.
namespace stagecraft::widgets {

// Control characters, marks and overrides of the writing direction and characters that XML cannot hold, each replaced
// by U+FFFD; tabs and line ends stay.
QString printableText(const QString &text);

// The figure with every text printable, and those that are drawn at most 2000 characters long, then an ellipsis:
// measuring text takes time that grows with its length, and nothing useful is that long. Any thread.
Figure printableFigure(Figure figure);

} // namespace stagecraft::widgets
