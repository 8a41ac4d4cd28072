// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace stagecraft::evidence {

// A text of a file as screens, tables and exported files may hold it: what steers a terminal or turns the text round
// (control and format characters, line and paragraph separators) is replaced by U+FFFD each.
QString printable(QString text);

} // namespace stagecraft::evidence
