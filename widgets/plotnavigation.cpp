// SPDX-License-Identifier: GPL-3.0-or-later
#include "plotnavigation.h"

#include "valuetable.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stagecraft::widgets {

namespace {

constexpr qsizetype kLeastWidth = 9; // between the first and the last of ten samples
constexpr double kReach = 0.5;       // figure units to either side of the pointer

const FigureSeries *longestSeries(const FigurePlot &plot)
{
    const auto longest =
        std::max_element(plot.series.begin(), plot.series.end(), [](const FigureSeries &a, const FigureSeries &b) {
            return a.values.size() < b.values.size();
        });
    return longest == plot.series.end() || longest->values.isEmpty() ? nullptr : &*longest;
}

QString partName(const FigureSeries &series, qsizetype part)
{
    return part < series.partNames.size() ? series.partNames[part] : QStringLiteral("round %1").arg(part + 1);
}

std::optional<PlotRange> rangeOrAll(const FigurePlot &plot, double first, qsizetype width, bool fitsValues)
{
    const qsizetype last = std::max<qsizetype>(0, plotSize(plot) - 1);
    const auto start = std::clamp<qsizetype>(static_cast<qsizetype>(std::llround(first)), 0, last - width);
    if (width >= last && !fitsValues)
        return std::nullopt;
    return PlotRange{start, start + width, fitsValues};
}

} // namespace

qsizetype plotSize(const FigurePlot &plot)
{
    const FigureSeries *longest = longestSeries(plot);
    return longest ? longest->values.size() : 0;
}

PlotRange shownRange(const FigurePlot &plot)
{
    const qsizetype last = std::max<qsizetype>(0, plotSize(plot) - 1);
    if (!plot.range)
        return {0, last, false};
    const qsizetype first = std::clamp<qsizetype>(plot.range->first, 0, last);
    return {first, std::clamp(plot.range->last, first, last), plot.range->fitsValues};
}

std::optional<PlotRange> zoomedRange(const FigurePlot &plot, double factor, double at)
{
    const PlotRange shown = shownRange(plot);
    const qsizetype all = std::max<qsizetype>(0, plotSize(plot) - 1);
    const auto before = static_cast<double>(shown.last - shown.first);
    // At least one sample more or less, so that no step is lost to rounding.
    const double wanted = factor < 1 ? std::min(before * factor, before - 1) : std::max(before * factor, before + 1);
    const auto width = static_cast<qsizetype>(
        std::llround(std::clamp(wanted, double(std::min(kLeastWidth, all)), static_cast<double>(all))));
    const double anchor = before > 0 ? std::clamp((at - static_cast<double>(shown.first)) / before, 0.0, 1.0) : 0.5;
    const double first = static_cast<double>(shown.first) + anchor * (before - static_cast<double>(width));
    return rangeOrAll(plot, first, width, shown.fitsValues);
}

std::optional<PlotRange> pannedRange(const FigurePlot &plot, double samples)
{
    const PlotRange shown = shownRange(plot);
    return rangeOrAll(plot, static_cast<double>(shown.first) + samples, shown.last - shown.first, shown.fitsValues);
}

std::optional<PlotRange> refittedRange(const FigurePlot &plot)
{
    const PlotRange shown = shownRange(plot);
    return rangeOrAll(plot, static_cast<double>(shown.first), shown.last - shown.first, !shown.fitsValues);
}

QString rangeWords(const FigurePlot &plot)
{
    const FigureSeries *longest = longestSeries(plot);
    if (!plot.range || !longest)
        return {};
    const PlotRange shown = shownRange(plot);
    QString words =
        QStringLiteral("samples %1 to %2 of %3")
            .arg(groupedCount(shown.first + 1), groupedCount(shown.last + 1), groupedCount(longest->values.size()));
    const qsizetype from = longest->values.partOf(shown.first), to = longest->values.partOf(shown.last);
    words += QStringLiteral(", ") + partName(*longest, from);
    if (to != from)
        words += QStringLiteral(" to ") + partName(*longest, to);
    return words;
}

std::optional<SamplePick> nearestSample(const FigurePlot &plot, const ScenePlot &place, const QPointF &position)
{
    const double left = place.indexAt(position.x() - kReach), right = place.indexAt(position.x() + kReach);
    // At least the two samples between which the pointer stands.
    const auto first = std::max(place.first, static_cast<qsizetype>(std::floor(left)));
    const auto last = std::min(place.last, static_cast<qsizetype>(std::ceil(right)));
    std::optional<SamplePick> nearest;
    double least = std::numeric_limits<double>::infinity();
    for (int s = 0; s < plot.series.size(); ++s) {
        const SampleSequence &values = plot.series[s].values;
        for (qsizetype i = first; i <= std::min(last, values.size() - 1); ++i) {
            const double value = values[i];
            if (!std::isfinite(value) || value < 0)
                continue;
            const QPointF offset = place.place(static_cast<double>(i), value) - position;
            const double distance = QPointF::dotProduct(offset, offset);
            if (distance < least) {
                least = distance;
                nearest = SamplePick{s, i};
            }
        }
    }
    return nearest;
}

QString sampleReadOut(const FigurePlot &plot, const SamplePick &pick)
{
    const FigureSeries &series = plot.series[pick.series];
    const SampleSequence &values = series.values;
    const qsizetype part = values.partOf(pick.index);
    const double value = values[pick.index];
    QString text = QStringLiteral("%1: %2 %3\nsample %4 of %5; %6, sample %7 of %8")
                       .arg(series.label, storedNumber(value), plot.unit, groupedCount(pick.index + 1),
                            groupedCount(values.size()), partName(series, part),
                            groupedCount(pick.index - values.starts()[part] + 1), groupedCount(values.partSize(part)));
    const SampleStatistics &statistics = values.statistics();
    if (statistics.isOutlier(value))
        text += QStringLiteral("\noutlier: outside %1 to %2 %3")
                    .arg(displayNumber(statistics.usualLow, 3), displayNumber(statistics.usualHigh, 3), plot.unit);
    return text;
}

QString groupedCount(qint64 count)
{
    QLocale locale = QLocale::c();
    locale.setNumberOptions({});
    return locale.toString(count);
}

} // namespace stagecraft::widgets
