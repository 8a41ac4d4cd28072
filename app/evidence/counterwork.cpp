// SPDX-License-Identifier: GPL-3.0-or-later
#include "shortage.h"

#include <algorithm>

#include <QRegularExpression>

namespace stagecraft::evidence {

namespace {

constexpr double bytesPerSector = 32;
constexpr double flopPerMultiplyAdd = 2;
constexpr auto sectorsOfSms = "lts__t_sectors_srcunit_tex.sum";

// The highest rate of these streams; `what` says whose it is.
void keepHigher(std::optional<double> &rate, QString &what, const FloorMeasurement &measurement)
{
    if (rate && *rate >= measurement.value)
        return;
    rate = measurement.value;
    what = measurement.what;
}

} // namespace

std::optional<double> floorMeasurement(const QList<FloorMeasurement> &measurements, const QString &what)
{
    for (const FloorMeasurement &measurement : measurements)
        if (measurement.what == what && measurement.value > 0)
            return measurement.value;
    return std::nullopt;
}

RateCeilings rateCeilings(const QList<FloorMeasurement> &measurements)
{
    static const QRegularExpression pattern(QStringLiteral("^(warm|cold) (copy|read) of ([0-9]+) bytes$"));
    struct Stream
    {
        const FloorMeasurement *measurement;
        bool warm;
        double bytes;
    };
    QList<Stream> streams;
    for (const FloorMeasurement &measurement : measurements)
        if (const auto match = pattern.match(measurement.what);
            match.hasMatch() && measurement.unit == QLatin1String("GB/s") && measurement.value > 0)
            streams.append({&measurement, match.captured(1) == QLatin1String("warm"), match.captured(3).toDouble()});
    RateCeilings ceilings;
    if (streams.isEmpty())
        return ceilings;
    const auto [least, most] = std::ranges::minmax(streams, {}, &Stream::bytes);
    for (const Stream &stream : streams) {
        if (stream.warm && stream.bytes == least.bytes)
            keepHigher(ceilings.l2, ceilings.l2What, *stream.measurement);
        if (stream.bytes == most.bytes && most.bytes > least.bytes)
            keepHigher(ceilings.dram, ceilings.dramWhat, *stream.measurement);
    }
    return ceilings;
}

std::optional<double> counted(const CountedKernel &kernel, const char *metric)
{
    const auto found = kernel.values.constFind(QLatin1String(metric));
    return found == kernel.values.constEnd() ? std::nullopt : std::optional(*found);
}

std::optional<SharedLoads> sharedLoads(const CountedKernel &kernel)
{
    if (const auto loads = counted(kernel, "smsp__inst_executed_op_shared_ld_pred_on_any.sum"))
        return SharedLoads{*loads, false};
    const auto all = counted(kernel, "smsp__inst_executed_op_shared_ld.sum");
    return all ? std::optional(SharedLoads{*all, true}) : std::nullopt;
}

std::optional<double> floatingOperations(const CountedKernel &kernel, const QString &arithmetic)
{
    const auto ffma = counted(kernel, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"),
               fadd = counted(kernel, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"),
               fmul = counted(kernel, "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum");
    if (!ffma || !fadd || !fmul)
        return std::nullopt;
    const auto instructions = counted(kernel, "sm__inst_executed_pipe_tensor.sum"),
               tensor = counted(kernel, "sm__ops_path_tensor_src_tf32_dst_fp32.sum");
    if (!tensor && instructions.value_or(0) > 0) // of which nothing is known
        return std::nullopt;
    const double products = arithmetic == QLatin1String("3xtf32") ? 3 : 1;
    return flopPerMultiplyAdd * *ffma + *fadd + *fmul + tensor.value_or(0) / products;
}

std::optional<double> l2Bytes(const CountedKernel &kernel)
{
    if (const auto sectors = counted(kernel, sectorsOfSms))
        return *sectors * bytesPerSector;
    return counted(kernel, "lts__t_bytes.sum");
}

bool l2BytesAreOfSms(const CountedKernel &kernel)
{
    return counted(kernel, sectorsOfSms).has_value();
}

std::optional<double> dramBytes(const CountedKernel &kernel)
{
    const auto read = counted(kernel, "dram__bytes_read.sum"), written = counted(kernel, "dram__bytes_write.sum");
    return read && written ? std::optional(*read + *written) : std::nullopt;
}

} // namespace stagecraft::evidence
