// SPDX-License-Identifier: GPL-3.0-or-later
#include "valuetable.h"

#include <QLocale>

#include <cmath>

namespace stagecraft::widgets {

QString displayNumber(double value, int decimals)
{
    const QString text = fixedNumber(value, decimals);
    return value != 0 && text.toDouble() == 0 ? QString::number(value, 'g', 2) : text;
}

QString fixedNumber(double value, int decimals)
{
    constexpr double longest = 1e9;
    if (std::abs(value) >= longest)
        return QString::number(value, 'g', 3);
    const QString text = QString::number(value, 'f', decimals);
    return text.startsWith(u'-') && text.toDouble() == 0 ? text.mid(1) : text; // what rounds to zero has no sign
}

QString displayNumber(double value, const ValueColumn &column)
{
    return column.unit == u'%' ? fixedNumber(value, column.decimals) : displayNumber(value, column.decimals);
}

QString storedNumber(double value)
{
    // Whole numbers read as such: QString's shortest form writes 1e+06 for a million.
    if (value == std::trunc(value) && std::abs(value) < 1e15)
        return QString::number(value, 'f', 0);
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

} // namespace stagecraft::widgets
