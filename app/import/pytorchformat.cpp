// SPDX-License-Identifier: GPL-3.0-or-later
#include "devices.h"
#include "foreignbytes.h"
#include "formats.h"
#include "kernelseries.h"
#include "pytorchtrace.h"

#include <QDateTime>

#include <algorithm>

// Traces of torch.profiler (export_chrome_trace, tensorboard_trace_handler), whose kernels Kineto records by CUPTI.
namespace stagecraft::import {

namespace {

const QString backend = QStringLiteral("cupti");
const QString noSpan = QStringLiteral("a PyTorch trace records kernels, no spans around calls");
constexpr qsizetype headBytes = 64 * 1024;

bool isTrace(const QString &path)
{
    const QByteArray head = firstBytes(path, headBytes);
    const QByteArray start = head.trimmed().left(1);
    const bool hasEvents = head.contains("\"ph\"") && head.contains("\"ts\"");
    if (start == "[")
        return hasEvents;
    return start == "{" && (head.contains("\"traceEvents\"") ||
                            (head.contains("\"schemaVersion\"") && head.contains("\"deviceProperties\"")));
}

// The time of the first launch. Without a base, times count from 1970; whatever is no time of a GPU's age is unknown.
QString startOf(const PytorchTrace &trace)
{
    const double us = static_cast<double>(trace.baseNs.value_or(0)) / 1000 + trace.launches.first().start;
    constexpr double earliest = 1.45e15, latest = 4.1e15; // 2015, 2099
    if (!(us > earliest && us < latest))
        return {};
    return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(us / 1000), Qt::UTC)
        .toString(QStringLiteral("yyyy-MM-dd'T'HH:mm:ss'Z'"));
}

// 12040 → "12.4"
QString cudaVersion(const std::optional<qint64> &version)
{
    if (!version || *version < 1000 || *version >= 1'000'000)
        return {};
    return QStringLiteral("%1.%2").arg(*version / 1000).arg(*version % 1000 / 10);
}

QString noKernels(const PytorchTrace &trace)
{
    if (!trace.damage.isEmpty())
        return trace.damage + QStringLiteral(" There is no kernel before it.");
    return QStringLiteral("The trace holds no GPU kernels (%1 events of the CPU or of other kinds): profile with "
                          "activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA].")
        .arg(trace.events);
}

void describe(const PytorchTrace &trace, ForeignFile &file)
{
    file.cuda = cudaVersion(trace.cudaRuntimeVersion);
    file.utc = startOf(trace);
    file.privateWords = trace.privateWords;
    if (trace.schemaVersion && *trace.schemaVersion >= 0)
        file.toolVersion = QStringLiteral("schema %1").arg(*trace.schemaVersion);
    if (!trace.damage.isEmpty())
        file.problems.append({{}, trace.damagePointer, trace.damage, true});
    if (trace.isCut)
        file.leftOut.append(QStringLiteral("Launches behind the first %1 are not read.").arg(trace.launches.size()));
}

ForeignFile readTrace(const QString &path, const Cancelled &cancelled)
{
    ForeignFile file;
    PytorchTrace trace = readPytorchTrace(path, cancelled);
    if (trace.isRocm)
        file.error = QStringLiteral("The trace is of an AMD GPU: its times are not CUPTI's and not read.");
    else if (trace.launches.isEmpty())
        file.error = noKernels(trace);
    if (!file.error.isEmpty())
        return file;
    std::ranges::stable_sort(trace.launches, {}, &TraceLaunch::start);
    describe(trace, file);
    QSet<qint64> devices;
    for (const TraceLaunch &launch : std::as_const(trace.launches))
        devices.insert(launch.device);
    const auto implementations = describeDevices(devices, trace.deviceNames, QStringLiteral("deviceProperties"), file);
    KernelSeries series(backend, noSpan);
    for (const TraceLaunch &launch : std::as_const(trace.launches))
        series.add(launch.record, implementations.value(launch.device));
    series.moveTo(file);
    return file;
}

Imported read(const QStringList &paths, const Cancelled &cancelled)
{
    static const Tool tool{QStringLiteral("PyTorch profiler"),
                           QStringLiteral("kernel durations as the PyTorch profiler records them through CUPTI; each "
                                          "launch of a kernel is one iteration")};
    return importWith(tool, paths, cancelled, readTrace);
}

} // namespace

const Format &pytorchFormat()
{
    static const Format format{QStringLiteral("pytorch"),
                               QStringLiteral("PyTorch profiler"),
                               {QStringLiteral("json"), QStringLiteral("json.gz")},
                               isTrace,
                               read};
    return format;
}

} // namespace stagecraft::import
