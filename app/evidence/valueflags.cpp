// SPDX-License-Identifier: GPL-3.0-or-later
#include "valueparts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft::evidence {

namespace {

constexpr qint64 fewestSamples = 5;

// nvidia-smi's bit mask of active clock reasons (NVML's nvmlClocksEventReason…), and the names of its columns that say
// one reason each. 0x1 (idle), 0x2 (application clocks) and 0x10 (sync boost) slow nothing that was asked for.
struct SlowingReason
{
    quint64 mask;
    const char *column, *text;
};
constexpr std::array<SlowingReason, 5> slowingReasons{{
    {0x4, "sw_power_cap", "software power cap"},
    {0x8, "hw_slowdown", "hardware slowdown"},
    {0x20, "sw_thermal_slowdown", "software thermal slowdown"},
    {0x40, "hw_thermal_slowdown", "hardware thermal slowdown"},
    {0x80, "hw_power_brake_slowdown", "hardware power brake"},
}};

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

bool belowFloor(const Value &value, double floorUs)
{
    return value.estimate && value.estimate->mean < (1 - floorTolerance) * floorUs;
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
        return span.measurement->state == State::Throttled || (onGpu && !throttleReasons(*span.gpuState).isEmpty());
    });
}

QStringList fields(const QString &line)
{
    QStringList list = line.split(QLatin1Char(','));
    for (QString &field : list)
        field = field.trimmed();
    return list;
}

// A mask of all reasons, or a column such as clocks_event_reasons.hw_slowdown, whose cells say Active or Not Active.
bool names(const SlowingReason &reason, const QString &column, const QString &field)
{
    bool isNumber = false;
    const quint64 mask = field.startsWith(QLatin1String("0x")) ? field.toULongLong(&isNumber, 16) : 0;
    return (isNumber && (mask & reason.mask) != 0) ||
           (field == QLatin1String("Active") && column.contains(QLatin1String("reasons.")) &&
            column.endsWith(QLatin1String(reason.column)));
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

QStringList throttleReasons(const QString &gpuState)
{
    QStringList columns, reasons;
    for (const QString &line : gpuState.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QStringList row = fields(line);
        if (line.contains(QLatin1String("reasons"))) {
            columns = row;
            continue;
        }
        for (qsizetype i = 0; i < row.size(); ++i) {
            for (const SlowingReason &reason : slowingReasons) {
                const QString text = QLatin1String(reason.text);
                if (names(reason, columns.value(i), row[i]) && !reasons.contains(text))
                    reasons.append(text);
            }
        }
    }
    return reasons;
}

QList<Flag> rowFlags(const RowParts &parts, const ValueRow &row)
{
    QList<Flag> flags;
    if (spanBelowKernel(parts))
        flags.append(Flag::SpanBelowKernel);
    if (row.floorUs && (belowFloor(row.kernel, *row.floorUs) || belowFloor(row.span, *row.floorUs)))
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
        return QStringLiteral("More than %1 % faster than the known floor: something is left out of the timing.")
            .arg(100 * floorTolerance);
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
