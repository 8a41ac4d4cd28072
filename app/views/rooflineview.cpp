// SPDX-License-Identifier: GPL-3.0-or-later
#include "rooflineview.h"

#include "cachestate.h"
#include "captions.h"
#include "comparecolumns.h"
#include "rooflinevalues.h"
#include "uncounted.h"

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
    item.y = *point.teraflops();
    item.x = {point.perL2Byte(), point.perDramByte()};
    item.toolTips = {markerToolTip(point, QStringLiteral("L2"), point.perL2Byte()),
                     markerToolTip(point, QStringLiteral("DRAM"), point.perDramByte())};
    item.valueText = widgets::displayNumber(item.y, decimals);
    return item;
}

QList<Uncounted> uncountedOf(const QList<RooflinePoint> &points)
{
    QList<Uncounted> all;
    for (const RooflinePoint &point : points)
        if (point.state != State::Ok)
            addUncounted(all, {point.state, point.reason, {point.label}, !point.stage.isEmpty()});
    return all;
}

// What a picture cannot show: what DRAM has no part in, whose bytes are not of the SMs alone, states.
void addNotes(FigureScatter &panel, const QList<RooflinePoint> &points)
{
    qsizetype drawn = 0;
    QStringList allOfL2;
    QMap<QString, QStringList> withoutDram; // by the reason
    for (const RooflinePoint &point : points) {
        if (point.state != State::Ok)
            continue;
        ++drawn;
        if (!point.l2IsOfSms)
            allOfL2.append(point.label);
        if (!point.perDramByte())
            withoutDram[point.dramLack()].append(point.label);
    }
    const auto namesOf = [drawn](const QStringList &names) {
        return names.size() == drawn && drawn > 1 ? QStringLiteral("all") : names.join(QStringLiteral(", "));
    };
    for (auto it = withoutDram.begin(); it != withoutDram.end(); ++it)
        panel.notes.append(
            QStringLiteral("Without a marker for DRAM, since %1: %2.").arg(it.key(), namesOf(it.value())));
    if (!allOfL2.isEmpty())
        panel.notes.append(QStringLiteral("By all bytes that the L2 moved, since those of the SMs were not counted "
                                          "apart: %1.")
                               .arg(namesOf(allOfL2)));
    for (const Uncounted &uncounted : uncountedOf(points))
        panel.notes.append(uncounted.sentence());
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
        if (point.state == State::Ok)
            panel.items.append(itemOf(point, decimals));
    addNotes(panel, points);
    return panel;
}

// Adds one panel per case, or, where nothing of it can be drawn, the reasons to the footer.
void addPanels(widgets::Figure &figure, const QList<RooflinePoint> &points, const RooflineCeilings &ceilings,
               int decimals)
{
    for (qsizetype first = 0; first < points.size();) {
        qsizetype end = first;
        while (end < points.size() && points[end].operation == points[first].operation &&
               points[end].dims == points[first].dims &&
               evidence::cacheState(points[end].cache) == evidence::cacheState(points[first].cache))
            ++end;
        const QList<RooflinePoint> ofCase = points.mid(first, end - first);
        if (std::ranges::any_of(ofCase, [](const RooflinePoint &point) { return point.state == State::Ok; }))
            figure.scatters.append(panelOf(ofCase, ceilings, decimals));
        else
            for (const Uncounted &uncounted : uncountedOf(ofCase))
                figure.footer.append(QStringLiteral("%1, %2").arg(evidence::operationLabel(ofCase.first().operation),
                                                                  uncounted.sentence()));
        first = end;
    }
}

QStringList rooflineFooter(const evidence::Namespace &evidence, const ViewOptions &options)
{
    const RooflineCeilings ceilings = rooflineCeilings(evidence);
    QString measured = QStringLiteral("Ceilings were measured on this GPU: L2 by a %1").arg(ceilings.rates.l2What);
    if (ceilings.rates.dram)
        measured += QStringLiteral(", DRAM by a %1").arg(ceilings.rates.dramWhat);
    return QStringList{QStringLiteral("Height: executed FP32 operations (2·FFMA + FADD + FMUL, and tensor cores', of "
                                      "split TF32 a third) ÷ kernel time of the ordinary rounds. Both scales are "
                                      "logarithmic."),
                       measured + QLatin1Char('.')} +
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
            items.append(QStringLiteral("%1 %2 at %3")
                             .arg(item.label, item.valueText, widgets::displayNumber(item.x[ByL2].value_or(0), 2)));
        sentences.append(QStringLiteral("%1, %2. Ceilings: %3. TFLOP/s at operations per byte of L2: %4.")
                             .arg(panel.title, panel.subtitle, ceilings.join(QStringLiteral(", ")),
                                  items.join(QStringLiteral("; "))));
        sentences += panel.notes;
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
        addPanels(figure, points, rooflineCeilings(evidence), decimalsOf(options));
    figure.footer += figure.unavailable.isEmpty() ? rooflineFooter(evidence, options) : originLines(evidence, options);
    figure.altText = altWords(figure);
    return figure;
}

namespace {

using widgets::ValueCell;
using widgets::ValueColumn;

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
                 numberColumn("l2_bytes", "L2", "B", 0, "bytes between SMs and L2, or all that the L2 moved"),
                 textColumn("l2_bytes_of", "L2 of", "whose bytes: of the SMs, or all"),
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
    QList<ValueCell> cells{textCell(ids ? point.operation : evidence::operationLabel(point.operation)),
                           textCell(ids ? point.implementation : point.label)};
    if (ids)
        cells += {textCell(evidence::dimsText(point.dims)),
                  textCell(point.cache),
                  textCell(point.stage),
                  textCell(point.arithmetic),
                  amount(point.flop, reason),
                  amount(point.l2Bytes, reason),
                  textCell(!point.l2Bytes    ? QString()
                           : point.l2IsOfSms ? QStringLiteral("SMs")
                                             : QStringLiteral("all")),
                  amount(point.dramBytes, reason)};
    return cells + QList<ValueCell>{amount(point.kernelUs, reason),
                                    amount(rate, reason),
                                    amount(point.perL2Byte(), reason),
                                    amount(point.perDramByte(), point.state == State::Ok ? point.dramLack() : reason),
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
