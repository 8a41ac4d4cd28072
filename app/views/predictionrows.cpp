// SPDX-License-Identifier: GPL-3.0-or-later
#include "predictionrows.h"

#include "progressionvalues.h"

#include <algorithm>

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
    row.hasCounters = true;
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

} // namespace

std::optional<double> PredictionRow::countedRatio() const
{
    return counted ? std::optional(counted->numerator / counted->denominator) : std::nullopt;
}

QList<PredictionRow> predictionRows(const evidence::Namespace &evidence)
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
    return rows;
}

} // namespace stagecraft::views
