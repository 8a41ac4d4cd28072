// SPDX-License-Identifier: GPL-3.0-or-later
#include "valueparts.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace stagecraft::evidence {

namespace {

constexpr qint64 fewestSamples = 5;

// nvidia-smi's bit mask of active clock reasons: power cap, hardware slowdown, thermal slowdown (software, hardware),
// power brake. 0x1 (idle), 0x2 (application clocks) and 0x10 (sync boost) slow nothing that was asked for.
constexpr quint64 slowingReasons = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

// Both were taken in one round and the slowest span is faster than the fastest iteration: part of the work ran outside
// the timed stream. Captures without a round come from separate runs, whose clocks need not agree.
bool spanBelowKernel(const RowParts &parts)
{
    for (const Capture *capture : parts.captures) {
        const QList<double> kernels = iterationTimes(*capture);
        if (!capture->round || kernels.isEmpty() || capture->state != State::Ok)
            continue;
        const double fastest = *std::min_element(kernels.begin(), kernels.end());
        for (const RowParts::Span &span : parts.spans) {
            const QList<double> &samples = span.measurement->samplesUs;
            if (span.round == *capture->round && span.measurement->state == State::Ok && !samples.isEmpty() &&
                *std::max_element(samples.begin(), samples.end()) < fastest)
                return true;
        }
    }
    return false;
}

bool below(const Value &value, double us)
{
    return value.estimate && value.estimate->mean < us;
}

bool few(const Value &value)
{
    return value.estimate && value.estimate->samples > 0 && value.estimate->samples < fewestSamples;
}

bool launchesVary(const Value &launches)
{
    if (!launches.estimate)
        return false;
    const Estimate &estimate = *launches.estimate;
    return estimate.low != estimate.high || std::floor(estimate.mean) != estimate.mean;
}

bool lostRounds(const Value &value)
{
    return value.estimate && value.estimate->lostRounds > 0;
}

bool throttled(const RowParts &parts)
{
    return std::any_of(parts.spans.begin(), parts.spans.end(), [](const RowParts::Span &span) {
        const bool onGpu = span.measurement->source != QLatin1String("host"); // the CPU's clock is not the GPU's
        return span.measurement->state == State::Throttled || (onGpu && gpuStateThrottled(*span.gpuState));
    });
}

QStringList fields(const QString &line)
{
    QStringList list = line.split(QLatin1Char(','));
    for (QString &field : list)
        field = field.trimmed();
    return list;
}

bool maskIsSlowing(const QString &field)
{
    bool isNumber = false;
    const quint64 mask = field.startsWith(QLatin1String("0x")) ? field.toULongLong(&isNumber, 16) : 0;
    return isNumber && (mask & slowingReasons) != 0;
}

// Columns such as clocks_event_reasons.hw_slowdown, whose cells say Active or Not Active.
bool columnIsSlowing(const QString &column, const QString &field)
{
    static const QRegularExpression slowing(QStringLiteral("(slowdown|sw_power_cap|power_brake)"));
    return field == QLatin1String("Active") && column.contains(QLatin1String("reasons")) &&
           slowing.match(column).hasMatch();
}

// Between the iterations of one capture.
bool launchesVaryWithin(const RowParts &parts)
{
    return std::ranges::any_of(parts.captures, [](const Capture *capture) {
        const QList<int> launches = launchesByIteration(*capture);
        return capture->invalidRecords == 0 && !launches.isEmpty() &&
               std::ranges::any_of(launches, [&](int count) { return count != launches.first(); });
    });
}

} // namespace

bool gpuStateThrottled(const QString &gpuState)
{
    QStringList columns;
    for (const QString &line : gpuState.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QStringList row = fields(line);
        if (line.contains(QLatin1String("reasons"))) {
            columns = row;
            continue;
        }
        for (qsizetype i = 0; i < row.size(); ++i) {
            if (maskIsSlowing(row[i]) || (i < columns.size() && columnIsSlowing(columns[i], row[i])))
                return true;
        }
    }
    return false;
}

QList<Flag> rowFlags(const RowParts &parts, const ValueRow &row)
{
    QList<Flag> flags;
    if (spanBelowKernel(parts))
        flags.append(Flag::SpanBelowKernel);
    if (row.floorUs && (below(row.kernel, *row.floorUs) || below(row.span, *row.floorUs)))
        flags.append(Flag::FasterThanFloor);
    if (launchesVary(row.launches) || launchesVaryWithin(parts))
        flags.append(Flag::LaunchesVary);
    if (few(row.span) || few(row.kernel))
        flags.append(Flag::FewSamples);
    if (throttled(parts))
        flags.append(Flag::Throttled);
    if (lostRounds(row.span) || lostRounds(row.kernel) || lostRounds(row.launches))
        flags.append(Flag::RoundsMissing);
    return flags;
}

QString flagText(Flag flag)
{
    switch (flag) {
    case Flag::SpanBelowKernel:
        return QStringLiteral("The span is below the kernel time beyond both ranges in the same round: "
                              "work runs outside the timed stream.");
    case Flag::FasterThanFloor:
        return QStringLiteral("Faster than the known floor: something is left out of the timing.");
    case Flag::LaunchesVary:
        return QStringLiteral("The number of launches per iteration varies.");
    case Flag::FewSamples:
        return QStringLiteral("Fewer than five samples: mean and range say little.");
    case Flag::Throttled:
        return QStringLiteral("The GPU lowered its clocks for power or temperature during a round.");
    case Flag::RoundsMissing:
        return QStringLiteral("Some rounds gave no sound measurement: the value is over the others.");
    }
    return {};
}

QString flagLabel(Flag flag)
{
    switch (flag) {
    case Flag::SpanBelowKernel:
        return QStringLiteral("span below kernel");
    case Flag::FasterThanFloor:
        return QStringLiteral("faster than floor");
    case Flag::LaunchesVary:
        return QStringLiteral("launches vary");
    case Flag::FewSamples:
        return QStringLiteral("few samples");
    case Flag::Throttled:
        return QStringLiteral("throttled");
    case Flag::RoundsMissing:
        return QStringLiteral("rounds missing");
    }
    return {};
}

} // namespace stagecraft::evidence
