// SPDX-License-Identifier: GPL-3.0-or-later
#include "samplesview.h"

#include "captions.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::Measurement;
using evidence::Namespace;
using evidence::OperationResult;
using evidence::State;
using evidence::ValueRow;
using widgets::ValueCell;

namespace {

QString unavailableSamples(const QList<ValueRow> &rows, const Namespace &evidence, const ViewOptions &options)
{
    QString reason = unavailableReason(rows, Metric::Span, evidence, options);
    if (!reason.isEmpty())
        return reason;
    if (!evidence.results.isEmpty())
        return {};
    return evidence.summary
               ? QStringLiteral("%1 is a summary: it holds means and ranges, no samples").arg(evidence.name)
               : QStringLiteral("%1 has no comparison-results.json, which holds the samples").arg(evidence.name);
}

bool sameCase(const OperationResult &result, const ValueRow &row)
{
    return result.operation == row.operation && result.dims == row.dims && result.cache == row.cache;
}

// Calls visit(round, measurement) for every sound measurement of the row, in the order taken.
template <typename Visit>
void forEachMeasurement(const Namespace &evidence, const ValueRow &row, Visit visit)
{
    for (const OperationResult &result : evidence.results) {
        if (!sameCase(result, row))
            continue;
        for (const evidence::Round &round : result.rounds) {
            const auto found = round.implementations.constFind(row.implementation);
            const bool measured = found != round.implementations.constEnd() &&
                                  (found->state == State::Ok || found->state == State::Throttled);
            if (measured)
                visit(round, *found);
        }
    }
}

widgets::FigureSeries series(const Namespace &evidence, const ValueRow &row)
{
    widgets::FigureSeries series;
    series.label = rowLabel(row);
    series.color = colorRole(row.implementation);
    if (!drawable(row.span)) {
        series.stateText = evidence::stateName(row.span.state);
        return series;
    }
    forEachMeasurement(evidence, row, [&](const evidence::Round &, const Measurement &measurement) {
        if (!series.values.isEmpty())
            series.boundaries.append(static_cast<int>(series.values.size()));
        series.values += measurement.samplesUs;
    });
    return series;
}

widgets::FigurePlot plot(const Namespace &evidence, const RowGroup &group, bool host, bool tellsWarm)
{
    widgets::FigurePlot plot;
    plot.title = host ? group.title + QStringLiteral(" on the CPU") : group.title;
    QStringList parts{dimsLabel(group.dims), cacheWords(group.cache, tellsWarm)};
    parts.removeAll(QString());
    plot.subtitle = parts.join(QStringLiteral(" · "));
    plot.xTitle = QStringLiteral("sample");
    plot.unit = QStringLiteral("µs");
    for (const ValueRow &row : group.rows)
        if (onHost(row) == host)
            plot.series.append(series(evidence, row));
    return plot;
}

QString seriesWords(const widgets::FigureSeries &series, int decimals)
{
    if (series.values.isEmpty())
        return series.label + QLatin1Char(' ') + series.stateText;
    const auto [least, most] = std::minmax_element(series.values.begin(), series.values.end());
    return QStringLiteral("%1 %2 samples from %3 to %4 µs")
        .arg(series.label, QString::number(series.values.size()), widgets::displayNumber(*least, decimals),
             widgets::displayNumber(*most, decimals));
}

QString plotWords(const widgets::Figure &figure, int decimals)
{
    QStringList sentences{figure.title + QStringLiteral(", ") + figure.subtitle};
    for (const widgets::FigurePlot &plot : figure.plots) {
        QStringList words;
        for (const widgets::FigureSeries &series : plot.series)
            words.append(seriesWords(series, decimals));
        sentences.append(QStringLiteral("%1 %2: %3").arg(plot.title, plot.subtitle, words.join(QStringLiteral(", "))));
    }
    return sentences.join(QStringLiteral(". ")) + QLatin1Char('.');
}

QList<widgets::ValueColumn> sampleColumns(int decimals)
{
    const auto text = [](const char *id, const char *toolTip) {
        return widgets::ValueColumn{QString::fromUtf8(id),     QString::fromUtf8(id), QString(), false, 0,
                                    QString::fromUtf8(toolTip)};
    };
    const auto count = [](const char *id, const char *toolTip) {
        return widgets::ValueColumn{QString::fromUtf8(id),     QString::fromUtf8(id), QString(), true, 0,
                                    QString::fromUtf8(toolTip)};
    };
    return {text("operation", "what is computed"),
            text("dims", "the operation's dimensions"),
            text("cache", "cache state before each call"),
            text("implementation", "who computes it"),
            text("stage", "the version of this project's kernel"),
            count("round", "counted from 1"),
            count("sample", "within the round, counted from 1"),
            {QStringLiteral("span_us"), QStringLiteral("span"), QStringLiteral("µs"), true, decimals,
             QStringLiteral("interval around one call")},
            text("source", "the clock that measured it")};
}

void appendSamples(widgets::ValueTable &table, const ValueRow &row, const evidence::Round &round,
                   const Measurement &measurement, const ViewOptions &options)
{
    const bool ids = options.audience == Audience::Programs;
    const QString dims = ids ? programDims(row.dims) : dimsLabel(row.dims);
    const auto words = [](const QString &text) { return ValueCell{text, std::nullopt, QString()}; };
    const auto number = [](double value) { return ValueCell{QString(), value, QString()}; };
    const QString source = ids ? row.span.source : sourceLabel(row.span.source);
    for (qsizetype i = 0; i < measurement.samplesUs.size(); ++i)
        table.rows.append({words(ids ? row.operation : row.operationTitle), words(dims), words(row.cache),
                           words(ids ? row.implementation : rowLabel(row)), words(measurement.stage),
                           number(round.index + 1), number(static_cast<double>(i + 1)),
                           number(measurement.samplesUs[i]), words(source)});
}

} // namespace

