// SPDX-License-Identifier: GPL-3.0-or-later
#include "waitstable.h"

#include "counted.h"

#include <algorithm>
#include <QCoreApplication>

namespace stagecraft::window {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("waitstable", text);
}

widgets::ValueColumn textColumn(const QString &id, const QString &title, const QString &toolTip)
{
    widgets::ValueColumn column;
    column.id = id;
    column.title = title;
    column.toolTip = toolTip;
    return column;
}

widgets::ValueColumn numberColumn(const QString &id, const QString &title, const QString &unit, int decimals,
                                  const QString &toolTip)
{
    widgets::ValueColumn column = textColumn(id, title, toolTip);
    column.unit = unit;
    column.numeric = true;
    column.decimals = decimals;
    return column;
}

QList<widgets::ValueColumn> columns()
{
    const QString wait = tr("The reason, and its share of the line's samples");
    return {numberColumn(QStringLiteral("line"), tr("line"), {}, 0, tr("Of the stage's file: Enter goes there")),
            numberColumn(QStringLiteral("share"), tr("share"), QStringLiteral("%"), 1, tr("Of all samples")),
            textColumn(QStringLiteral("wait"), tr("waits for most"), wait),
            textColumn(QStringLiteral("second_wait"), tr("then"), wait),
            numberColumn(QStringLiteral("issued"), tr("issued"), QStringLiteral("%"), 1,
                         tr("Of the line's samples: warps that were issued just then, and waited for nothing")),
            numberColumn(QStringLiteral("samples"), tr("samples"), {}, 0, tr("Of the line's own instructions")),
            textColumn(QStringLiteral("source"), tr("source"), {})};
}

QString waitText(const run::Wait &wait)
{
    return wait.reason.isEmpty() ? QString()
                                 : QStringLiteral("%1 %2 %").arg(wait.reason, widgets::fixedNumber(wait.share, 1));
}

QList<widgets::ValueCell> row(int line, const run::PlaceSamples &samples, qint64 all, const QStringList &source)
{
    const QList<run::Wait> waits = run::leadingWaits(samples, 2);
    widgets::ValueCell place{{}, static_cast<double>(line), {}};
    if (line == 0)
        place = {tr("none"), {}, tr("Instructions of other files alone, or that the compiler names no line for")};
    return {place,
            {{}, run::sampleShare(samples.all, all), {}},
            {waitText(waits.value(0)), {}, {}},
            {waitText(waits.value(1)), {}, {}},
            {{}, run::sampleShare(samples.issued, samples.all), {}},
            {{}, static_cast<double>(samples.all), {}},
            {line > 0 ? source.value(line - 1).trimmed() : QString(), {}, {}}};
}

} // namespace

widgets::ValueTable waitsTable(const QMap<int, run::PlaceSamples> &lines, qint64 all, const QString &source)
{
    widgets::ValueTable table;
    table.id = QStringLiteral("waits");
    table.title = tr("Where warps wait");
    table.columns = columns();
    const QStringList texts = source.split(QLatin1Char('\n'));
    QList<int> order = lines.keys();
    std::ranges::stable_sort(order, std::ranges::greater(), [&](int line) { return lines.constFind(line)->all; });
    for (const int line : std::as_const(order))
        table.rows.append(row(line, *lines.constFind(line), all, texts));
    return table;
}

QString samplingText(const protocol::SampleResult &result, const run::PlaceSamples &total)
{
    const QString dropped = result.dropped == 0 ? tr("none dropped") : tr("%1 dropped").arg(result.dropped);
    return tr("%1, one per %2 cycles of each SM; %3; %4 % issued")
        .arg(counted(total.all, tr("sample"), tr("samples")))
        .arg(result.periodCycles)
        .arg(dropped, widgets::fixedNumber(run::sampleShare(total.issued, total.all), 1));
}

} // namespace stagecraft::window
