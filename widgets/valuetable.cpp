// SPDX-License-Identifier: GPL-3.0-or-later
#include "valuetable.h"

#include <QLocale>

#include <cmath>

namespace stagecraft::widgets {

QString displayNumber(double value, int decimals)
{
    const QString text = QString::number(value, 'f', decimals);
    return text.startsWith(u'-') && text.toDouble() == 0 ? text.mid(1) : text; // what rounds to zero has no sign
}

QString storedNumber(double value)
{
    // Whole numbers read as such: QString's shortest form writes 1e+06 for a million.
    if (value == std::trunc(value) && std::abs(value) < 1e15)
        return QString::number(value, 'f', 0);
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

} // namespace stagecraft::widgets
