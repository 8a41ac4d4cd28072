// SPDX-License-Identifier: GPL-3.0-or-later
#include "valuetable.h"

#include <QLocale>

#include <cmath>

namespace stagecraft::widgets {

QString displayNumber(double value, int decimals)
{
    return QString::number(value, 'f', decimals);
}

QString storedNumber(double value)
{
    // Whole numbers read as such: QString's shortest form writes 1e+06 for a million.
    if (value == std::trunc(value) && std::abs(value) < 1e15)
        return QString::number(value, 'f', 0);
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

} // namespace stagecraft::widgets
