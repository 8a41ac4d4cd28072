// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurementtext.h"

#include "counterlimits.h"
#include "publictext.h"

#include <algorithm>

namespace stagecraft::run {

namespace {

QString number(const std::optional<double> &value)
{
    return value ? QString::number(*value, 'g', 9) : QStringLiteral("not finite");
}

WorkerFault unavailable(const std::string &reason, const std::string &fix)
{
    WorkerFault fault{evidence::State::Unavailable, publicText(reason), publicText(fix), false};
    if (fault.reason.isEmpty())
        fault.reason = QStringLiteral("the worker says it is not available, without a reason");
    return fault;
}

// How many launches an iteration has may vary, and is shown so; but each record needs an iteration, and each iteration
// a record. Those left out as invalid are of unknown iterations.
QString iterationProblem(const protocol::CaptureResult &result, int requestedIterations)
{
    QList<int> launches(requestedIterations, 0);
    for (const protocol::KernelRecord &record : result.records) {
        if (record.iteration < 0 || record.iteration >= requestedIterations)
            return QStringLiteral("a kernel record is of iteration %1, where %2 were asked for")
                .arg(record.iteration)
                .arg(requestedIterations);
        ++launches[record.iteration];
    }
    const qsizetype empty = launches.indexOf(0);
    if (empty >= 0 && result.invalid == 0)
        return QStringLiteral("no kernel was recorded in iteration %1 of %2: some were missed")
            .arg(empty + 1)
            .arg(requestedIterations);
    return {};
}

QString counted(qsizetype count, const char *one, const char *several)
{
    return QStringLiteral("%1 %2").arg(count).arg(QLatin1String(count == 1 ? one : several));
}

QString metricProblem(const protocol::CountersResult &result)
{
    const auto isWrong = [](const auto &metric) {
        return !evidence::isMetricName(QString::fromStdString(metric.name));
    };
    if (std::ranges::any_of(result.metrics, isWrong) || std::ranges::any_of(result.missing, isWrong))
        return QStringLiteral("the worker names a metric in characters that no metric has");
    for (const protocol::MissingMetric &missing : result.missing)
        if (std::ranges::find(result.metrics, missing.name, &protocol::Metric::name) != result.metrics.end())
            return QStringLiteral("the worker says of %1 that it has it and that it lacks it")
                .arg(QString::fromStdString(missing.name));
    for (const protocol::CountedKernel &kernel : result.kernels)
        for (const auto &[name, value] : kernel.values)
            if (value > evidence::mostCounterValue)
                return QStringLiteral("the worker says of %1 that it is %2, which no counter can be")
                    .arg(QString::fromStdString(name))
                    .arg(value);
    return {};
}

} // namespace

QString checkFailureText(const protocol::CheckResult &check)
{
    QString text = QStringLiteral("the result is wrong: %1 of %2 elements are beyond %3 + %4·|reference|")
                       .arg(check.badElements)
                       .arg(check.checkedElements)
                       .arg(check.atol)
                       .arg(check.rtol);
    if (check.firstBad) {
        text += QStringLiteral("; the first is element %1: %2 where %3 is expected")
                    .arg(*check.firstBad)
                    .arg(number(check.firstBadValue), number(check.firstBadReference));
    }
    if (check.maxAbsError)
        text += QStringLiteral("; largest absolute error %1").arg(*check.maxAbsError, 0, 'g', 4);
    return text + QStringLiteral(". Its times are not taken; correct the kernel first");
}

QString captureProblem(const protocol::CaptureResult &result, int requestedIterations)
{
    const auto launches = static_cast<std::int64_t>(result.records.size()) + result.invalid;
    if (result.dropped > 0)
        return QStringLiteral("%1 kernel records were lost by the instrument: capture fewer iterations "
                              "(--capture-iterations)")
            .arg(result.dropped);
    if (result.requestedIterations != requestedIterations)
        return QStringLiteral("the worker captured %1 iterations where %2 were asked for")
            .arg(result.requestedIterations)
            .arg(requestedIterations);
    if (launches == 0)
        return QStringLiteral("no kernel was recorded: the work runs outside what the instrument sees");
    return iterationProblem(result, requestedIterations);
}

QString countersProblem(const protocol::CountersResult &result)
{
    const auto metrics = static_cast<qsizetype>(result.metrics.size()),
               lacking = static_cast<qsizetype>(result.missing.size()),
               kernels = static_cast<qsizetype>(result.kernels.size());
    if (kernels == 0)
        return QStringLiteral("no kernel was counted: the work runs outside what the instrument sees");
    if (metrics == 0)
        return QStringLiteral("the worker counted kernels and names no metric");
    if (result.passes < 1)
        return QStringLiteral("the worker says it took counters in no pass");
    if (kernels > evidence::mostCountedKernels || metrics > evidence::mostMetrics || lacking > evidence::mostMetrics)
        return QStringLiteral("the worker sent %1 of %2: evidence holds at most %3 of %4")
            .arg(counted(metrics + lacking, "metric", "metrics"), counted(kernels, "kernel", "kernels"))
            .arg(evidence::mostMetrics)
            .arg(evidence::mostCountedKernels);
    return metricProblem(result);
}

QString countersText(const protocol::CountersResult &result)
{
    const auto size = [](const auto &list) { return static_cast<qsizetype>(list.size()); };
    const QString text =
        QStringLiteral("%1 of %2 in %3")
            .arg(counted(size(result.metrics), "metric", "metrics"), counted(size(result.kernels), "kernel", "kernels"),
                 counted(result.passes, "pass", "passes"));
    if (result.missing.empty())
        return text;
    return text + QStringLiteral(", %1 lacking").arg(counted(size(result.missing), "metric", "metrics"));
}

QString extentsText(const std::array<std::int64_t, 3> &extents)
{
    return QStringLiteral("%1,%2,%3").arg(extents[0]).arg(extents[1]).arg(extents[2]);
}

std::optional<WorkerFault> preparationFault(const protocol::PrepareResult &result, const stagefile::Stage *stage)
{
    WorkerFault fault;
    fault.state = evidence::State::Invalid;
    fault.fix = QStringLiteral("use a worker and a program of the same version");
    if (result.timingSource != "event" && result.timingSource != "host") {
        fault.reason = QStringLiteral("the worker times by “%1”, which is neither event nor host")
                           .arg(publicText(result.timingSource));
        return fault;
    }
    if (!stage || (result.stage == stage->name() && result.sourceSha256 == stage->sha256))
        return std::nullopt;
    if (result.stage != stage->name())
        fault.reason = QStringLiteral("the worker prepared %1 where %2 was asked for")
                           .arg(publicText(result.stage), QString::fromStdString(stage->name()));
    else
        fault.reason = QStringLiteral("the worker compiled another text of %1 than this program sent: its SHA-256 is "
                                      "%2…, expected %3…")
                           .arg(QString::fromStdString(stage->name()), publicText(result.sourceSha256).left(12),
                                QString::fromStdString(stage->sha256).left(12));
    return fault;
}

std::optional<WorkerFault> wishFault(const protocol::PrepareResult &result, const RunPlan &plan)
{
    WorkerFault fault;
    fault.fix = QStringLiteral("use a worker and a program of the same version");
    if (isCold(plan) && result.note.find("cold: ") == std::string::npos) {
        fault.state = evidence::State::Invalid;
        fault.reason = QStringLiteral("a cold cache was asked for and the worker does not say how it makes it so");
        return fault;
    }
    if (plan.arithmetic == arithmeticChoices().first() || result.arithmetic == plan.arithmetic.toStdString())
        return std::nullopt;
    if (result.arithmetic.empty()) {
        fault.state = evidence::State::Invalid;
        fault.reason = QStringLiteral("exact FP32 was asked for and the worker does not say what it computes in");
        return fault;
    }
    fault.state = evidence::State::Unavailable;
    fault.reason = QStringLiteral("it computes in %1, and this run keeps to exact FP32 (--arithmetic fp32)")
                       .arg(publicText(result.arithmetic));
    if (result.stage.empty()) // nothing of this project's: a choice that the worker does not have
        fault.fix = QStringLiteral("leave it out, or choose --arithmetic any");
    else
        fault.state = evidence::State::Invalid;
    return fault;
}

QString preparedText(const protocol::PrepareResult &result, bool withNote)
{
    QStringList parts;
    if (!result.stage.empty())
        parts.append(QStringLiteral("runs %1").arg(publicText(result.stage)));
    if (!result.arithmetic.empty() && (!result.stage.empty() || result.arithmetic != "fp32"))
        parts.append(QStringLiteral("arithmetic %1").arg(publicText(result.arithmetic)));
    if (withNote && !result.note.empty())
        parts.append(publicText(result.note));
    return parts.join(QStringLiteral(", "));
}

std::optional<WorkerFault> implementationFault(const protocol::DescribeResult &description,
                                               const QString &implementation, const QString &operation)
{
    WorkerFault fault;
    fault.state = evidence::State::Unavailable;
    const auto found =
        std::ranges::find(description.implementations, implementation.toStdString(), &protocol::Implementation::id);
    if (found == description.implementations.end()) {
        fault.reason =
            QStringLiteral("the %1 worker does not have %2").arg(publicText(description.worker), implementation);
        fault.fix = QStringLiteral("use a worker of the program's own version");
        return fault;
    }
    if (!found->available)
        return unavailable(found->reason, found->fix);
    if (std::ranges::find(found->operations, operation.toStdString()) == found->operations.end()) {
        fault.reason = QStringLiteral("%1 does not compute %2").arg(implementation, operation);
        fault.fix = QStringLiteral("leave it out for this operation");
        return fault;
    }
    return std::nullopt;
}

WorkerFault captureFault(const protocol::CaptureSupport &capture)
{
    return unavailable(capture.reason, capture.fix);
}

} // namespace stagecraft::run
