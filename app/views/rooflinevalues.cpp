// SPDX-License-Identifier: GPL-3.0-or-later
#include "rooflinevalues.h"

#include <algorithm>

namespace stagecraft::views {

namespace {

constexpr double opsPerMicrosecond = 1e6; // of one TFLOP/s
constexpr double splitProducts = 3;       // that stand for one multiply-add in split TF32

std::optional<double> ratio(const std::optional<double> &a, const std::optional<double> &b)
{
    return a && b && *a > 0 && *b > 0 ? std::optional(*a / *b) : std::nullopt;
}

// Unknown stays unknown.
void add(std::optional<double> &sum, const std::optional<double> &value)
{
    sum = sum && value ? std::optional(*sum + *value) : std::nullopt;
}

bool isSameCall(const RooflinePoint &point, const CounterRow &row)
{
    return point.operation == row.operation && point.dims == row.dims && point.cache == row.cache &&
           point.implementation == row.implementation;
}

RooflinePoint pointOf(const CounterRow &row)
{
    RooflinePoint point;
    point.operation = row.operation;
    point.dims = row.dims;
    point.cache = row.cache;
    point.implementation = row.implementation;
    point.stage = row.stage;
    point.arithmetic = row.arithmetic;
    point.label = row.label;
    point.kernelUs = row.callUs;
    point.state = row.state;
    point.reason = row.reason;
    if (row.state == evidence::State::Ok) // what was not counted is no 0
        point.flop = point.l2Bytes = point.dramBytes = 0;
    return point;
}

void judge(RooflinePoint &point)
{
    if (point.state != evidence::State::Ok || (point.teraflops() && point.perL2Byte()))
        return;
    point.state = evidence::State::Unavailable;
    if (!point.kernelUs)
        point.reason = QStringLiteral("its kernel time is not known");
    else if (!point.flop)
        point.reason = QStringLiteral("its floating-point operations were not counted");
    else if (!(*point.flop > 0))
        point.reason = QStringLiteral("it executes no FP32 operation");
    else
        point.reason = QStringLiteral("the bytes of its L2 were not counted");
}

} // namespace

std::optional<double> RooflinePoint::teraflops() const
{
    const auto rate = ratio(flop, kernelUs);
    return rate ? std::optional(*rate / opsPerMicrosecond) : std::nullopt;
}

std::optional<double> RooflinePoint::perL2Byte() const
{
    return ratio(flop, l2Bytes);
}

std::optional<double> RooflinePoint::perDramByte() const
{
    const bool little = dramBytes && l2Bytes && *dramBytes < kLeastDramPart * *l2Bytes;
    return little ? std::nullopt : ratio(flop, dramBytes);
}

QString RooflinePoint::dramLack() const
{
    if (!dramBytes)
        return QStringLiteral("the bytes of DRAM were not counted");
    return perDramByte() ? QString() : QStringLiteral("DRAM gives less than 1 % of the L2's bytes");
}

QList<RooflinePoint> rooflinePoints(const evidence::Namespace &evidence, const ViewOptions &options, bool all)
{
    QList<RooflinePoint> points;
    for (const CounterRow &row : counterRows(evidence, options, all)) {
        if (points.isEmpty() || !isSameCall(points.last(), row))
            points.append(pointOf(row));
        if (row.state != evidence::State::Ok)
            continue;
        RooflinePoint &point = points.last();
        if (!row.facts.kernelUs) // then the call's time is not of these kernels
            point.kernelUs.reset();
        add(point.flop, evidence::floatingOperations(row.kernel, row.arithmetic));
        add(point.l2Bytes, evidence::l2Bytes(row.kernel));
        add(point.dramBytes, evidence::dramBytes(row.kernel));
        point.l2IsOfSms = point.l2IsOfSms && evidence::l2BytesAreOfSms(row.kernel);
    }
    std::ranges::for_each(points, judge);
    return points;
}

RooflineCeilings rooflineCeilings(const evidence::Namespace &evidence)
{
    RooflineCeilings ceilings;
    ceilings.fp32 = evidence::floorMeasurement(evidence.floorMeasurements, QStringLiteral("FP32 multiply-add peak"));
    if (const auto peak = evidence::floorMeasurement(evidence.floorMeasurements, QStringLiteral("TF32 peak")))
        ceilings.splitTf32 = *peak / splitProducts;
    ceilings.rates = evidence::rateCeilings(evidence.floorMeasurements);
    return ceilings;
}

QString rooflineUnavailable(const QList<RooflinePoint> &points, const evidence::Namespace &evidence,
                            const ViewOptions &options)
{
    if (const QString reason = countersUnavailable(counterRows(evidence, options, true), evidence); !reason.isEmpty())
        return reason;
    const RooflineCeilings ceilings = rooflineCeilings(evidence);
    if (!ceilings.fp32 || !ceilings.rates.l2)
        return QStringLiteral(
                   "%1 records no ceilings of its GPU: %2 was not measured (floors.json), and a data sheet is "
                   "no measurement")
            .arg(evidence.name,
                 !ceilings.fp32 ? QStringLiteral("the FP32 multiply-add peak") : QStringLiteral("a warm copy"));
    const bool any =
        std::ranges::any_of(points, [](const RooflinePoint &point) { return point.state == evidence::State::Ok; });
    return any ? QString() : QStringLiteral("%1: %2").arg(evidence.name, points.value(0).reason);
}

} // namespace stagecraft::views
