// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressiontable.h"

#include "captions.h"
#include "progressionvalues.h"

#include <QMap>

#include <algorithm>

namespace stagecraft::views {

using evidence::OperationProgression;
using evidence::ProgressionStage;
using widgets::ValueCell;
using widgets::ValueColumn;

namespace {

// The cells of one row by column id; columns without an entry stay empty.
using Cells = QMap<QString, ValueCell>;

const QString kernelId = QStringLiteral("kernel_us");
const QString spanId = QStringLiteral("span_us");
const QString dimsId = QStringLiteral("dims");
const QString cacheId = QStringLiteral("cache");
const QString floorId = QStringLiteral("floor_us");
const QString floorRatioId = QStringLiteral("kernel_floor_ratio");
const QString arithmeticId = QStringLiteral("arithmetic");

struct ProgressionColumn
{
    ValueColumn column;
    bool programsOnly = false; // for people only where isTelling() says so
};

QList<ProgressionColumn> progressionColumns(int decimals)
{
    const QString us = QStringLiteral("µs");
    const auto number = [decimals](const char *id, const char *title, const QString &unit, const char *toolTip) {
        return ValueColumn{QString::fromUtf8(id),     QString::fromUtf8(title), unit, true, decimals,
                           QString::fromUtf8(toolTip)};
    };
    const auto text = [](const char *id, const char *title, const char *toolTip) {
        return ValueColumn{QString::fromUtf8(id),     QString::fromUtf8(title), QString(), false, 0,
                           QString::fromUtf8(toolTip)};
    };
    return {{text("operation", "operation", "what is computed")},
            {text("dims", "dims", "the operation's dimensions"), true},
            {text("cache", "cache", "cache state before each call"), true},
            {text("kind", "kind", "stage, step, attempt, experiment or A/B run")},
            {text("id", "id", "the stage's id"), true},
            {text("label", "label", "the stage's name in the progression")},
            {text("title", "title", "what it is")},
            {text("arithmetic", "arithmetic", "what the stage or attempt computes in; empty where it is not recorded"),
             true},
            {text("metric", "metric", "what was measured")},
            {number("kernel_us", "kernel", us, "kernel time")},
            {number("span_us", "span", us, "interval around one call")},
            {number("to_us", "to", us, "upper end, where a range was recorded")},
            {number("kernel_factor", "factor", QString(),
                    "kernel time of the stage before ÷ this stage's; of a single step, in its metric")},
            {number("span_factor", "span factor", QString(), "span of the stage (or single step) before ÷ this one's"),
             true},
            {number("floor_us", "floor", us, "the time that no implementation can beat, in this arithmetic"), true},
            {number("kernel_floor_ratio", "÷ floor", QString(), "kernel time ÷ floor"), true},
            {text("floor_what", "floor what", "what the floor is"), true},
            {number("predicted_ratio", "predicted", QStringLiteral("×"), "ratio that counting predicts")},
            {number("measured_ratio", "measured", QStringLiteral("×"), "ratio that was measured")},
            {text("compared_with", "compared with", "what an attempt is compared with")},
            {number("compared_us", "that measured", us, "the same metric of what it is compared with")},
            {number("compared_ratio", "÷ that", QString(), "an attempt's value ÷ that of what it is compared with")},
            {number("compared_ratio_to", "÷ that, to", QString(), "the same for the upper end of its range")},
            {text("state", "state", "ok, or why there is no value"), true},
            {text("reason", "reason", "of the state"), true},
            {text("origin", "origin", "where the value comes from")},
            {text("retained_in", "retained in", "namespaces that measured this stage")},
            {text("change", "what changed", "what changed, or what came of it")},
            {text("resources", "resources", "grid, registers and shared memory as recorded"), true}};
}

ValueCell words(const QString &text)
{
    return {text, std::nullopt, QString()};
}

ValueCell number(const std::optional<double> &value, const QString &toolTip = {})
{
    return {QString(), value, toolTip};
}

// A time that a stage lacks is a state with its reason, never blank or 0.
ValueCell timeCell(const ProgressionStage &stage, Metric metric)
{
    const std::optional<double> time = stageTime(stage, metric);
    return time ? number(time, stage.reason)
                : ValueCell{evidence::stateName(timeState(stage, metric)), std::nullopt, timeReason(stage, metric)};
}

const QString &metricColumn(const QString &metric)
{
    return metric.startsWith(QLatin1String("kernel")) ? kernelId : spanId;
}

Cells baseCells(const OperationProgression &operation, const QString &kind, const QString &title,
                const ViewOptions &options)
{
    const bool ids = options.audience == Audience::Programs;
    return {
        {QStringLiteral("operation"), words(ids ? operation.operation : evidence::operationLabel(operation.operation))},
        {QStringLiteral("kind"), words(kind)},
        {QStringLiteral("title"), words(title)}};
}

// The reason of the state, and of a kernel time that is not there.
template <typename Measured>
void addState(Cells &row, const Measured &of)
{
    QStringList reasons{of.reason, kernelRemark(of.kernelState, of.kernelReason)};
    reasons.removeAll(QString());
    row[QStringLiteral("state")] = words(evidence::stateName(of.state));
    row[QStringLiteral("reason")] = words(reasons.join(QStringLiteral("; ")));
}

ValueCell factorCell(const ProgressionStage &previous, const ProgressionStage &stage, Metric metric)
{
    const StageFactor found = stageFactor(previous, stage, metric);
    const QString against = QStringLiteral("against ") + previous.label;
    if (found.otherArithmetic)
        return {otherArithmetic, std::nullopt,
                QStringLiteral("%1 %2, in %3").arg(arithmeticOf(stage), against, arithmeticOf(previous))};
    return number(found.ratio, against);
}

// What is not known says so where the floor of another stage is.
void addFloor(Cells &row, const OperationProgression &operation, const ProgressionStage &stage,
              const evidence::Namespace &evidence)
{
    const QList<qint64> dims = knownDims(operation.operation, operation.dims, evidence);
    const std::optional<KnownFloor> floor = stageFloor(operation, stage, dims, evidence);
    if (!floor) {
        row[floorId] = row[floorRatioId] = words(QStringLiteral("unknown"));
        return;
    }
    const std::optional<double> time = stageTime(stage, Metric::Kernel);
    row[floorId] = number(floor->us, floor->what);
    row[floorRatioId] = time ? number(*time / floor->us, floor->what) : timeCell(stage, Metric::Kernel);
    row[QStringLiteral("floor_what")] = words(floor->what);
}

QList<Cells> stageRows(const OperationProgression &operation, const evidence::Namespace &evidence,
                       const ViewOptions &options)
{
    QList<Cells> rows;
    const ProgressionStage *previous = nullptr;
    for (const ProgressionStage &stage : operation.stages) {
        Cells row = baseCells(operation, QStringLiteral("stage"), stage.title, options);
        row[QStringLiteral("id")] = words(stage.id);
        row[QStringLiteral("label")] = words(stage.label);
        row[kernelId] = timeCell(stage, Metric::Kernel);
        row[spanId] = timeCell(stage, Metric::Span);
        row[arithmeticId] = words(stage.arithmetic);
        addState(row, stage);
        addFloor(row, operation, stage, evidence);
        row[QStringLiteral("origin")] = words(stage.origin);
        row[QStringLiteral("retained_in")] = words(stage.retainedIn.join(QStringLiteral(", ")));
        row[QStringLiteral("change")] = words(stage.change);
        row[QStringLiteral("resources")] = words(jsonWords(stage.resources));
        if (previous) {
            row[QStringLiteral("kernel_factor")] = factorCell(*previous, stage, Metric::Kernel);
            row[QStringLiteral("span_factor")] = factorCell(*previous, stage, Metric::Span);
        }
        rows.append(row);
        previous = &stage;
    }
    return rows;
}

// People have one column of factors: the metric stands beside it.
QString factorColumn(const QString &metric, const ViewOptions &options)
{
    return options.audience == Audience::People || progressionMetric(metric) == Metric::Kernel
               ? QStringLiteral("kernel_factor")
               : QStringLiteral("span_factor");
}

QList<Cells> stepRows(const OperationProgression &operation, const ViewOptions &options)
{
    QList<Cells> rows;
    const evidence::ProgressionStep *previous = nullptr;
    for (const evidence::ProgressionStep &step : operation.steps) {
        Cells row = baseCells(operation, QStringLiteral("step"), step.title, options);
        row[QStringLiteral("metric")] = words(step.metric);
        row[metricColumn(step.metric)] = number(step.value);
        if (previous && previous->metric == step.metric)
            row[factorColumn(step.metric, options)] =
                number(factor(previous->value, step.value), QStringLiteral("against ") + previous->title);
        rows.append(row);
        previous = &step;
    }
    return rows;
}

void addAttemptValue(Cells &row, const evidence::ProgressionAttempt &attempt)
{
    if (!hasValue(attempt)) {
        row[metricColumn(attempt.metric)] = {evidence::stateName(attempt.state), std::nullopt, attempt.reason};
        return;
    }
    const bool isRange = attempt.high > attempt.low;
    row[metricColumn(attempt.metric)] = number(attempt.low);
    if (isRange)
        row[QStringLiteral("to_us")] = number(attempt.high);
    if (const std::optional<RatioRange> ratio = attemptRatio(attempt)) {
        row[QStringLiteral("compared_ratio")] = number(ratio->low);
        if (isRange)
            row[QStringLiteral("compared_ratio_to")] = number(ratio->high);
    }
}

QList<Cells> attemptRows(const OperationProgression &operation, const ViewOptions &options)
{
    QList<Cells> rows;
    for (const evidence::ProgressionAttempt &attempt : operation.attempts) {
        Cells row = baseCells(operation, QStringLiteral("attempt"), attempt.title, options);
        row[QStringLiteral("id")] = words(attempt.id);
        row[QStringLiteral("metric")] = words(attempt.metric);
        row[arithmeticId] = words(attempt.arithmetic);
        addAttemptValue(row, attempt);
        addState(row, attempt);
        row[QStringLiteral("compared_with")] =
            words(attempt.comparedWith.isEmpty() ? attempt.comparedWithStage : attempt.comparedWith);
        row[QStringLiteral("compared_us")] = number(attempt.valueOfThat);
        row[QStringLiteral("origin")] = words(attempt.evidence);
        row[QStringLiteral("change")] = words(attempt.verdict.isEmpty() ? attempt.reason : attempt.verdict);
        row[QStringLiteral("resources")] = words(jsonWords(attempt.resources));
        rows.append(row);
    }
    return rows;
}

QList<Cells> experimentRows(const OperationProgression &operation, const ViewOptions &options)
{
    QList<Cells> rows;
    for (const evidence::ProgressionExperiment &experiment : operation.experiments) {
        Cells row = baseCells(operation, QStringLiteral("experiment"), experiment.title, options);
        row[QStringLiteral("metric")] = words(QStringLiteral("ratio"));
        row[QStringLiteral("predicted_ratio")] = number(experiment.predicted);
        row[QStringLiteral("measured_ratio")] = number(experiment.measured);
        row[QStringLiteral("change")] = words(jsonWords(experiment.counts));
        rows.append(row);
    }
    return rows;
}

QList<Cells> abRows(const OperationProgression &operation, int decimals, const ViewOptions &options)
{
    QList<Cells> rows;
    for (const evidence::ProgressionAb &ab : operation.ab) {
        Cells row = baseCells(operation, QStringLiteral("A/B mean"), ab.title, options);
        row[QStringLiteral("metric")] = words(ab.metric);
        row[metricColumn(ab.metric)] = number(ab.mean);
        if (!ab.runs.isEmpty()) {
            const auto [least, most] = std::minmax_element(ab.runs.begin(), ab.runs.end());
            row[QStringLiteral("change")] =
                words(QStringLiteral("%1 runs from %2 to %3")
                          .arg(QString::number(ab.runs.size()), widgets::displayNumber(*least, decimals),
                               widgets::displayNumber(*most, decimals)));
        }
        rows.append(row);
        for (qsizetype i = 0; i < ab.runs.size(); ++i) {
            Cells run = baseCells(operation, QStringLiteral("A/B run"),
                                  QStringLiteral("%1, run %2").arg(ab.title).arg(i + 1), options);
            run[QStringLiteral("metric")] = words(ab.metric);
            run[metricColumn(ab.metric)] = number(ab.runs[i]);
            rows.append(run);
        }
    }
    return rows;
}

QList<Cells> operationRows(const OperationProgression &operation, const evidence::Namespace &evidence, int decimals,
                           const ViewOptions &options)
{
    return stageRows(operation, evidence, options) + stepRows(operation, options) + attemptRows(operation, options) +
           experimentRows(operation, options) + abRows(operation, decimals, options);
}

// Whether a column that is for programs tells people something: dims that tell two progressions of an operation apart,
// an arithmetic that is not FP32, a cold cache, floors where any is known.
bool isTelling(const QString &id, const evidence::Namespace &evidence)
{
    if (!evidence.progression)
        return false;
    if (id == floorId || id == floorRatioId)
        return std::any_of(evidence.progression->operations.begin(), evidence.progression->operations.end(),
                           [&](const OperationProgression &operation) {
                               const QList<qint64> dims = knownDims(operation.operation, operation.dims, evidence);
                               return std::any_of(operation.stages.begin(), operation.stages.end(),
                                                  [&](const ProgressionStage &stage) {
                                                      return stageFloor(operation, stage, dims, evidence).has_value();
                                                  });
                           });
    if (id != dimsId && id != arithmeticId && id != cacheId)
        return false;
    QStringList operations;
    for (const OperationProgression &operation : evidence.progression->operations) {
        const auto isOther = [](const auto &entry) {
            return plainArithmetic(entry.arithmetic) != QLatin1String("fp32");
        };
        if (id == arithmeticId && (std::any_of(operation.stages.begin(), operation.stages.end(), isOther) ||
                                   std::any_of(operation.attempts.begin(), operation.attempts.end(), isOther)))
            return true;
        if (id == cacheId && !isWarm(operation.cache))
            return true;
        if (id == dimsId && operations.contains(operation.operation))
            return true;
        operations.append(operation.operation);
    }
    return false;
}

// Why stages and attempts have no kernel time: one line a reason.
QStringList missingKernelLines(const evidence::Progression &progression)
{
    QMap<QString, QStringList> names; // by remark
    const auto note = [&names](const auto &of) {
        if (const QString remark = kernelRemark(of.kernelState, of.kernelReason); !remark.isEmpty())
            names[remark].append(of.id.isEmpty() ? of.title : of.id);
    };
    for (const OperationProgression &operation : progression.operations) {
        std::for_each(operation.stages.begin(), operation.stages.end(), note);
        std::for_each(operation.attempts.begin(), operation.attempts.end(), note);
    }
    QStringList lines;
    for (const auto &[remark, of] : names.asKeyValueRange())
        lines.append(QStringLiteral("%1, %2.").arg(of.join(QStringLiteral(", ")), remark));
    return lines;
}

QStringList limitLines(const evidence::Progression &progression)
{
    QStringList lines;
    if (progression.deviceSms && progression.deviceMaxThreadsPerSm)
        lines.append(QStringLiteral("The GPU has %1 SMs with at most %2 resident threads each.")
                         .arg(*progression.deviceSms)
                         .arg(*progression.deviceMaxThreadsPerSm));
    for (const QString &limit : progression.limits)
        lines.append(QStringLiteral("Limit: ") + limit);
    return lines;
}

} // namespace

widgets::ValueTable progressionTable(const evidence::Namespace &evidence, const ViewOptions &options)
{
    widgets::ValueTable table;
    table.id = viewName(ViewId::Progression);
    table.title = QStringLiteral("%1: stage progression").arg(evidence.name);
    table.footer = {QStringLiteral("Factor: the stage before ÷ this one. Kernel times and spans stand in columns of "
                                   "their own; attempts, steps and A/B runs are single measurements, not namespaces.")};
    const int decimals = options.decimals < 0 ? 2 : options.decimals;
    QList<ProgressionColumn> columns = progressionColumns(decimals);
    if (options.audience == Audience::People)
        columns.removeIf([&evidence](const ProgressionColumn &column) {
            return column.programsOnly && !isTelling(column.column.id, evidence);
        });
    for (const ProgressionColumn &column : columns)
        table.columns.append(column.column);
    table.unavailable = progressionUnavailable(evidence);
    if (!evidence.progression) {
        table.footer += originLines(evidence, options);
        return table;
    }
    for (const OperationProgression &operation : evidence.progression->operations)
        for (Cells &cells : operationRows(operation, evidence, decimals, options)) {
            const QList<qint64> dims = knownDims(operation.operation, operation.dims, evidence);
            cells[cacheId] = words(operation.cache);
            cells[dimsId] = words(options.audience == Audience::Programs ? evidence::dimsText(dims) : dimsLabel(dims));
            QList<ValueCell> row;
            for (const ValueColumn &column : table.columns)
                row.append(cells.value(column.id));
            table.rows.append(row);
        }
    table.footer +=
        missingKernelLines(*evidence.progression) + limitLines(*evidence.progression) + originLines(evidence, options);
    return table;
}

} // namespace stagecraft::views
