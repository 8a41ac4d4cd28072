// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurebars.h"

#include "captions.h"
#include "floorlines.h"
#include "kernelnames.h"

#include <QHash>

namespace stagecraft::views {

using evidence::Estimate;
using evidence::ValueRow;

namespace {

QString microseconds(double value)
{
    return widgets::storedNumber(value) + QStringLiteral(" µs");
}

QStringList estimateLines(const Estimate &estimate, Metric metric)
{
    if (metric == Metric::Launches)
        return {widgets::storedNumber(estimate.mean) + QStringLiteral(" launches per iteration")};
    QStringList lines{QStringLiteral("mean ") + microseconds(estimate.mean)};
    if (estimate.median)
        lines.append(QStringLiteral("median ") + microseconds(*estimate.median));
    if (estimate.low < estimate.high)
        lines.append(
            QStringLiteral("round means %1 to %2").arg(microseconds(estimate.low), microseconds(estimate.high)));
    if (estimate.samples > 0)
        lines.append(QStringLiteral("%1 values").arg(estimate.samples));
    return lines;
}

QString floorLine(const ValueRow &row)
{
    const QString times = drawable(row.kernel)
                              ? QStringLiteral("%1 × the ").arg(drawable(row.kernel)->mean / *row.floorUs, 0, 'f', 2)
                              : QString();
    const QString what = row.floorWhat.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(row.floorWhat);
    return times + QStringLiteral("floor of ") + microseconds(*row.floorUs) + what;
}

QString barToolTip(const ValueRow &row, Metric metric)
{
    const evidence::Value &value = metricValue(row, metric);
    QStringList lines{rowLabel(row)};
    if (!row.stage.isEmpty())
        lines.append(QStringLiteral("stage ") + row.stage);
    if (const Estimate *estimate = drawable(value))
        lines += estimateLines(*estimate, metric);
    if (value.state != evidence::State::Ok)
        lines.append(evidence::stateName(value.state) + (value.reason.isEmpty() ? QString() : ": " + value.reason));
    else if (!value.reason.isEmpty())
        lines.append(value.reason);
    if (metric == Metric::Kernel && row.floorUs)
        lines.append(floorLine(row));
    if (!value.source.isEmpty())
        lines.append(QStringLiteral("from ") + sourceLabel(value.source));
    for (const evidence::Flag flag : metricFlags(row, metric))
        lines.append(evidence::flagText(flag));
    if (metric != Metric::Span && !row.kernels.isEmpty())
        lines.append(kernelToolTip(row.kernels));
    if (!row.note.isEmpty())
        lines.append(row.note);
    return lines.join(QLatin1Char('\n'));
}

// Why bars are missing: a picture has no tool tips. Once where several are for the same reason.
QStringList stateNotes(const QList<ValueRow> &rows, Metric metric)
{
    QStringList reasons;
    QHash<QString, QStringList> labels;
    for (const ValueRow &row : rows) {
        const evidence::Value &value = metricValue(row, metric);
        const QString reason = value.reason.simplified();
        if (drawable(value) || reason.isEmpty())
            continue;
        if (!labels.contains(reason))
            reasons.append(reason);
        labels[reason].append(barLabel(row));
    }
    for (QString &reason : reasons)
        reason.prepend(labels.value(reason).join(QStringLiteral(", ")) + QStringLiteral(": "));
    return reasons;
}

void addFloors(widgets::FigurePanel &panel, const QList<ValueRow> &rows, int decimals)
{
    FloorLines floors(mixesArithmetic(rows), decimals);
    for (qsizetype i = 0; i < rows.size(); ++i)
        panel.bars[i].floor = floors.add(floorOf(rows[i]));
    panel.floors = floors.lines();
}

widgets::FigurePanel panel(const RowGroup &group, Metric metric, int decimals, bool tellsWarm)
{
    widgets::FigurePanel panel;
    panel.title = group.title;
    QStringList parts{dimsLabel(group.dims), cacheWords(group.cache, tellsWarm)};
    parts.removeAll(QString());
    panel.subtitle = parts.join(QStringLiteral(" · "));
    panel.unit = metric == Metric::Launches ? QString() : QStringLiteral("µs");
    for (const ValueRow &row : group.rows)
        panel.bars.append(bar(row, metric, decimals));
    panel.notes = stateNotes(group.rows, metric);
    if (metric == Metric::Kernel)
        addFloors(panel, group.rows, decimals);
    return panel;
}

QString barWords(const widgets::FigureBar &bar, const QString &unit)
{
    QString words = bar.label + QLatin1Char(' ') + (bar.value ? bar.valueText : bar.stateText);
    if (bar.value && !unit.isEmpty())
        words += QLatin1Char(' ') + unit;
    return bar.flags.isEmpty() ? words : QStringLiteral("%1 (%2)").arg(words, bar.flags.join(QStringLiteral(", ")));
}

} // namespace

// A stage by its name alone: its colour says whose it is, and a column of a figure is narrow.
QString barLabel(const ValueRow &row)
{
    const QString label = rowLabel(row);
    const bool isStage = row.implementation.startsWith(QLatin1String("cuda/"));
    return isStage ? row.implementation.section(QLatin1Char('/'), 1) +
                         label.mid(evidence::implementationLabel(row.implementation).size())
                   : label;
}

widgets::FigureBar bar(const ValueRow &row, Metric metric, int decimals)
{
    const evidence::Value &value = metricValue(row, metric);
    widgets::FigureBar bar;
    bar.label = barLabel(row);
    bar.color = colorRole(row.implementation);
    bar.toolTip = barToolTip(row, metric);
    for (const evidence::Flag flag : metricFlags(row, metric))
        bar.flags.append(evidence::flagLabel(flag));
    if (value.state != evidence::State::Ok)
        bar.stateText = evidence::stateName(value.state);
    const Estimate *estimate = drawable(value);
    if (!estimate)
        return bar;
    if (metric == Metric::Launches)
        bar.details = {kernelWords(row.kernels).join(QStringLiteral(", "))};
    bar.details.removeAll(QString());
    bar.value = estimate->mean;
    bar.valueText = widgets::displayNumber(estimate->mean, decimals);
    // Kernel time has no interval of its own in summaries, and launches are counts: whiskers belong to spans.
    if (metric == Metric::Span) {
        bar.low = estimate->low;
        bar.high = estimate->high;
    }
    return bar;
}

widgets::FigureRow panelRow(const QString &title, const QList<ValueRow> &rows, Metric metric,
                            const ViewOptions &options, bool tellsWarm)
{
    widgets::FigureRow row;
    row.title = title;
    row.subtitle = metricUnits(metric);
    const int decimals = metricDecimals(rows, metric, options);
    for (const RowGroup &group : groupedRows(rows))
        row.panels.append(panel(group, metric, decimals, tellsWarm));
    return row;
}

QStringList spokenWords(const QStringList &words, const QList<std::optional<double>> &values)
{
    constexpr qsizetype most = 10;
    if (words.size() <= most)
        return words;
    qsizetype least = -1, greatest = -1, absent = 0;
    for (qsizetype i = 0; i < values.size(); ++i) {
        if (!values[i]) {
            ++absent;
            continue;
        }
        if (least < 0 || *values[i] < *values[least])
            least = i;
        if (greatest < 0 || *values[i] > *values[greatest])
            greatest = i;
    }
    QStringList spoken{QStringLiteral("%1 in all").arg(words.size())};
    if (least >= 0 && *values[least] < *values[greatest])
        spoken += {QStringLiteral("the least ") + words[least], QStringLiteral("the greatest ") + words[greatest]};
    else if (least >= 0)
        spoken.append(QStringLiteral("each like ") + words[least]);
    if (absent > 0)
        spoken.append(QStringLiteral("%1 without a value").arg(absent));
    return spoken;
}

QString altText(const widgets::Figure &figure)
{
    QStringList sentences{figure.title + QStringLiteral(", ") + figure.subtitle};
    for (const widgets::FigureRow &row : figure.rows) {
        if (row.panels.isEmpty())
            sentences.append(QStringLiteral("%1 %2").arg(row.title, row.subtitle));
        for (const widgets::FigurePanel &panel : row.panels) {
            QStringList words;
            QList<std::optional<double>> values;
            for (const widgets::FigureBar &bar : panel.bars) {
                words.append(barWords(bar, panel.unit));
                values.append(bar.value);
            }
            words = spokenWords(words, values);
            for (const widgets::FigureLimit &floor : panel.floors)
                words.append(floorWords(floor));
            const QString where = row.title.isEmpty() ? panel.title : row.title + QStringLiteral(", ") + panel.title;
            sentences.append(QStringLiteral("%1 %2: %3").arg(where, panel.subtitle, words.join(QStringLiteral(", "))));
        }
    }
    return sentences.join(QStringLiteral(". ")) + QLatin1Char('.');
}

} // namespace stagecraft::views
