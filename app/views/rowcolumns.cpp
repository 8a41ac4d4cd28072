// SPDX-License-Identifier: GPL-3.0-or-later
#include "rowcolumns.h"

#include "cachestate.h"
#include "captions.h"
#include "kernelnames.h"
#include "problemlog.h"

#include <algorithm>
#include <memory>

namespace stagecraft::views {

using evidence::Estimate;
using evidence::State;
using evidence::Value;
using evidence::ValueRow;
using widgets::ValueCell;
using widgets::ValueColumn;

namespace {

ValueColumn textColumn(const QString &id, const QString &title, const QString &toolTip)
{
    return {id, title, QString(), false, 0, toolTip};
}

ValueColumn timeColumn(const QString &id, const QString &title, int decimals, const QString &toolTip)
{
    return {id, title, QStringLiteral("µs"), true, decimals, toolTip};
}

using Part = std::function<std::optional<double>(const Estimate &)>;

ValueCell partCell(const Value &value, const Part &part)
{
    const Estimate *estimate = drawable(value);
    if (!estimate)
        return {evidence::stateName(value.state), std::nullopt, value.reason};
    if (const std::optional<double> number = part(*estimate))
        return {QString(), number, sourceLabel(value.source)};
    return {evidence::stateName(State::Unavailable), std::nullopt, QStringLiteral("not recorded in this evidence")};
}

RowColumn timePart(Metric metric, const ValueColumn &column, const Part &part, bool optional = false)
{
    return {column, [metric, part](const ValueRow &row) { return partCell(metricValue(row, metric), part); }, optional};
}

RowColumn text(const ValueColumn &column, const std::function<QString(const ValueRow &)> &value, bool optional = false)
{
    return {column, [value](const ValueRow &row) { return ValueCell{value(row), std::nullopt, QString()}; }, optional};
}

std::optional<double> mean(const Estimate &estimate)
{
    return estimate.mean;
}

std::optional<double> median(const Estimate &estimate)
{
    return estimate.median;
}

// Without a range of its own (one capture in a summary) an estimate's low and high are its mean; the table shows that.
std::optional<double> low(const Estimate &estimate)
{
    return estimate.low;
}

std::optional<double> high(const Estimate &estimate)
{
    return estimate.high;
}

RowColumn sourceColumn(Metric metric, const QString &id)
{
    return text(textColumn(id, id, QStringLiteral("timing source")),
                [metric](const ValueRow &row) { return metricValue(row, metric).source; });
}

bool forPrograms(const ViewOptions &options)
{
    return options.audience == Audience::Programs;
}

QString countsText(const QList<evidence::KernelCount> &kernels)
{
    QStringList counts;
    for (const evidence::KernelCount &kernel : kernels)
        counts.append(kernel.perIteration ? widgets::storedNumber(*kernel.perIteration)
                                          : evidence::stateName(State::Unavailable));
    return counts.join(QStringLiteral("; "));
}

// "ok", or which metric is in which state: "kernel time unavailable".
QString stateText(const ValueRow &row, const QList<Metric> &metrics)
{
    QStringList parts;
    for (const Metric metric : metrics) {
        const State state = metricValue(row, metric).state;
        if (state != State::Ok)
            parts.append(metricTitle(metric).toLower() + QLatin1Char(' ') + evidence::stateName(state));
    }
    return parts.isEmpty() ? evidence::stateName(State::Ok) : parts.join(QStringLiteral(", "));
}

QString reasonText(const ValueRow &row, const QList<Metric> &metrics)
{
    QStringList reasons;
    for (const Metric metric : metrics) {
        const Value &value = metricValue(row, metric);
        if (!value.reason.isEmpty() && !reasons.contains(value.reason))
            reasons.append(value.reason);
    }
    return reasons.join(QStringLiteral("; "));
}

ValueCell flagsCell(const ValueRow &row, const QList<Metric> &metrics)
{
    QStringList labels, texts;
    for (const evidence::Flag flag : row.flags)
        for (const Metric metric : metrics)
            if (const QString label = evidence::flagLabel(flag);
                metricFlags(row, metric).contains(flag) && !labels.contains(label)) {
                labels.append(label);
                texts.append(evidence::flagText(flag));
            }
    return {labels.join(QStringLiteral(", ")), std::nullopt, texts.join(QLatin1Char('\n'))};
}

// This project's default kernels are `cuda`, and `rust` in mage's files. `cuda/ID` is one certain stage, which an
// earlier namespace may have measured under either name.
bool sameImplementation(const ValueRow &row, const ValueRow &earlier)
{
    const auto plain = [](const QString &id) { return id == QLatin1String("cuda") || id == QLatin1String("rust"); };
    if (row.implementation == earlier.implementation || (plain(row.implementation) && plain(earlier.implementation)))
        return true;
    return isOwn(row.implementation) && isOwn(earlier.implementation) && !row.stage.isEmpty() &&
           row.stage == earlier.stage;
}

bool sameWork(const ValueRow &row, const ValueRow &earlier)
{
    return row.operation == earlier.operation && row.dims == earlier.dims && sameImplementation(row, earlier);
}

// What sets two rows of the same work apart, as the earlier one has it: "warm", "tf32". mage's files name no cache
// state, which is warm, and no arithmetic either; theirs is FP32 throughout.
QStringList differences(const ValueRow &row, const ValueRow &earlier)
{
    const auto arithmetic = [](const ValueRow &of) {
        return of.arithmetic.isEmpty() ? QStringLiteral("fp32") : of.arithmetic;
    };
    QStringList different;
    if (evidence::cacheState(row.cache) != evidence::cacheState(earlier.cache))
        different.append(evidence::excerpt(evidence::cacheState(earlier.cache)));
    if (arithmetic(row) != arithmetic(earlier))
        different.append(evidence::excerpt(arithmetic(earlier)));
    return different;
}

ValueCell baselineCell(const ValueRow &row, const QList<ValueRow> &earlierRows, const QString &name)
{
    QStringList different;
    for (const ValueRow &earlier : earlierRows) {
        if (!sameWork(row, earlier))
            continue;
        const QStringList own = differences(row, earlier);
        if (own.isEmpty())
            return partCell(earlier.kernel, mean);
        if (different.isEmpty())
            different = own;
    }
    if (!different.isEmpty())
        return {QStringLiteral("not comparable: %1 there").arg(different.join(QStringLiteral(", "))), std::nullopt,
                QStringLiteral("%1 measured it in another cache state or arithmetic; these are never one series")
                    .arg(name)};
    return {evidence::stateName(State::NotRun), std::nullopt, QStringLiteral("%1 did not measure it").arg(name)};
}

} // namespace

QList<RowColumn> identityColumns(const ViewOptions &options)
{
    const bool ids = forPrograms(options);
    QList<RowColumn> columns{
        text(textColumn(QStringLiteral("operation"), QStringLiteral("operation"), QStringLiteral("what is computed")),
             [ids](const ValueRow &row) { return ids ? row.operation : row.operationTitle; }),
        text(textColumn(QStringLiteral("dims"), QStringLiteral("dims"), QStringLiteral("the operation's dimensions")),
             [ids](const ValueRow &row) { return ids ? evidence::dimsText(row.dims) : dimsLabel(row.dims); }),
        text(
            textColumn(QStringLiteral("cache"), QStringLiteral("cache"),
                       QStringLiteral("cache state before each call")),
            [ids](const ValueRow &row) { return ids ? row.cache : evidence::cacheState(row.cache); }, true),
        {textColumn(QStringLiteral("implementation"), QStringLiteral("implementation"),
                    QStringLiteral("who computes it")),
         [ids](const ValueRow &row) {
             return ValueCell{ids ? row.implementation : rowLabel(row), std::nullopt, row.note};
         }},
        text(
            textColumn(QStringLiteral("stage"), QStringLiteral("stage"),
                       QStringLiteral("the version of this project's kernel")),
            [](const ValueRow &row) { return row.stage; }, true)};
    if (ids)
        columns.append(text(textColumn(QStringLiteral("arithmetic"), QStringLiteral("arithmetic"), QString()),
                            [](const ValueRow &row) { return row.arithmetic; }));
    return columns;
}

QList<RowColumn> kernelColumns(int decimals, const ViewOptions &options)
{
    QList<RowColumn> columns{
        timePart(Metric::Kernel,
                 timeColumn(QStringLiteral("kernel_us"), QStringLiteral("kernel"), decimals,
                            QStringLiteral("kernel time per iteration, mean; gaps between launches are left out")),
                 mean),
        timePart(Metric::Kernel,
                 timeColumn(QStringLiteral("kernel_median_us"), QStringLiteral("kernel median"), decimals,
                            QStringLiteral("kernel time per iteration, median over the iterations")),
                 median, true)};
    if (!forPrograms(options))
        return columns;
    columns += {timePart(Metric::Kernel,
                         timeColumn(QStringLiteral("kernel_low_us"), QStringLiteral("kernel low"), decimals,
                                    QStringLiteral("smallest round mean")),
                         low),
                timePart(Metric::Kernel,
                         timeColumn(QStringLiteral("kernel_high_us"), QStringLiteral("kernel high"), decimals,
                                    QStringLiteral("largest round mean")),
                         high),
                sourceColumn(Metric::Kernel, QStringLiteral("kernel_source"))};
    return columns;
}

QList<RowColumn> spanColumns(const QList<ValueRow> &rows, int decimals, const ViewOptions &options)
{
    QList<RowColumn> columns{
        timePart(Metric::Span,
                 timeColumn(QStringLiteral("span_us"), QStringLiteral("span"), decimals,
                            QStringLiteral("interval around one call, mean of all samples")),
                 mean),
        timePart(Metric::Span,
                 timeColumn(QStringLiteral("span_low_us"), QStringLiteral("span low"), decimals,
                            QStringLiteral("smallest round mean; not a confidence bound")),
                 low),
        timePart(Metric::Span,
                 timeColumn(QStringLiteral("span_high_us"), QStringLiteral("span high"), decimals,
                            QStringLiteral("largest round mean; not a confidence bound")),
                 high),
        timePart(Metric::Span,
                 timeColumn(QStringLiteral("span_median_us"), QStringLiteral("span median"), decimals,
                            QStringLiteral("interval around one call, median of all samples")),
                 median, true)};
    // People find the source in the footer; a column tells rows apart where some were measured on the CPU.
    const bool host = std::any_of(rows.begin(), rows.end(), onHost);
    if (forPrograms(options))
        columns.append(sourceColumn(Metric::Span, QStringLiteral("span_source")));
    else if (host)
        columns.append(
            text(textColumn(QStringLiteral("span_source"), QStringLiteral("span from"),
                            QStringLiteral("the clock that measured the span")),
                 [](const ValueRow &row) { return drawable(row.span) ? sourceLabel(row.span.source) : QString(); }));
    if (forPrograms(options))
        columns.append({{QStringLiteral("span_samples"), QStringLiteral("span samples"), QString(), true, 0,
                         QStringLiteral("number of samples")},
                        [](const ValueRow &row) {
                            return partCell(row.span, [](const Estimate &estimate) {
                                return std::optional(static_cast<double>(estimate.samples));
                            });
                        }});
    return columns;
}

QList<RowColumn> launchesColumns(int decimals, const ViewOptions &options)
{
    QList<RowColumn> columns{timePart(Metric::Launches,
                                      {QStringLiteral("launches"), QStringLiteral("launches"), QString(), true,
                                       decimals, QStringLiteral("captured kernels per iteration")},
                                      mean)};
    const bool ids = forPrograms(options);
    columns.append({textColumn(QStringLiteral("kernels"), QStringLiteral("kernels"),
                               QStringLiteral("names of the captured kernels, with the launches of each per iteration "
                                              "where they are not one")),
                    [ids](const ValueRow &row) {
                        return ids ? ValueCell{row.kernelNames.join(QStringLiteral("; ")), std::nullopt, QString()}
                                   : ValueCell{kernelWords(row.kernels).join(QStringLiteral("; ")), std::nullopt,
                                               kernelToolTip(row.kernels)};
                    },
                    true});
    if (ids)
        columns.append(text(textColumn(QStringLiteral("kernel_launches"), QStringLiteral("kernel launches"),
                                       QStringLiteral("of each of the kernels per iteration, in the same order")),
                            [](const ValueRow &row) { return countsText(row.kernels); }));
    return columns;
}

QList<RowColumn> conditionColumns(const QList<Metric> &metrics, const ViewOptions &options)
{
    QList<RowColumn> columns{
        {textColumn(QStringLiteral("state"), QStringLiteral("state"), QStringLiteral("whether the values are results")),
         [metrics](const ValueRow &row) {
             return ValueCell{stateText(row, metrics), std::nullopt, reasonText(row, metrics)};
         }}};
    if (forPrograms(options))
        columns.append(text(textColumn(QStringLiteral("reason"), QStringLiteral("reason"), QString()),
                            [metrics](const ValueRow &row) { return reasonText(row, metrics); }));
    columns.append({textColumn(QStringLiteral("flags"), QStringLiteral("flags"),
                               QStringLiteral("what to know before trusting the values")),
                    [metrics](const ValueRow &row) { return flagsCell(row, metrics); }});
    if (forPrograms(options))
        columns.append(text(textColumn(QStringLiteral("note"), QStringLiteral("note"),
                                       QStringLiteral("what the worker says of how it computes")),
                            [](const ValueRow &row) { return row.note; }));
    return columns;
}

QList<RowColumn> baselineColumns(int decimals, const ViewOptions &options)
{
    QList<RowColumn> columns;
    for (const evidence::Namespace *baseline : options.baselines) {
        const auto rows = std::make_shared<const QList<ValueRow>>(evidence::valueRows(*baseline));
        columns.append({timeColumn(baseline->name + QStringLiteral("_kernel_us"),
                                   QStringLiteral("kernel in ") + baseline->name, decimals,
                                   QStringLiteral("kernel time of the same implementation in %1, measured on %2")
                                       .arg(baseline->name, gpuText(*baseline))),
                        [rows, name = baseline->name](const ValueRow &row) { return baselineCell(row, *rows, name); }});
    }
    return columns;
}

QStringList baselineNotes(const evidence::Namespace &evidence, const ViewOptions &options)
{
    QStringList notes;
    for (const evidence::Namespace *baseline : options.baselines)
        if (gpuText(*baseline) != gpuText(evidence))
            notes.append(QStringLiteral("%1 was measured on another GPU (%2): its times and these are not one series.")
                             .arg(baseline->name, gpuText(*baseline)));
    return notes;
}

} // namespace stagecraft::views
