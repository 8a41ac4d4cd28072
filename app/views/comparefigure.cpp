// SPDX-License-Identifier: GPL-3.0-or-later
#include "captions.h"
#include "compareparts.h"
#include "comparewords.h"

#include <QHash>

#include <algorithm>

namespace stagecraft::views {

using evidence::Change;
using evidence::ComparedRow;
using evidence::Comparison;
using evidence::ValueRow;
using widgets::displayNumber;
using widgets::FigureDelta;
using widgets::FigureDeltas;
using widgets::storedNumber;

namespace {

QString operationText(const ValueRow &row, bool tellsDims, bool tellsWarm)
{
    QStringList parts{row.operationTitle, tellsDims ? dimsLabel(row.dims) : QString(),
                      cacheWords(row.cache, tellsWarm)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString timesText(const Change &change, int decimals)
{
    return change.base && change.now
               ? QStringLiteral("%1 → %2 µs")
                     .arg(displayNumber(*change.base, decimals), displayNumber(*change.now, decimals))
               : QString();
}

QString toolTipLine(const QString &metric, const Change &change)
{
    const QString sides = QStringLiteral("%1: %2 → %3 µs")
                              .arg(metric, change.base ? storedNumber(*change.base) : QStringLiteral("–"),
                                   change.now ? storedNumber(*change.now) : QStringLiteral("–"));
    return sides + (change.percent ? QStringLiteral(", %1 %").arg(storedNumber(*change.percent))
                                   : QStringLiteral(", ") + change.why);
}

QString toolTip(const ComparedRow &row, int decimals)
{
    QStringList lines{
        QStringLiteral("%1, %2").arg(row.now.operationTitle, comparedLabel(row)), comparedStages(row),
        toolTipLine(QStringLiteral("kernel time"), row.kernel), toolTipLine(QStringLiteral("span"), row.span),
        QStringLiteral("%1: %2").arg(row.isUnchanged ? QStringLiteral("unchanged") : QStringLiteral("not unchanged"),
                                     row.unchangedWhy)};
    if (row.bound)
        lines.append(
            QStringLiteral("drift bound %1 % (%2)").arg(storedNumber(*row.bound), someOf(row.boundOperations)));
    lines.append(verdictWords(row, decimals));
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

QString sublabel(const ComparedRow &row)
{
    // A stage measured by name has it in its label already.
    const bool isNamed = row.base.implementation == row.now.implementation &&
                         row.now.implementation.section(QLatin1Char('/'), 1) == comparedStages(row);
    QStringList parts{comparedLabel(row), isNamed ? QString() : comparedStages(row),
                      row.isUnchanged ? QStringLiteral("unchanged") : QString()};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

FigureDelta delta(const ComparedRow &row, const QString &operation, int decimals)
{
    const Change &change = row.judged();
    const Metric metric = row.isJudgedBySpan() ? Metric::Span : Metric::Kernel;
    FigureDelta delta;
    delta.label = operation;
    delta.sublabel = sublabel(row);
    delta.color = colorRole(row.now.implementation);
    delta.toolTip = toolTip(row, decimals);
    for (const evidence::Flag flag : comparedFlags(row, metric))
        delta.flags.append(evidence::flagLabel(flag));
    if (!change.percent) {
        delta.stateText = change.why;
        if (row.span.percent)
            delta.detail = QStringLiteral("span %1, %2")
                               .arg(timesText(row.span, decimals), signedPercent(*row.span.percent, decimals));
        return delta;
    }
    delta.value = change.percent;
    delta.band = row.bound;
    delta.valueText = signedPercent(*change.percent, decimals);
    delta.verdict = verdictWords(row, decimals);
    QStringList parts{timesText(change, decimals), boundText(row, decimals)};
    parts.removeAll(QString());
    delta.detail = parts.join(QStringLiteral(" · "));
    return delta;
}

struct Told
{
    bool dims = false, warm = false;
};

// Dims are said where an operation occurs with several.
Told toldOf(const QList<ValueRow> &rows)
{
    Told told{false, tellsWarm(rows)};
    QHash<QString, QList<qint64>> firstDims;
    for (const ValueRow &row : rows) {
        const auto found = firstDims.constFind(row.operation);
        if (found == firstDims.constEnd())
            firstDims.insert(row.operation, row.dims);
        else
            told.dims = told.dims || *found != row.dims;
    }
    return told;
}

QList<ValueRow> allRows(const Comparison &comparison)
{
    QList<ValueRow> rows = comparison.onlyBase + comparison.onlyNow;
    for (const ComparedRow &row : comparison.rows)
        rows.append(row.now);
    return rows;
}

FigureDeltas differencesBlock(const Comparison &comparison)
{
    FigureDeltas block;
    block.title = QStringLiteral("What differs besides");
    block.subtitle = QStringLiteral("%1 → %2").arg(comparison.baseName, comparison.nowName);
    for (const evidence::Difference &difference : comparison.differences) {
        FigureDelta row;
        row.label = difference.what;
        row.stateText = differenceSides(difference);
        row.detail = difference.consequence;
        row.toolTip = differenceLine(difference);
        block.rows.append(row);
    }
    return block;
}

FigureDeltas changesBlock(const Comparison &comparison, bool bySpan, const Told &told, int decimals)
{
    FigureDeltas block;
    block.title = bySpan ? QStringLiteral("Span, where there is no kernel time") : QStringLiteral("Kernel time");
    const bool hasBand = std::any_of(comparison.rows.begin(), comparison.rows.end(),
                                     [](const ComparedRow &row) { return row.bound.has_value(); });
    block.subtitle = QStringLiteral("change in percent, lower is better") +
                     (hasBand && !bySpan ? QStringLiteral(" · grey: drift") : QString());
    for (const ComparedRow &row : comparison.rows)
        if (row.isJudgedBySpan() == bySpan)
            block.rows.append(delta(row, operationText(row.now, told.dims, told.warm), decimals));
    return block;
}

QString loneText(const ValueRow &row, int decimals)
{
    const evidence::Estimate *kernel = drawable(row.kernel), *span = drawable(row.span);
    if (kernel)
        return QStringLiteral("%1 %2 µs").arg(rowLabel(row), displayNumber(kernel->mean, decimals));
    if (span)
        return QStringLiteral("%1 span %2 µs").arg(rowLabel(row), displayNumber(span->mean, decimals));
    return QStringLiteral("%1 %2").arg(rowLabel(row), evidence::stateName(row.kernel.state));
}

FigureDeltas loneBlock(const QList<ValueRow> &rows, const QString &name, const Told &told, int decimals)
{
    FigureDeltas block;
    block.title = QStringLiteral("Only in ") + name;
    block.subtitle = QStringLiteral("kernel time; nothing to compare it with");
    for (const RowGroup &group : groupedRows(rows)) {
        QStringList texts;
        for (const ValueRow &row : group.rows)
            texts.append(loneText(row, decimals));
        FigureDelta row;
        row.label = operationText(group.rows.first(), told.dims, told.warm);
        row.stateText = texts.join(QStringLiteral(", "));
        block.rows.append(row);
    }
    return block;
}

QString rowSentence(const ComparedRow &row, int decimals)
{
    const QString subject = QStringLiteral("%1 %2").arg(row.now.operationTitle, comparedLabel(row));
    const Change &change = row.judged();
    if (!change.percent)
        return QStringLiteral("%1 %2 (%3)").arg(subject, changeLack(change), change.why);
    QStringList words{QStringLiteral("%1 %2 (%3)")
                          .arg(subject, signedPercent(*change.percent, decimals), timesText(change, decimals)),
                      verdictWords(row, decimals), boundText(row, decimals)};
    words.removeAll(QString());
    return words.join(QStringLiteral(", "));
}

QString altWords(const widgets::Figure &figure, const Comparison &comparison, int decimals)
{
    QStringList sentences{figure.title + QStringLiteral(", ") + figure.subtitle};
    for (const evidence::Difference &difference : comparison.differences)
        sentences.append(QStringLiteral("Differs: ") + differenceLine(difference));
    for (const ComparedRow &row : comparison.rows)
        sentences.append(rowSentence(row, decimals));
    for (const FigureDeltas &block : figure.deltas)
        if (block.title.startsWith(QLatin1String("Only in ")))
            for (const FigureDelta &row : block.rows)
                sentences.append(QStringLiteral("%1: %2: %3").arg(block.title, row.label, row.stateText));
    return sentences.join(QStringLiteral(". ")) + QLatin1Char('.');
}

} // namespace

QStringList compareFooter(const Comparison &comparison, const QList<Origin> &origins, const ViewOptions &options)
{
    QStringList lines = compareRules(options);
    lines.append(driftsLine(comparison, compareDecimals(options)));
    lines.removeAll(QString());
    for (const Origin &origin : origins)
        for (const QString &line : originLines(*origin.evidence, options, origin.rows))
            if (!lines.contains(line)) // the same machine
                lines.append(line);
    return lines;
}

QList<Origin> originsOf(const evidence::Namespace &base, const evidence::Namespace &now, const Comparison &comparison)
{
    QList<Origin> origins{{&now, {}}, {&base, {}}};
    for (const ComparedRow &row : comparison.rows) {
        origins[0].rows.append(row.now);
        origins[1].rows.append(row.base);
    }
    return origins;
}

widgets::Figure twoFigure(const evidence::Namespace &base, const evidence::Namespace &now, const ViewOptions &options)
{
    const Comparison comparison = evidence::compare(base, now, comparisonOptions(options));
    const int decimals = compareDecimals(options);
    const Told told = toldOf(allRows(comparison));
    widgets::Figure figure;
    figure.subtitle = QStringLiteral("%1 against %2 · %3").arg(now.name, base.name, machineText(now));
    if (!comparison.differences.isEmpty())
        figure.deltas.append(differencesBlock(comparison));
    for (const bool bySpan : {false, true})
        if (const FigureDeltas block = changesBlock(comparison, bySpan, told, decimals); !block.rows.isEmpty())
            figure.deltas.append(block);
    if (!comparison.onlyBase.isEmpty())
        figure.deltas.append(loneBlock(comparison.onlyBase, base.name, told, decimals));
    if (!comparison.onlyNow.isEmpty())
        figure.deltas.append(loneBlock(comparison.onlyNow, now.name, told, decimals));
    figure.title = QStringLiteral("Compare");
    figure.footer = compareFooter(comparison, originsOf(base, now, comparison), options);
    figure.altText = altWords(figure, comparison, decimals);
    return figure;
}

} // namespace stagecraft::views
