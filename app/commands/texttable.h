// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "valuetable.h"

#include <QStringList>

namespace stagecraft::commands {

// A value table for the terminal: aligned columns, numbers to the right, title and units above, footer below. Columns
// that are empty in every row are left out.
QStringList textTable(const widgets::ValueTable &table);

} // namespace stagecraft::commands
