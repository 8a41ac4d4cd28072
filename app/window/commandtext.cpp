// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandtext.h"

#include <algorithm>

namespace stagecraft::window {

namespace {

QString quoted(QString word)
{
    const bool plain = std::ranges::none_of(
        word, [](QChar character) { return character.isSpace() || character == QLatin1Char('"'); });
    if (plain)
        return word;
    return QLatin1Char('"') + word.replace(QLatin1Char('"'), QLatin1String("\"\"\"")) + QLatin1Char('"');
}

} // namespace

QString commandText(const QStringList &words)
{
    QStringList parts;
    for (const QString &word : words) {
        if (!word.isEmpty())
            parts.append(quoted(word));
    }
    return parts.join(QLatin1Char(' '));
}

} // namespace stagecraft::window
