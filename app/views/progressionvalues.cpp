// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressionvalues.h"

namespace stagecraft::views {

using evidence::ProgressionAttempt;
using evidence::ProgressionStage;
using evidence::State;

namespace {

bool isMeasured(State state)
{
    return state == State::Ok || state == State::Throttled;
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

State timeState(const ProgressionStage &stage)
{
    return isMeasured(stage.state) ? State::Unavailable : stage.state;
}

QString timeReason(const ProgressionStage &stage)
{
    return stage.reason.isEmpty() ? QStringLiteral("not recorded in the progression") : stage.reason;
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
