// SPDX-License-Identifier: GPL-3.0-or-later
#include "predictionrows.h"

#include "progressionvalues.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::views {

using evidence::OperationProgression;
using evidence::ProgressionStage;

namespace {

const CountCheck *checkOf(const QList<CountCheck> &checks, const QString &operation, const QString &stage,
                          const QString &what)
{
    const auto found = std::ranges::find_if(checks, [&](const CountCheck &check) {
        return check.operation == operation && check.stage == stage && check.what == what && check.declared > 0;
    });
    return found == checks.end() ? nullptr : &*found;
}

// What the hardware counted of the two stages that the prediction names.
void addCounted(PredictionRow &row, const QList<CountCheck> &checks)
{
    row.reason = QStringLiteral("hardware has no counter for it, or these are no stages");
    if (!row.count)
        return;
    const CountCheck *above = checkOf(checks, row.operation, row.count->numeratorLabel, row.count->what);
    const CountCheck *below = checkOf(checks, row.operation, row.count->denominatorLabel, row.count->what);
    if (!above || !below)
        return;
    const bool areCounted = above->state == evidence::State::Ok && below->state == evidence::State::Ok;
    row.hasCounters = areCounted; // why not is told of all stages at once
    row.reason = above->reason.isEmpty() ? below->reason : above->reason;
    if (above->counted && below->counted && *above->counted > 0 && *below->counted > 0)
        row.counted = LabelledRatio{row.count->what, above->stage, below->stage, *above->counted, *below->counted};
    else if (row.reason.isEmpty())
        row.reason = QStringLiteral("the hardware counted none of it");
}

PredictionRow recordedRow(const OperationProgression &operation, const evidence::ProgressionExperiment &experiment)
{
    PredictionRow row;
    row.operation = operation.operation;
    row.experiment = experiment;
    row.count = countedRatio(experiment);
    row.time = measuredRatio(experiment);
    return row;
}

// The stage before above the line, so that all three ratios say how many times as much it does.
PredictionRow stagesRow(const OperationProgression &operation, const ProgressionStage &before,
                        const ProgressionStage &after, const CountCheck &more, const CountCheck &less)
{
    PredictionRow row;
    row.operation = operation.operation;
    row.fromStages = true;
    row.count = LabelledRatio{more.what, before.id, after.id, more.declared, less.declared};
    const double beforeUs = *stageTime(before, Metric::Kernel), afterUs = *stageTime(after, Metric::Kernel);
    row.time = LabelledRatio{QStringLiteral("kernel time"), before.id, after.id, beforeUs, afterUs};
    row.experiment.title = QStringLiteral("%1 against %2: %3").arg(before.id, after.id, more.what);
    row.experiment.predicted = more.declared / less.declared;
    row.experiment.measured = beforeUs / afterUs;
    row.experiment.metric = QStringLiteral("kernel time");
    return row;
}

// Between the stages that declare the thing and were measured, in the same arithmetic.
QList<PredictionRow> rowsOfStages(const OperationProgression &operation, const QList<CountCheck> &checks)
{
    QList<PredictionRow> rows;
    for (const QString &what : confirmableCounts()) {
        const ProgressionStage *before = nullptr;
        for (const ProgressionStage &stage : operation.stages) {
            const CountCheck *check = checkOf(checks, operation.operation, stage.id, what);
            const auto time = stageTime(stage, Metric::Kernel);
            if (!check || !time || !(*time > 0))
                continue;
            const CountCheck *earlier = before ? checkOf(checks, operation.operation, before->id, what) : nullptr;
            if (earlier && earlier->declared != check->declared && arithmeticOf(*before) == arithmeticOf(stage))
                rows.append(stagesRow(operation, *before, stage, *earlier, *check));
            before = &stage;
        }
    }
    return rows;
}

bool isShown(const PredictionRow &row, const ViewOptions &options)
{
    const LabelledRatio named = row.count.value_or(row.time.value_or(LabelledRatio{}));
    return isAskedFor(named.numeratorLabel, options) || isAskedFor(named.denominatorLabel, options);
}

bool agree(double one, double other)
{
    return other > 0 && std::abs(one / other - 1) <= kRatiosAgreeWithin;
}

} // namespace

QString PredictionRow::limitWords() const
{
    const auto ratio = countedRatio();
    const double predicted = experiment.predicted, measured = experiment.measured;
    if (!ratio || !(predicted > 0) || !(measured > 0) || !agree(*ratio, predicted) || agree(measured, predicted))
        return {};
    return QStringLiteral("The hardware counted what was predicted: something else limits one of the two.");
}

std::optional<double> PredictionRow::countedRatio() const
{
    return counted ? std::optional(counted->numerator / counted->denominator) : std::nullopt;
}

QList<PredictionRow> predictionRows(const evidence::Namespace &evidence, const ViewOptions &options)
{
    QList<PredictionRow> rows;
    if (!evidence.progression)
        return rows;
    const QList<CountCheck> checks = countChecks(evidence);
    for (const OperationProgression &operation : evidence.progression->operations) {
        for (const evidence::ProgressionExperiment &experiment : operation.experiments)
            rows.append(recordedRow(operation, experiment));
        if (operation.experiments.isEmpty())
            rows += rowsOfStages(operation, checks);
    }
    if (!evidence.counters.isEmpty())
        for (PredictionRow &row : rows)
            addCounted(row, checks);
    rows.removeIf([&options](const PredictionRow &row) { return !isShown(row, options); });
    return rows;
}

} // namespace stagecraft::views
