// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisonparts.h"

#include <algorithm>

namespace stagecraft::evidence {

namespace {

struct Clocks
{
    QList<int> sm, memory; // MHz
};

QStringList cells(const QString &line)
{
    QStringList list = line.split(QLatin1Char(','));
    for (QString &cell : list)
        cell = cell.trimmed();
    return list;
}

// Where a line has them: by the header's columns; without a header the first two cells in MHz are the SM's clock and
// the memory's.
struct ClockColumns
{
    qsizetype sm = -1, memory = -1;
};

ClockColumns columnsOf(const QStringList &header)
{
    const auto find = [&header](const char *part) {
        const auto found = std::find_if(header.begin(), header.end(), [part](const QString &column) {
            return column.startsWith(QLatin1String("clocks.")) && column.contains(QLatin1String(part));
        });
        return found == header.end() ? -1 : found - header.begin();
    };
    return {find(".sm"), find(".mem")};
}

ClockColumns columnsByUnit(const QStringList &row)
{
    ClockColumns columns;
    for (qsizetype i = 0; i < row.size(); ++i) {
        if (!row[i].endsWith(QLatin1String(" MHz")))
            continue;
        if (columns.sm < 0)
            columns.sm = i;
        else if (columns.memory < 0)
            columns.memory = i;
    }
    return columns;
}

void append(QList<int> &frequencies, const QStringList &row, qsizetype column)
{
    bool isNumber = false;
    const int frequency = row.value(column).section(QLatin1Char(' '), 0, 0).toInt(&isNumber);
    if (isNumber)
        frequencies.append(frequency);
}

void read(const QString &state, Clocks &clocks)
{
    std::optional<ClockColumns> header;
    for (const QString &line : state.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QStringList row = cells(line);
        if (line.contains(QLatin1String("clocks."))) {
            header = columnsOf(row);
            continue;
        }
        const ClockColumns columns = header.value_or(columnsByUnit(row));
        append(clocks.sm, row, columns.sm);
        append(clocks.memory, row, columns.memory);
    }
}

QString range(const QString &what, const QList<int> &frequencies)
{
    if (frequencies.isEmpty())
        return {};
    const auto [low, high] = std::minmax_element(frequencies.begin(), frequencies.end());
    return *low == *high ? QStringLiteral("%1 %2 MHz").arg(what).arg(*low)
                         : QStringLiteral("%1 %2–%3 MHz").arg(what).arg(*low).arg(*high);
}

} // namespace

QString clocksText(const QStringList &gpuStates)
{
    Clocks clocks;
    for (const QString &state : gpuStates)
        read(state, clocks);
    QStringList parts{range(QStringLiteral("SM"), clocks.sm), range(QStringLiteral("memory"), clocks.memory)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

} // namespace stagecraft::evidence
