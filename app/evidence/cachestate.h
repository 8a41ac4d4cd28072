// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace stagecraft::evidence {

// The state of the cache before each call of a result, a floor or a progression: whoever does not speak of it reuses
// its buffers, so nothing recorded is "warm". What is no known word stays what it is.
QString cacheState(const QString &recorded);

} // namespace stagecraft::evidence
