// SPDX-License-Identifier: GPL-3.0-or-later
#include "rooflineview.h"

#include "cachestate.h"
#include "captions.h"
#include "rooflinevalues.h"

namespace stagecraft::views {

using evidence::State;
using widgets::FigureScatter;
using widgets::FigureScatterCeiling;
using widgets::FigureScatterItem;
using widgets::storedNumber;

namespace {

constexpr int wideFigure = 1220, columns = 2;
constexpr double gigabytesPerTera = 1000;
enum Kind
{
    ByL2,
    ByDram
};

int decimalsOf(const ViewOptions &options)
{
    return options.decimals < 0 ? 2 : options.decimals;
}

bool isSplit(const RooflinePoint &point)
{
    return point.arithmetic == QLatin1String("3xtf32");
}

QString rateText(double rate)
{
    return QStringLiteral("%1 GB/s").arg(widgets::displayNumber(rate, 0));
}

QList<FigureScatterCeiling> ceilingLines(const RooflineCeilings &ceilings, bool split)
{
    QList<FigureScatterCeiling> lines;
    const auto level = [&](const QString &what, const std::optional<double> &value) {
        if (value)
            lines.append({QStringLiteral("%1 %2 TFLOP/s").arg(what, QString::number(*value, 'f', 1)), value, {}, -1});
    };
    level(QStringLiteral("FP32 multiply-adds"), ceilings.fp32);
    if (split)
        level(QStringLiteral("a third of the TF32 peak"), ceilings.splitTf32);
    const auto slope = [&](const QString &what, const std::optional<double> &rate, Kind kind) {
        if (rate)
            lines.append({QStringLiteral("%1 %2").arg(what, rateText(*rate)), {}, *rate / gigabytesPerTera, kind});
    };
    slope(QStringLiteral("L2"), ceilings.rates.l2, ByL2);
    slope(QStringLiteral("DRAM"), ceilings.rates.dram, ByDram);
    return lines;
}

QString markerToolTip(const RooflinePoint &point, const QString &kind, const std::optional<double> &intensity)
{
    if (!intensity)
        return {};
    return QStringLiteral("%1\n%2 TFLOP/s, %3 operations in %4 µs\n%5 operations per byte of %6")
        .arg(point.label, storedNumber(point.teraflops().value_or(0)), storedNumber(point.flop.value_or(0)),
             storedNumber(point.kernelUs.value_or(0)), storedNumber(*intensity), kind);
}

FigureScatterItem itemOf(const RooflinePoint &point, int decimals)
{
    FigureScatterItem item;
    item.label = point.label;
    item.color = colorRole(point.implementation);
    if (point.state != State::Ok) {
        item.stateText = evidence::stateName(point.state);
        return item;
    }
    item.y = *point.teraflops();
    item.x = {point.perL2Byte(), point.perDramByte()};
    item.toolTips = {markerToolTip(point, QStringLiteral("L2"), point.perL2Byte()),
                     markerToolTip(point, QStringLiteral("DRAM"), point.perDramByte())};
    item.valueText = widgets::displayNumber(item.y, decimals);
    return item;
}

// What a picture cannot show: states, and what DRAM has no part in.
void addNotes(FigureScatter &panel, const QList<RooflinePoint> &points)
{
    QStringList warm;
    for (const RooflinePoint &point : points) {
        if (point.state != State::Ok)
            panel.notes.append(
                QStringLiteral("%1: %2, %3.").arg(point.label, evidence::stateName(point.state), point.reason));
        else if (!point.perDramByte())
            warm.append(point.label);
    }
    if (!warm.isEmpty())
        panel.notes.prepend(
            QStringLiteral("Without a marker for DRAM, which gives less than 1 % of the L2's bytes: %1.")
                .arg(warm.size() == points.size() ? QStringLiteral("all") : warm.join(QStringLiteral(", "))));
}

FigureScatter panelOf(const QList<RooflinePoint> &points, const RooflineCeilings &ceilings, int decimals)
{
    const RooflinePoint &first = points.first();
    FigureScatter panel;
    panel.title = evidence::operationLabel(first.operation);
    QStringList parts{dimsLabel(first.dims), cacheWords(first.cache, false)};
    parts.removeAll(QString());
    panel.subtitle = parts.join(QStringLiteral(", "));
    panel.xTitle = QStringLiteral("FP32 operations per byte");
    panel.yTitle = QStringLiteral("TFLOP/s");
    panel.kinds = {QStringLiteral("bytes of L2"), QStringLiteral("bytes of DRAM")};
    panel.ceilings = ceilingLines(ceilings, std::ranges::any_of(points, isSplit));
    for (const RooflinePoint &point : points)
        panel.items.append(itemOf(point, decimals));
    addNotes(panel, points);
    return panel;
}

QList<FigureScatter> panels(const QList<RooflinePoint> &points, const RooflineCeilings &ceilings, int decimals)
{
    QList<FigureScatter> panels;
    for (qsizetype first = 0; first < points.size();) {
        qsizetype end = first;
        while (end < points.size() && points[end].operation == points[first].operation &&
               points[end].dims == points[first].dims &&
               evidence::cacheState(points[end].cache) == evidence::cacheState(points[first].cache))
            ++end;
        panels.append(panelOf(points.mid(first, end - first), ceilings, decimals));
        first = end;
    }
    return panels;
}

QStringList rooflineFooter(const evidence::Namespace &evidence, const ViewOptions &options)
{
    const RooflineCeilings ceilings = rooflineCeilings(evidence);
    return QStringList{QStringLiteral("Height: executed FP32 operations (2·FFMA + FADD + FMUL, and tensor cores') ÷ "
                                      "kernel time of the ordinary rounds. Both scales are logarithmic."),
                       QStringLiteral("Ceilings were measured on this GPU: L2 by a %1, DRAM by a %2.")
                           .arg(ceilings.rates.l2What, ceilings.rates.dramWhat.isEmpty()
                                                           ? QStringLiteral("copy that was not measured")
                                                           : ceilings.rates.dramWhat)} +
           originLines(evidence, options);
}

QString altWords(const widgets::Figure &figure)
{
    if (!figure.unavailable.isEmpty())
        return QStringLiteral("%1: unavailable, %2").arg(figure.title, figure.unavailable);
    QStringList sentences{QStringLiteral("%1, %2.").arg(figure.title, figure.subtitle)};
    for (const FigureScatter &panel : figure.scatters) {
        QStringList ceilings, items;
        for (const FigureScatterCeiling &ceiling : panel.ceilings)
            ceilings.append(ceiling.text);
        for (const FigureScatterItem &item : panel.items)
            items.append(item.stateText.isEmpty()
                             ? QStringLiteral("%1 %2 at %3")
                                   .arg(item.label, item.valueText, widgets::displayNumber(item.x[ByL2].value_or(0), 2))
                             : QStringLiteral("%1 %2").arg(item.label, item.stateText));
        sentences.append(QStringLiteral("%1, %2. Ceilings: %3. TFLOP/s at operations per byte of L2: %4.")
                             .arg(panel.title, panel.subtitle, ceilings.join(QStringLiteral(", ")),
                                  items.join(QStringLiteral("; "))));
    }
    return sentences.join(QLatin1Char(' '));
}

} // namespace

widgets::Figure rooflineFigure(const evidence::Namespace &evidence, const ViewOptions &options)
{
    widgets::Figure figure;
    figure.id = viewName(ViewId::Roofline);
    figure.title = QStringLiteral("Roofline");
    figure.subtitle = QStringLiteral("operations per byte against operations per second · %1 · %2")
                          .arg(machineText(evidence), evidence.name);
    figure.columns = columns;
    figure.desktopWidth = wideFigure;
    figure.metadata = provenance(evidence, figure.id, options);
    const QList<RooflinePoint> points = rooflinePoints(evidence, options);
    figure.unavailable = rooflineUnavailable(points, evidence, options);
    if (figure.unavailable.isEmpty())
        figure.scatters = panels(points, rooflineCeilings(evidence), decimalsOf(options));
    figure.footer = figure.unavailable.isEmpty() ? rooflineFooter(evidence, options) : originLines(evidence, options);
    figure.altText = altWords(figure);
    return figure;
}

namespace {

using widgets::ValueCell;
using widgets::ValueColumn;

ValueColumn textColumn(const char *id, const char *title, const char *toolTip)
{
    return {QString::fromUtf8(id), QString::fromUtf8(title), QString(), false, 0, QString::fromUtf8(toolTip)};
}

ValueColumn numberColumn(const char *id, const char *title, const char *unit, int decimals, const char *toolTip)
{
    return {QString::fromUtf8(id),     QString::fromUtf8(title), QString::fromUtf8(unit), true, decimals,
            QString::fromUtf8(toolTip)};
}

ValueCell words(const QString &text)
{
    return {text, std::nullopt, QString()};
}

ValueCell amount(const std::optional<double> &value, const QString &reason)
{
    return value ? ValueCell{QString(), value, QString()}
                 : ValueCell{evidence::stateName(State::Unavailable), std::nullopt, reason};
}

// The arithmetic ceiling that bounds it.
std::optional<double> peakOf(const RooflinePoint &point, const RooflineCeilings &ceilings)
{
    return isSplit(point) ? ceilings.splitTf32 : ceilings.fp32;
}

QList<ValueColumn> tableColumns(bool ids, int decimals)
{
    QList<ValueColumn> list{textColumn("operation", "operation", "what is computed"),
                            textColumn("implementation", "implementation", "the stage, or who computes it")};
    if (ids)
        list += {textColumn("dims", "dims", "the operation's dimensions"),
                 textColumn("cache", "cache", "warm or cold"),
                 textColumn("stage", "stage", "the stage file"),
                 textColumn("arithmetic", "arithmetic", "what it computes in"),
                 numberColumn("flop", "operations", "", 0, "executed FP32 operations of a call"),
                 numberColumn("l2_bytes", "L2", "B", 0, "bytes between SMs and L2"),
                 numberColumn("dram_bytes", "DRAM", "B", 0, "bytes from and to GPU memory")};
    return list + QList<ValueColumn>{
                      numberColumn("kernel_us", "kernel", "µs", decimals, "kernel time of the ordinary rounds"),
                      numberColumn("tflops", "rate", "TFLOP/s", decimals, "operations ÷ kernel time"),
                      numberColumn("flop_per_l2_byte", "per L2 byte", "", decimals, "operations per byte of the L2"),
                      numberColumn("flop_per_dram_byte", "per DRAM byte", "", decimals, "operations per byte of DRAM"),
                      numberColumn("peak_tflops", "peak", "TFLOP/s", 1, "the measured peak of its arithmetic"),
                      numberColumn("of_peak_percent", "of peak", "%", 1, "rate ÷ peak"),
                      numberColumn("l2_gbps", "L2 ceiling", "GB/s", 0, "the fastest warm copy or read"),
                      numberColumn("of_l2_percent", "of L2", "%", 1, "bytes of the L2 ÷ kernel time ÷ that rate")};
}

QList<ValueCell> tableRow(const RooflinePoint &point, const RooflineCeilings &ceilings, bool ids)
{
    const QString reason = point.reason.isEmpty() ? QStringLiteral("not counted") : point.reason;
    const auto rate = point.teraflops(), peak = peakOf(point, ceilings);
    const auto percent = [](const std::optional<double> &part, const std::optional<double> &whole) {
        return part && whole && *whole > 0 ? std::optional(100 * *part / *whole) : std::nullopt;
    };
    const auto l2Rate = point.l2Bytes && point.kernelUs && *point.kernelUs > 0
                            ? std::optional(*point.l2Bytes / *point.kernelUs / gigabytesPerTera)
                            : std::nullopt;
    QList<ValueCell> cells{words(ids ? point.operation : evidence::operationLabel(point.operation)),
                           words(ids ? point.implementation : point.label)};
    if (ids)
        cells += {words(evidence::dimsText(point.dims)),
                  words(point.cache),
                  words(point.stage),
                  words(point.arithmetic),
                  amount(point.flop, reason),
                  amount(point.l2Bytes, reason),
                  amount(point.dramBytes, reason)};
    const QString warm = QStringLiteral("DRAM gives less than 1 % of the L2's bytes");
    return cells + QList<ValueCell>{amount(point.kernelUs, reason),
                                    amount(rate, reason),
                                    amount(point.perL2Byte(), reason),
                                    amount(point.perDramByte(), point.state == State::Ok ? warm : reason),
                                    amount(peak, QStringLiteral("not measured")),
                                    amount(percent(rate, peak), reason),
                                    amount(ceilings.rates.l2, QStringLiteral("not measured")),
                                    amount(percent(l2Rate, ceilings.rates.l2), reason)};
}

} // namespace

widgets::ValueTable rooflineTable(const evidence::Namespace &evidence, const ViewOptions &options)
{
    const bool ids = options.audience == Audience::Programs;
    widgets::ValueTable table;
    table.id = viewName(ViewId::Roofline);
    table.title = QStringLiteral("%1: roofline").arg(evidence.name);
    table.columns = tableColumns(ids, decimalsOf(options));
    const QList<RooflinePoint> points = rooflinePoints(evidence, options, ids);
    table.unavailable = rooflineUnavailable(points, evidence, options);
    if (table.unavailable.isEmpty())
        for (const RooflinePoint &point : points)
            table.rows.append(tableRow(point, rooflineCeilings(evidence), ids));
    table.footer = table.unavailable.isEmpty() ? rooflineFooter(evidence, options) : originLines(evidence, options);
    return table;
}

} // namespace stagecraft::views
