// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace stagecraft::import {

// A cache that its tuning session did not close, which is how a running or interrupted session leaves it: the text ends
// behind a whole configuration (and its comma), and the last two brackets are missing. Adds them; whether it did. A
// text that ends inside a configuration stays as it is.
bool closeCache(QByteArray &text);

// The keys of the member `cache` in the order of the text, which is the order in which the configurations were tried.
// What is damaged ends the list.
QStringList cacheOrder(const QByteArray &text);

} // namespace stagecraft::import
