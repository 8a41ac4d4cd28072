// SPDX-License-Identifier: GPL-3.0-or-later
#include "captions.h"

#include "floorlines.h"
#include "implementationnotes.h"
#include "imported.h"
#include "recordedtext.h"

#include <algorithm>
#include <set>

namespace stagecraft::views {

using evidence::Namespace;
using evidence::ValueRow;

namespace {

constexpr QStringView separator = u" · ";
constexpr qsizetype longestNotes = 4000; // in a picture's metadata; tables hold them in full

// The number itself where all agree; nullopt where none is recorded or they differ.
std::optional<qint64> common(const std::set<qint64> &numbers)
{
    return numbers.size() == 1 ? std::optional(*numbers.begin()) : std::nullopt;
}

std::optional<qint64> capturedIterations(const Namespace &evidence)
{
    std::set<qint64> counts;
    for (const evidence::Capture &capture : evidence.captures)
        if (capture.requestedIterations > 0 && capture.state == evidence::State::Ok)
            counts.insert(capture.requestedIterations);
    // A summary has no captures to count; it may say how many iterations each had.
    const auto stated = evidence.summaryDocument.find("capture_iterations");
    if (counts.empty() && stated != evidence.summaryDocument.end() && stated->is_number_integer())
        counts.insert(stated->get<qint64>());
    return common(counts);
}

std::optional<qint64> spanSamples(const QList<ValueRow> &rows)
{
    std::set<qint64> counts;
    for (const ValueRow &row : rows)
        if (const evidence::Estimate *span = drawable(row.span))
            counts.insert(span->samples);
    return common(counts);
}

std::optional<qint64> roundCount(const Namespace &evidence)
{
    std::set<qint64> counts;
    for (const evidence::OperationResult &result : evidence.results)
        counts.insert(result.rounds.size());
    if (evidence.roundsDeclared)
        counts = {*evidence.roundsDeclared};
    else if (evidence.summary)
        counts = {evidence.summary->rounds};
    return common(counts);
}

// Singular and plural for the few counted things of a caption.
QString counted(std::optional<qint64> count, const QString &one, const QString &many, const QString &unknown)
{
    if (!count)
        return unknown;
    return QStringLiteral("%1 %2").arg(QString::number(*count), *count == 1 ? one : many);
}

QString kernelCaption(const Namespace &evidence)
{
    return QStringLiteral("Kernel time: the durations of an operation's captured kernels added up per iteration, mean "
                          "over %1; gaps between launches are left out.")
        .arg(counted(capturedIterations(evidence), QStringLiteral("captured iteration a round"),
                     QStringLiteral("captured iterations a round"), QStringLiteral("the captured iterations")));
}

bool anyOnHost(const QList<ValueRow> &rows)
{
    return std::any_of(rows.begin(), rows.end(), onHost);
}

bool anyOnDevice(const QList<ValueRow> &rows)
{
    return std::any_of(rows.begin(), rows.end(), [](const ValueRow &row) { return !onHost(row); });
}

// What no row shows, nor will, needs no caption.
bool hasOrAwaits(const QList<ValueRow> &rows, Metric metric)
{
    return std::any_of(rows.begin(), rows.end(), [metric](const ValueRow &row) {
        const evidence::Value &value = metricValue(row, metric);
        return drawable(value) || value.state == evidence::State::NotRun;
    });
}

// Those whose spans are drawn, for what is said of their clocks; all while there is none yet.
QList<ValueRow> withSpans(const QList<ValueRow> &rows)
{
    QList<ValueRow> drawn = rows;
    drawn.removeIf([](const ValueRow &row) { return !drawable(row.span); });
    return drawn.isEmpty() ? rows : drawn;
}

// Another tool measured, by its own protocol.
bool isImported(const Namespace &evidence)
{
    return evidence::isImported(evidence.resultsDocument);
}

// What both clocks mean where a view shows spans of both.
QString clockNote(const Namespace &evidence, const QList<ValueRow> &rows)
{
    QString text;
    if (anyOnDevice(rows))
        text += QStringLiteral(" A span can hold gaps while the host submits work.");
    if (anyOnHost(rows) && anyOnDevice(rows))
        text += isImported(evidence)
                    ? QStringLiteral(" Spans by the host's clock stand apart.")
                    : QStringLiteral(" Spans on the CPU are measured with the host's clock and stand apart.");
    return text;
}

// "interval" with the clock it is of, one or many.
QString warmedInterval(const QList<ValueRow> &rows, bool many)
{
    const QString ending = many ? QStringLiteral("s") : QString();
    return anyOnHost(rows) && !anyOnDevice(rows)
               ? QStringLiteral("warmed interval%1 of the CPU's clock around the call").arg(ending)
               : QStringLiteral("warmed event interval%1 around the call").arg(ending);
}

QString spanCaption(const Namespace &evidence, const QList<ValueRow> &all)
{
    const QList<ValueRow> rows = withSpans(all);
    if (isImported(evidence))
        return QStringLiteral("Span as it was imported. %1 Whiskers are the range of the round means, not a confidence "
                              "interval.")
                   .arg(evidence.timing) +
               clockNote(evidence, rows);
    const QString intervals = warmedInterval(rows, true);
    return QStringLiteral("Span: mean of %1, in %2 with rotating order; whiskers are the range of the round means, not "
                          "a confidence interval.")
               .arg(counted(spanSamples(rows), warmedInterval(rows, false), intervals,
                            QStringLiteral("the ") + intervals),
                    counted(roundCount(evidence), QStringLiteral("round"), QStringLiteral("rounds"),
                            QStringLiteral("rounds"))) +
           clockNote(evidence, rows);
}

QString launchesCaption(const Namespace &evidence)
{
    return QStringLiteral("Launches: captured kernel launches divided by %1. Fewer launches explain part of a result; "
                          "they do not fix its duration.")
        .arg(counted(capturedIterations(evidence), QStringLiteral("iteration"), QStringLiteral("iterations"),
                     QStringLiteral("the captured iterations")));
}

QString joined(QStringList parts)
{
    parts.removeAll(QString());
    return parts.join(separator.toString());
}

// Of every process that was captured; of the namespace where its captures do not say.
QString timestampModes(const Namespace &evidence)
{
    QStringList modes;
    for (const evidence::Capture &capture : evidence.captures)
        if (!capture.timestampMode.isEmpty() && !modes.contains(capture.timestampMode))
            modes.append(capture.timestampMode);
    return modes.isEmpty() ? evidence.timestampMode : modes.join(QStringLiteral("; "));
}

QString kernelInstrument(const Namespace &evidence)
{
    const QString modes = timestampModes(evidence);
    if (evidence.captureBackend.isEmpty() && modes.isEmpty())
        return {};
    const QString instrument = evidence.captureBackend.isEmpty()
                                   ? QString()
                                   : QStringLiteral(" from %1").arg(sourceLabel(evidence.captureBackend));
    const QString mode = modes.isEmpty() ? QString() : QStringLiteral(" (timestamp mode: %1)").arg(modes);
    return QStringLiteral("kernel time") + instrument + mode;
}

QString spanInstruments(const QList<ValueRow> &rows)
{
    QStringList sources;
    for (const ValueRow &row : rows)
        if (const QString label = sourceLabel(row.span.source); drawable(row.span) && !sources.contains(label))
            sources.append(label);
    sources.removeAll(QString());
    return sources.isEmpty() ? QString() : QStringLiteral("spans from ") + sources.join(QStringLiteral(" and "));
}

QString programText(const ViewOptions &options)
{
    return options.programVersion.isEmpty() ? QStringLiteral("Stagecraft")
                                            : QStringLiteral("Stagecraft ") + options.programVersion;
}

QString originLine(const Namespace &evidence, const ViewOptions &options)
{
    return joined({evidence.name, evidence.utc.isEmpty() ? QStringLiteral("date not recorded") : evidence.utc,
                   programText(options)});
}

QString driverText(const Namespace &evidence)
{
    const QString driver = evidence::recordedDriver(evidence);
    return driver.isEmpty() ? QString() : QStringLiteral("driver ") + driver;
}

// Both clocks: of the kernel records, and of the spans as their measurements name them.
QString instruments(const Namespace &evidence)
{
    QStringList sources;
    for (const evidence::OperationResult &result : evidence.results)
        for (const evidence::Round &round : result.rounds)
            for (const evidence::Measurement &measurement : round.implementations)
                if (const QString label = sourceLabel(measurement.source); !sources.contains(label))
                    sources.append(label);
    sources.removeAll(QString());
    const QString spans =
        sources.isEmpty() ? QString() : QStringLiteral("spans from ") + sources.join(QStringLiteral(" and "));
    return joined({kernelInstrument(evidence), spans});
}

// A figure made from evidence that contradicts itself must not look like one that does not.
QString contradictionLine(const Namespace &evidence)
{
    const auto count = std::count_if(evidence.problems.begin(), evidence.problems.end(),
                                     [](const evidence::Problem &problem) { return problem.fatal; });
    if (count == 0)
        return {};
    return QStringLiteral("Parts of this evidence are left out: %1 in its files (stagecraft check names them).")
        .arg(counted(count, QStringLiteral("fault"), QStringLiteral("faults"), QString()));
}

QStringList closingLines(const Namespace &evidence, const QList<ValueRow> &rows, const QStringList &instruments,
                         const QString &scales, const ViewOptions &options)
{
    const QString cpu = anyOnHost(rows) ? evidence.platform : QString();
    QStringList lines{
        joined(QStringList{gpuText(evidence), driverText(evidence), cpu, evidence.precision} + instruments), scales,
        contradictionLine(evidence), originLine(evidence, options)};
    lines.removeAll(QString());
    return lines;
}

// "cublas: workspace 32 MiB | pytorch: TF32 off"
QString notesLine(const Namespace &evidence)
{
    const QMap<QString, QStringList> notes = implementationNotes(evidence);
    QStringList parts;
    for (auto it = notes.begin(); it != notes.end(); ++it)
        parts.append(QStringLiteral("%1: %2").arg(it.key(), it->join(QStringLiteral("; "))));
    return parts.join(QStringLiteral(" | ")).left(longestNotes);
}

} // namespace

QString metricTitle(Metric metric)
{
    switch (metric) {
    case Metric::Kernel:
        return QStringLiteral("Kernel time");
    case Metric::Launches:
        return QStringLiteral("Launches");
    case Metric::Span:
        break;
    }
    return QStringLiteral("Span");
}

QString metricUnits(Metric metric)
{
    return metric == Metric::Launches ? QStringLiteral("kernel launches per iteration")
                                      : QStringLiteral("µs, lower is better");
}

QString metricCaption(Metric metric, const Namespace &evidence, const QList<ValueRow> &rows)
{
    switch (metric) {
    case Metric::Kernel:
        return kernelCaption(evidence);
    case Metric::Launches:
        return launchesCaption(evidence);
    case Metric::Span:
        break;
    }
    return spanCaption(evidence, rows);
}

QString sourceLabel(const QString &source)
{
    if (source == QLatin1String("event"))
        return QStringLiteral("CUDA events");
    if (source == QLatin1String("host"))
        return QStringLiteral("the host's clock (CPU)");
    if (source == QLatin1String("cupti"))
        return QStringLiteral("CUPTI");
    if (source == QLatin1String("nsys"))
        return QStringLiteral("Nsight Systems");
    if (source == QLatin1String("manual"))
        return QStringLiteral("a timer of the benchmark's own");
    return source;
}

QString gpuText(const Namespace &evidence)
{
    if (!evidence.gpu.isEmpty())
        return evidence.gpu;
    return evidence.summary && !evidence.summary->gpu.isEmpty() ? evidence.summary->gpu
                                                                : QStringLiteral("GPU: none recorded");
}

// An imported benchmark may have timed a GPU's work by the host's clock: where it ran is not known.
QString hostClockWords(const Namespace &evidence)
{
    return isImported(evidence) ? QStringLiteral("by the host's clock") : QStringLiteral("on the CPU");
}

QString spanTitle(bool host, const Namespace &evidence)
{
    return host ? QStringLiteral("Span ") + hostClockWords(evidence) : QStringLiteral("Span");
}

QString machineText(const Namespace &evidence)
{
    return evidence.gpu.isEmpty() && !evidence.platform.isEmpty() ? evidence.platform : gpuText(evidence);
}

QStringList footer(const QList<Metric> &metrics, const Namespace &evidence, const QList<ValueRow> &rows,
                   const QString &scales, const ViewOptions &options)
{
    QStringList captions;
    for (const Metric metric : metrics)
        if (hasOrAwaits(rows, metric))
            captions.append(metricCaption(metric, evidence, rows));
    if (metrics.contains(Metric::Kernel))
        captions += floorCaptions(rows);
    QStringList arithmetics;
    for (const ValueRow &row : rows)
        arithmetics.append(row.arithmetic);
    captions.append(arithmeticCaption(arithmetics));
    captions.removeAll(QString());
    const QString kernel = metrics == QList{Metric::Span} ? QString() : kernelInstrument(evidence);
    const QString span = metrics.contains(Metric::Span) ? spanInstruments(rows) : QString();
    return captions + closingLines(evidence, rows, {kernel, span}, scales, options);
}

QStringList samplesFooter(const Namespace &evidence, const QList<ValueRow> &rows, const QString &scales,
                          const ViewOptions &options)
{
    const QList<ValueRow> sampled = withSpans(rows);
    const QString what =
        isImported(evidence)
            ? QStringLiteral("Samples in the order of the file. ") + evidence.timing
            : QStringLiteral("Each sample is one %1, in the order taken.").arg(warmedInterval(sampled, false));
    const QString caption = what + clockNote(evidence, sampled);
    return QStringList{caption} + closingLines(evidence, rows, {spanInstruments(rows)}, scales, options);
}

QStringList originLines(const Namespace &evidence, const ViewOptions &options, const QList<ValueRow> &rows)
{
    return closingLines(evidence, rows, {kernelInstrument(evidence), spanInstruments(rows)}, QString(), options);
}

QList<QPair<QString, QString>> provenance(const Namespace &evidence, const QString &view, const ViewOptions &options)
{
    QList<QPair<QString, QString>> pairs{
        {QStringLiteral("Software"), programText(options)},
        {QStringLiteral("View"), view},
        {QStringLiteral("Namespace"), evidence.name},
        {QStringLiteral("Experiment"), evidence.experimentId},
        {QStringLiteral("Measured"), evidence.utc},
        {QStringLiteral("GPU"), evidence.gpu.isEmpty() && evidence.summary ? evidence.summary->gpu : evidence.gpu},
        {QStringLiteral("Driver"), evidence::recordedDriver(evidence)},
        {QStringLiteral("CUDA"), evidence.cuda},
        {QStringLiteral("Platform"), evidence.platform},
        {QStringLiteral("Precision"), evidence.precision},
        {QStringLiteral("Timing"), evidence.timing},
        {QStringLiteral("Instrument"), instruments(evidence)},
        {QStringLiteral("Timestamp mode"), timestampModes(evidence)},
        {QStringLiteral("Implementations"), notesLine(evidence)}};
    pairs.removeIf([](const auto &pair) { return pair.second.isEmpty(); });
    return pairs;
}

} // namespace stagecraft::views
