// SPDX-License-Identifier: GPL-3.0-or-later
#include "cachestate.h"
#include "captions.h"
#include "compareparts.h"
#include "comparetrend.h"
#include "comparewords.h"
#include "verdict.h"

#include <QHash>

#include <algorithm>

namespace stagecraft::views {

using evidence::ValueRow;
using widgets::displayNumber;
using widgets::FigureTrend;
using widgets::FigureTrendLine;

namespace {

struct Panel
{
    ValueRow key;
    bool isBySpan = false;
    QList<const TrendRow *> rows;
};

// A panel for each operation with its dims and cache state, spans apart from kernel times.
QList<Panel> panelsOf(const Trend &trend)
{
    QList<Panel> panels;
    QHash<QString, qsizetype> places;
    for (const TrendRow &row : trend.rows) {
        const ValueRow &key = row.any();
        const QString name = QStringList{key.operation, evidence::dimsText(key.dims), evidence::cacheState(key.cache),
                                         metricTitle(row.metric())}
                                 .join(QChar(QChar::LineFeed));
        const qsizetype place = places.value(name, panels.size());
        if (place == panels.size()) {
            panels.append({key, row.isBySpan(), {}});
            places.insert(name, place);
        }
        panels[place].rows.append(&row);
    }
    return panels;
}

QString pointToolTip(const TrendRow &row, qsizetype place, const Trend &trend)
{
    const ValueRow &value = *row.places[place];
    QStringList lines{QStringLiteral("%1, %2").arg(rowLabel(value), trend.names[place]),
                      value.stage.isEmpty() ? QString() : QStringLiteral("stage ") + value.stage,
                      QStringLiteral("%1 %2 µs")
                          .arg(metricTitle(row.metric()).toLower(),
                               widgets::storedNumber(drawable(metricValue(value, row.metric()))->mean))};
    for (const evidence::Flag flag : metricFlags(value, row.metric()))
        lines.append(evidence::flagText(flag));
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

const evidence::Estimate *estimateAt(const TrendRow &row, qsizetype place)
{
    return row.places[place] ? drawable(metricValue(*row.places[place], row.metric())) : nullptr;
}

// "344.0 → 80.0, −76.7 %": from the first place that has a value to the last, the percentage where it is of one series.
QString lineText(const TrendRow &row, const Trend &trend, int decimals)
{
    const evidence::Estimate *first = nullptr, *last = nullptr;
    for (qsizetype i = 0; i < row.places.size(); ++i)
        if (const evidence::Estimate *estimate = estimateAt(row, i)) {
            first = first ? first : estimate;
            last = estimate;
        }
    if (!last)
        return evidence::stateName(metricValue(row.any(), row.metric()).state);
    const QString sides = changeText(displayNumber(first->mean, decimals), displayNumber(last->mean, decimals));
    const bool isOneSeries = row.change && row.change->judged().percent && trend.gpuBreaks.isEmpty();
    return isOneSeries ? QStringLiteral("%1, %2").arg(sides, signedPercent(*row.change->judged().percent, decimals))
                       : sides;
}

FigureTrendLine lineOf(const TrendRow &row, const Trend &trend, int decimals)
{
    FigureTrendLine line;
    line.label = rowLabel(row.any());
    line.color = colorRole(row.any().implementation);
    line.valueText = lineText(row, trend, decimals);
    for (qsizetype i = 0; i < row.places.size(); ++i) {
        widgets::FigureTrendPoint point;
        if (const evidence::Estimate *estimate = estimateAt(row, i)) {
            point.value = estimate->mean;
            point.toolTip = pointToolTip(row, i, trend);
            point.startsAnother = row.startsAnother(i);
        }
        line.points.append(point);
    }
    return line;
}

// Why a line has a gap or another series begins; empty where neither.
QString noteAt(const TrendRow &row, qsizetype place)
{
    if (!row.places[place])
        return QStringLiteral("not measured");
    const evidence::Value &value = metricValue(*row.places[place], row.metric());
    if (!drawable(value))
        return evidence::stateName(value.state) +
               (value.reason.isEmpty() ? QString() : QStringLiteral(", ") + value.reason);
    return row.startsAnother(place) ? evidence::incomparableReason(*row.places[place], *row.places[place - 1],
                                                                   row.isBySpan() ? &ValueRow::span : &ValueRow::kernel)
                                    : QString();
}

// "Rust, CUDA in mage-002: not measured": one line for what is the same in one namespace.
QStringList notesOf(const Panel &panel, const Trend &trend)
{
    QStringList notes;
    for (qsizetype i = 0; i < trend.names.size(); ++i) {
        QStringList reasons;
        QHash<QString, QStringList> labels;
        for (const TrendRow *row : panel.rows)
            if (const QString reason = noteAt(*row, i); !reason.isEmpty()) {
                if (!labels.contains(reason))
                    reasons.append(reason);
                labels[reason].append(rowLabel(row->any()));
            }
        for (const QString &reason : reasons)
            notes.append(
                QStringLiteral("%1 in %2: %3").arg(labels[reason].join(QStringLiteral(", ")), trend.names[i], reason));
    }
    return notes;
}

// Where all are of one machine its name stands above; the footer names several.
QString subtitleOf(const evidence::Namespace &now, const Trend &trend, const ViewOptions &options)
{
    QStringList parts{QStringLiteral("µs, lower is better"), trend.names.join(QStringLiteral(", "))};
    const bool isOne = std::all_of(options.baselines.begin(), options.baselines.end(),
                                   [&now](const auto *other) { return machineText(*other) == machineText(now); });
    if (isOne)
        parts.append(machineText(now));
    return parts.join(QStringLiteral(" · "));
}

FigureTrend trendPanel(const Panel &panel, const Trend &trend, bool tellsWarm, int decimals)
{
    FigureTrend figure;
    figure.title = panel.key.operationTitle;
    QStringList parts{dimsLabel(panel.key.dims), cacheWords(panel.key.cache, tellsWarm),
                      panel.isBySpan ? QStringLiteral("span, as no kernel time is there")
                                     : QStringLiteral("kernel time")};
    parts.removeAll(QString());
    figure.subtitle = parts.join(QStringLiteral(" · "));
    figure.unit = QStringLiteral("µs");
    figure.places = trend.names;
    figure.breaks = trend.gpuBreaks;
    for (const TrendRow *row : panel.rows)
        figure.lines.append(lineOf(*row, trend, decimals));
    figure.notes = notesOf(panel, trend);
    return figure;
}

QStringList gpuNotes(const evidence::Namespace &now, const Trend &trend, const ViewOptions &options)
{
    QStringList notes;
    const QList<const evidence::Namespace *> all = options.baselines + QList<const evidence::Namespace *>{&now};
    for (const int place : trend.gpuBreaks)
        notes.append(
            QStringLiteral("%1 was measured on another GPU (%2) than %3 (%4): a divider parts them, they are "
                           "never one series.")
                .arg(trend.names[place], gpuText(*all[place]), trend.names[place - 1], gpuText(*all[place - 1])));
    return notes;
}

QString altWords(const widgets::Figure &figure, const Trend &trend, int decimals)
{
    QStringList sentences{figure.title + QStringLiteral(", ") + figure.subtitle};
    for (const TrendRow &row : trend.rows) {
        QStringList values;
        for (qsizetype i = 0; i < row.places.size(); ++i) {
            const evidence::Estimate *estimate = estimateAt(row, i);
            const QString state = row.places[i] ? evidence::stateName(metricValue(*row.places[i], row.metric()).state)
                                                : QStringLiteral("not measured");
            values.append(QStringLiteral("%1 %2").arg(
                trend.names[i], estimate ? displayNumber(estimate->mean, decimals) + QStringLiteral(" µs") : state));
        }
        sentences.append(QStringLiteral("%1 %2, %3: %4")
                             .arg(row.any().operationTitle, rowLabel(row.any()), metricTitle(row.metric()).toLower(),
                                  values.join(QStringLiteral(", "))));
    }
    return sentences.join(QStringLiteral(". ")) + QLatin1Char('.');
}

} // namespace

widgets::Figure trendFigure(const evidence::Namespace &now, const ViewOptions &options)
{
    const Trend trend = trendOf(now, options);
    const int decimals = compareDecimals(options);
    QList<ValueRow> rows;
    for (const TrendRow &row : trend.rows)
        rows.append(row.any());
    widgets::Figure figure;
    figure.title = QStringLiteral("Trend");
    figure.subtitle = subtitleOf(now, trend, options);
    for (const Panel &panel : panelsOf(trend))
        figure.trends.append(trendPanel(panel, trend, tellsWarm(rows), decimals));
    figure.footer = gpuNotes(now, trend, options);
    figure.footer += trend.stepLines;
    figure.footer.append(
        QStringLiteral("Every operation has a scale of its own from zero. A line pauses where a value is "
                       "missing, or another series begins."));
    figure.footer += compareFooter(trend.firstToLast, originsOf(trend, now, options), options);
    figure.altText = altWords(figure, trend, decimals);
    return figure;
}

} // namespace stagecraft::views
