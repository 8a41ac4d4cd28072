// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "floorlines.h"

// What figure and table of the progression read alike from a progression. Internal to the views.
namespace stagecraft::views {

// Of the metrics of a progression ("kernel time", "span").
Metric progressionMetric(const QString &metric);

// A stage's time where it may be drawn as a result, nullopt where a state or nothing at all stands in its place.
std::optional<double> stageTime(const evidence::ProgressionStage &stage, Metric metric);

// The state that stands in place of a time that is not there: the stage's own, the kernel time's, or unavailable.
evidence::State timeState(const evidence::ProgressionStage &stage, Metric metric);
QString timeReason(const evidence::ProgressionStage &stage, Metric metric);

// "kernel time unavailable: the CPU launches no GPU kernels": why a stage or attempt whose span is a result has no
// kernel time; empty where the evidence does not say.
QString kernelRemark(evidence::State kernelState, const QString &kernelReason);

// The previous value ÷ the current one; nullopt where either is missing or 0.
std::optional<double> factor(const std::optional<double> &previous, const std::optional<double> &current);

// What a stage computes in; the field note's progressions name none, theirs is FP32.
QString arithmeticOf(const evidence::ProgressionStage &stage);
inline bool isPlain(const evidence::ProgressionStage &stage)
{
    return arithmeticOf(stage) == QLatin1String("fp32");
}

// A name with the arithmetic behind it where that is not FP32: "Tensor cores · 3xtf32".
QString withArithmetic(const QString &name, const QString &arithmetic);

// From one stage to another. There is none between stages of different arithmetic: those are no series, and where both
// have a time, that is said in its place.
struct StageFactor
{
    std::optional<double> ratio;
    bool otherArithmetic = false;
};
StageFactor stageFactor(const evidence::ProgressionStage &from, const evidence::ProgressionStage &to, Metric metric);
inline const QString otherArithmetic = QStringLiteral("other arithmetic");

bool hasValue(const evidence::ProgressionAttempt &attempt);

// An attempt's value, or the ends of its range, ÷ the value of what it is compared with.
struct RatioRange
{
    double low = 0, high = 0; // equal for a single value
};
std::optional<RatioRange> attemptRatio(const evidence::ProgressionAttempt &attempt);

// The floor of the stage's kernel time; nullopt: unknown. `dims` as knownDims() says.
std::optional<KnownFloor> stageFloor(const evidence::OperationProgression &operation,
                                     const evidence::ProgressionStage &stage, const QList<qint64> &dims,
                                     const evidence::Namespace &evidence);

// Whether the progressions of the namespace are of both cache states.
bool progressionTellsWarm(const evidence::Namespace &evidence);

// Why a namespace has no progression to show; empty where it has one.
QString progressionUnavailable(const evidence::Namespace &evidence);

// Prose from {"shared reads per multiply-add": 0.75}: "shared reads per multiply-add 0.75".
QString jsonWords(const nlohmann::json &value);

} // namespace stagecraft::views
