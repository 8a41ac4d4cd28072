// SPDX-License-Identifier: GPL-3.0-or-later
#include "samplesview.h"

#include "captions.h"
#include "figurebars.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::Measurement;
using evidence::Namespace;
using evidence::OperationResult;
using evidence::State;
using evidence::ValueRow;
using widgets::ValueCell;

namespace {

// A row of cells takes some 500 bytes.
constexpr qsizetype mostTableRows = 1'000'000;

// As widgets::SampleStatistics has it.
QString outlierRule()
{
    return QStringLiteral("Outliers are kept and counted: samples further from their implementation's median than 5 × "
                          "the median absolute deviation, or where that is 0, 5 × the mean one.");
}

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
    QList<QList<double>> rounds;
    forEachMeasurement(evidence, row, [&](const evidence::Round &round, const Measurement &measurement) {
        if (measurement.samplesUs.isEmpty())
            return;
        rounds.append(measurement.samplesUs);
        series.partNames.append(QStringLiteral("round %1").arg(round.index + 1));
    });
    series.values = widgets::SampleSequence(rounds);
    return series;
}

widgets::FigurePlot plot(const Namespace &evidence, const RowGroup &group, bool host, bool tellsWarm)
{
    widgets::FigurePlot plot;
    plot.title = host ? group.title + QLatin1Char(' ') + hostClockWords(evidence) : group.title;
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
    const widgets::SampleStatistics &statistics = series.values.statistics();
    return QStringLiteral("%1 %2 samples from %3 to %4 µs, %5")
        .arg(series.label, QString::number(series.values.size()), widgets::displayNumber(statistics.least, decimals),
             widgets::displayNumber(statistics.most, decimals),
             statistics.outliers == 1 ? QStringLiteral("1 outlier")
                                      : QStringLiteral("%1 outliers").arg(statistics.outliers));
}

QString plotWords(const widgets::Figure &figure, int decimals)
{
    QStringList sentences{figure.title + QStringLiteral(", ") + figure.subtitle};
    for (const widgets::FigurePlot &plot : figure.plots) {
        QStringList words;
        QList<std::optional<double>> least;
        for (const widgets::FigureSeries &series : plot.series) {
            words.append(seriesWords(series, decimals));
            least.append(series.values.isEmpty() ? std::nullopt : std::optional(series.values.statistics().least));
        }
        words = spokenWords(words, least);
        sentences.append(QStringLiteral("%1 %2: %3").arg(plot.title, plot.subtitle, words.join(QStringLiteral("; "))));
    }
    return sentences.join(QStringLiteral(". ")) + QLatin1Char('.');
}

widgets::ValueColumn words(const char *id, const char *toolTip)
{
    return {QString::fromUtf8(id), QString::fromUtf8(id), QString(), false, 0, QString::fromUtf8(toolTip)};
}

widgets::ValueColumn count(const char *id, const char *toolTip)
{
    return {QString::fromUtf8(id), QString::fromUtf8(id), QString(), true, 0, QString::fromUtf8(toolTip)};
}

widgets::ValueColumn time(const char *id, const char *title, int decimals, const char *toolTip)
{
    return {QString::fromUtf8(id),     QString::fromUtf8(title), QStringLiteral("µs"), true, decimals,
            QString::fromUtf8(toolTip)};
}

QList<widgets::ValueColumn> whoColumns()
{
    return {words("operation", "what is computed"),
            words("dims", "the operation's dimensions"),
            words("cache", "cache state before each call"),
            words("implementation", "who computes it"),
            words("stage", "the version of this project's kernel"),
            count("round", "counted from 1")};
}

QList<widgets::ValueColumn> sampleColumns(int decimals)
{
    return whoColumns() + QList<widgets::ValueColumn>{count("sample", "within the round, counted from 1"),
                                                      time("span_us", "span", decimals, "interval around one call"),
                                                      words("outlier", "yes where it is one by the rule below"),
                                                      words("source", "the clock that measured it")};
}

QList<widgets::ValueColumn> roundColumns(int decimals)
{
    return whoColumns() + QList<widgets::ValueColumn>{count("samples", "spans in this round"),
                                                      time("least_us", "least", decimals, "the shortest span"),
                                                      time("median_us", "median", decimals, "of the round's spans"),
                                                      time("most_us", "most", decimals, "the longest span"),
                                                      count("outliers", "of them, by the rule below"),
                                                      words("source", "the clock that measured them")};
}