widgets::Figure samplesFigure(const Namespace &evidence, const ViewOptions &options)
{
    const QList<ValueRow> rows = selectedRows(evidence, options);
    widgets::Figure figure;
    figure.id = viewName(ViewId::Samples);
    figure.title = QStringLiteral("Samples");
    figure.subtitle = QStringLiteral("every span as it was taken, µs, lower is better");
    figure.metadata = provenance(evidence, figure.id, options);
    figure.footer = samplesFooter(
        evidence, rows, QStringLiteral("Vertical lines: a new round. Each panel has its own scale."), options);
    figure.unavailable = unavailableSamples(rows, evidence, options);
    if (!figure.unavailable.isEmpty()) {
        figure.altText = QStringLiteral("Samples: unavailable, %1").arg(figure.unavailable);
        return figure;
    }
    for (const RowGroup &group : groupedRows(rows))
        for (const bool host : {false, true})
            if (std::any_of(group.rows.begin(), group.rows.end(),
                            [host](const ValueRow &row) { return onHost(row) == host; }))
                figure.plots.append(plot(evidence, group, host, tellsWarm(rows)));
    figure.altText = plotWords(figure, metricDecimals(rows, Metric::Span, options));
    return figure;
}

widgets::ValueTable samplesTable(const Namespace &evidence, const ViewOptions &options)
{
    const QList<ValueRow> rows = selectedRows(evidence, options);
    widgets::ValueTable table;
    table.id = viewName(ViewId::Samples);
    table.title = QStringLiteral("%1: samples").arg(evidence.name);
    table.columns = sampleColumns(metricDecimals(rows, Metric::Span, options));
    table.footer = samplesFooter(evidence, rows, QString(), options);
    table.unavailable = unavailableSamples(rows, evidence, options);
    if (!table.unavailable.isEmpty())
        return table;
    for (const ValueRow &row : rows)
        if (drawable(row.span))
            forEachMeasurement(evidence, row, [&](const evidence::Round &round, const Measurement &measurement) {
                appendSamples(table, row, round, measurement, options);
            });
    return table;
}

} // namespace stagecraft::views
