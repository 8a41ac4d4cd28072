// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressionvalues.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::ProgressionAttempt;
using evidence::ProgressionStage;
using evidence::State;

namespace {

bool isMeasured(State state)
{
    return state == State::Ok || state == State::Throttled;
}

// The stage was measured, and of its kernel time there is more to say.
bool lacksKernelTime(const ProgressionStage &stage, Metric metric)
{
    return metric == Metric::Kernel && isMeasured(stage.state) && stage.kernelState != State::Ok;
}

} // namespace

Metric progressionMetric(const QString &metric)
{
    return metric.startsWith(QLatin1String("kernel")) ? Metric::Kernel : Metric::Span;
}

std::optional<double> stageTime(const ProgressionStage &stage, Metric metric)
{
    if (!isMeasured(stage.state))
        return std::nullopt;
    return metric == Metric::Kernel ? stage.kernelUs : stage.spanUs;
}

State timeState(const ProgressionStage &stage, Metric metric)
{
    if (lacksKernelTime(stage, metric))
        return stage.kernelState;
    return isMeasured(stage.state) ? State::Unavailable : stage.state;
}

QString timeReason(const ProgressionStage &stage, Metric metric)
{
    const QString &reason = lacksKernelTime(stage, metric) ? stage.kernelReason : stage.reason;
    return reason.isEmpty() ? QStringLiteral("not recorded in the progression") : reason;
}

QString kernelRemark(State kernelState, const QString &kernelReason)
{
    if (kernelState == State::Ok)
        return {};
    const QString remark = QStringLiteral("kernel time ") + evidence::stateName(kernelState);
    return kernelReason.isEmpty() ? remark : remark + QStringLiteral(": ") + kernelReason;
}

QString arithmeticOf(const ProgressionStage &stage)
{
    return plainArithmetic(stage.arithmetic);
}

QString withArithmetic(const QString &name, const QString &arithmetic)
{
    const QString kind = plainArithmetic(arithmetic);
    return kind == QLatin1String("fp32") ? name : QStringLiteral("%1 · %2").arg(name, kind);
}

StageFactor stageFactor(const ProgressionStage &from, const ProgressionStage &to, Metric metric)
{
    const std::optional<double> ratio = factor(stageTime(from, metric), stageTime(to, metric));
    if (ratio && arithmeticOf(from) != arithmeticOf(to))
        return {std::nullopt, true};
    return {ratio, false};
}

std::optional<double> factor(const std::optional<double> &previous, const std::optional<double> &current)
{
    return previous && current && *previous > 0 && *current > 0 ? std::optional(*previous / *current) : std::nullopt;
}

bool hasValue(const ProgressionAttempt &attempt)
{
    return isMeasured(attempt.state);
}

std::optional<RatioRange> attemptRatio(const ProgressionAttempt &attempt)
{
    if (!hasValue(attempt) || !attempt.valueOfThat || !(*attempt.valueOfThat > 0))
        return std::nullopt;
    return RatioRange{attempt.low / *attempt.valueOfThat, attempt.high / *attempt.valueOfThat};
}

std::optional<KnownFloor> stageFloor(const evidence::OperationProgression &operation, const ProgressionStage &stage,
                                     const QList<qint64> &dims, const evidence::Namespace &evidence)
{
    const auto floor = evidence::knownFloor(evidence, operation.operation, dims, operation.cache, arithmeticOf(stage));
    return floor ? std::optional(KnownFloor{floor->us, floor->what, floor->arithmetic}) : std::nullopt;
}

bool progressionTellsWarm(const evidence::Namespace &evidence)
{
    if (!evidence.progression)
        return false;
    const auto warm = [](const evidence::OperationProgression &operation) { return isWarm(operation.cache); };
    const auto &operations = evidence.progression->operations;
    return std::any_of(operations.begin(), operations.end(), warm) &&
           !std::all_of(operations.begin(), operations.end(), warm);
}

QString progressionUnavailable(const evidence::Namespace &evidence)
{
    if (evidence.progression)
        return {};
    return QStringLiteral("%1 records no progression (progression.json)").arg(evidence.name);
}

QString jsonWords(const nlohmann::json &value)
{
    if (value.is_null())
        return {};
    if (!value.is_object())
        return QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
    QStringList parts;
    for (const auto &[key, entry] : value.items()) {
        const QString name = QString::fromStdString(key).replace(QLatin1Char('_'), QLatin1Char(' '));
        parts.append(name + (entry.is_object() ? QStringLiteral(": ") : QStringLiteral(" ")) + jsonWords(entry));
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace stagecraft::views