ValueCell wordsCell(const QString &text)
{
    return {text, std::nullopt, QString()};
}

ValueCell numberCell(double value)
{
    return {QString(), value, QString()};
}

QList<ValueCell> whoCells(const ValueRow &row, const evidence::Round &round, const Measurement &measurement, bool ids)
{
    return {wordsCell(ids ? row.operation : row.operationTitle),
            wordsCell(ids ? evidence::dimsText(row.dims) : dimsLabel(row.dims)),
            wordsCell(row.cache),
            wordsCell(ids ? row.implementation : rowLabel(row)),
            wordsCell(measurement.stage),
            numberCell(round.index + 1)};
}

// For programs: a row per sample.
void appendSamples(widgets::ValueTable &table, const ValueRow &row, const evidence::Round &round,
                   const Measurement &measurement, const widgets::SampleStatistics &statistics)
{
    const QList<ValueCell> who = whoCells(row, round, measurement, true);
    const ValueCell source = wordsCell(row.span.source);
    for (qsizetype i = 0; i < measurement.samplesUs.size(); ++i) {
        const double span = measurement.samplesUs[i];
        const bool isOutlier = statistics.isOutlier(span);
        table.rows.append(who + QList<ValueCell>{numberCell(static_cast<double>(i + 1)), numberCell(span),
                                                 wordsCell(isOutlier ? QStringLiteral("yes") : QString()), source});
    }
}

// For people: a row per round.
void appendRound(widgets::ValueTable &table, const ValueRow &row, const evidence::Round &round,
                 const Measurement &measurement, const widgets::SampleStatistics &statistics)
{
    if (measurement.samplesUs.isEmpty())
        return;
    const auto [least, most] = std::minmax_element(measurement.samplesUs.begin(), measurement.samplesUs.end());
    const auto outliers = std::count_if(measurement.samplesUs.begin(), measurement.samplesUs.end(),
                                        [&](double span) { return statistics.isOutlier(span); });
    table.rows.append(whoCells(row, round, measurement, false) +
                      QList<ValueCell>{numberCell(static_cast<double>(measurement.samplesUs.size())),
                                       numberCell(*least), numberCell(evidence::median(measurement.samplesUs)),
                                       numberCell(*most), numberCell(static_cast<double>(outliers)),
                                       wordsCell(sourceLabel(row.span.source))});
}

qsizetype sampleCount(const Namespace &evidence, const QList<ValueRow> &rows)
{
    qsizetype count = 0;
    for (const ValueRow &row : rows)
        if (drawable(row.span))
            forEachMeasurement(evidence, row, [&count](const evidence::Round &, const Measurement &measurement) {
                count += measurement.samplesUs.size();
            });
    return count;
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
    figure.footer.insert(1, outlierRule());
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
    const bool forPrograms = options.audience == Audience::Programs;
    const int decimals = metricDecimals(rows, Metric::Span, options);
    widgets::ValueTable table;
    table.id = viewName(ViewId::Samples);
    table.title = QStringLiteral("%1: samples").arg(evidence.name);
    table.columns = forPrograms ? sampleColumns(decimals) : roundColumns(decimals);
    table.footer = samplesFooter(evidence, rows, QString(), options);
    table.footer.insert(1, outlierRule());
    table.unavailable = unavailableSamples(rows, evidence, options);
    if (const qsizetype samples = sampleCount(evidence, rows); forPrograms && samples > mostTableRows)
        table.unavailable = QStringLiteral("%1 samples are more than a table takes (%2); they stand in "
                                           "comparison-results.json")
                                .arg(samples)
                                .arg(mostTableRows);
    if (!table.unavailable.isEmpty())
        return table;
    for (const ValueRow &row : rows) {
        if (!drawable(row.span))
            continue;
        const widgets::SampleStatistics statistics = series(evidence, row).values.statistics();
        forEachMeasurement(evidence, row, [&](const evidence::Round &round, const Measurement &measurement) {
            (forPrograms ? appendSamples : appendRound)(table, row, round, measurement, statistics);
        });
    }
    return table;
}

} // namespace stagecraft::views
