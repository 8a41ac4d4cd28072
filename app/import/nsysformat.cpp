// SPDX-License-Identifier: GPL-3.0-or-later
#include "devices.h"
#include "foreignbytes.h"
#include "formats.h"
#include "kernelseries.h"
#include "nsysranges.h"
#include "privacy.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QVersionNumber>

#include <map>
#include <numeric>

// Nsight Systems reports as `nsys export --type sqlite` writes them. Its schema changes with its versions: what is
// there is found out table by table. Tables that hold host names, environments and command lines are never read.
namespace stagecraft::import {

namespace {

const QString backend = QStringLiteral("nsys");
const QString noSpan = QStringLiteral("Nsight Systems records kernels, no spans around calls");

bool isDatabase(const QString &path)
{
    return firstBytes(path, 16) == QByteArray("SQLite format 3\0", 16);
}

// The value of one named property; nothing else of the table is looked at.
QString property(ForeignDatabase &database, const QString &table, const QString &name)
{
    QString found;
    if (database.hasTable(table))
        database.read(table, {QStringLiteral("name"), QStringLiteral("value")}, [&](const QList<QVariant> &values) {
            if (values[0].toString() == name)
                found = values[1].toString();
            return found.isEmpty();
        });
    static const QRegularExpression version(QStringLiteral("\\A\\d[\\d.]{0,30}\\z"));
    return version.match(found).hasMatch() ? found : QString();
}

void describeVersion(ForeignDatabase &database, ForeignFile &file)
{
    QString schema, product;
    for (const char *table : {"META_DATA_EXPORT", "EXPORT_META_DATA"}) {
        if (schema.isEmpty())
            schema = property(database, QLatin1String(table), QStringLiteral("EXPORT_SCHEMA_VERSION"));
        if (product.isEmpty())
            product = property(database, QLatin1String(table), QStringLiteral("EXPORT_PRODUCT_VERSION"));
    }
    if (schema.isEmpty()) {
        file.leftOut.append(QStringLiteral("The export names no schema version; its tables were read as they are."));
        return;
    }
    file.toolVersion =
        (product.isEmpty() ? QString() : product + QStringLiteral(", ")) + QStringLiteral("schema ") + schema;
    const QVersionNumber version = QVersionNumber::fromString(schema);
    const QVersionNumber own(version.majorVersion(), version.minorVersion());
    if (own < QVersionNumber(2, 9) || own > QVersionNumber(3, 25))
        file.leftOut.append(QStringLiteral("The export's schema %1 is outside of those that this program knows (2.9 to "
                                           "3.25); its tables were read as they are.")
                                .arg(schema));
}

void describeStart(ForeignDatabase &database, ForeignFile &file)
{
    const QString table = QStringLiteral("TARGET_INFO_SESSION_START_TIME");
    if (!database.hasColumn(table, QStringLiteral("utcEpochNs")))
        return;
    database.read(table, {QStringLiteral("utcEpochNs")}, [&](const QList<QVariant> &values) {
        const auto ns = wholeNumber(values[0]);
        if (ns && *ns > 0)
            file.utc = QDateTime::fromMSecsSinceEpoch(*ns / 1'000'000, Qt::UTC)
                           .toString(QStringLiteral("yyyy-MM-dd'T'HH:mm:ss'Z'"));
        return false;
    });
}

// GPUs' names by the device numbers that launches have.
QHash<qint64, QString> gpuNames(ForeignDatabase &database)
{
    QHash<qint64, qint64> gpuOfDevice; // newer schemas number GPUs apart from CUDA's devices
    const QString deviceTable = QStringLiteral("TARGET_INFO_CUDA_DEVICE");
    if (database.missingColumns(deviceTable, {QStringLiteral("cudaId"), QStringLiteral("gpuId")}).isEmpty())
        database.read(deviceTable, {QStringLiteral("cudaId"), QStringLiteral("gpuId")}, [&](const auto &values) {
            if (const auto device = wholeNumber(values[0]), gpu = wholeNumber(values[1]); device && gpu)
                gpuOfDevice.insert(*device, *gpu);
            return true;
        });
    QHash<qint64, QString> names;
    const auto readNames = [&](const QString &table, const QString &id) {
        if (names.isEmpty() && database.missingColumns(table, {id, QStringLiteral("name")}).isEmpty())
            database.read(table, {id, QStringLiteral("name")}, [&](const QList<QVariant> &values) {
                if (const auto number = wholeNumber(values[0]))
                    names.insert(*number, withoutPaths(values[1].toString()).left(100));
                return true;
            });
    };
    readNames(QStringLiteral("TARGET_INFO_GPU"), QStringLiteral("id"));
    readNames(QStringLiteral("TARGET_INFO_CUDA_GPU"), QStringLiteral("deviceId"));
    if (gpuOfDevice.isEmpty())
        return names;
    QHash<qint64, QString> byDevice;
    for (auto it = gpuOfDevice.begin(); it != gpuOfDevice.end(); ++it)
        byDevice.insert(it.key(), names.value(it.value()));
    return byDevice;
}

// How many iterations the launches of a series are of: launches of each of its kernels are a multiple of it.
int commonIterations(const ForeignSeries &series)
{
    QHash<QString, int> launches;
    for (const evidence::KernelRecord &record : series.records)
        ++launches[record.kernelName];
    return std::accumulate(launches.begin(), launches.end(), 0, [](int a, int b) { return std::gcd(a, b); });
}

using PhaseKey = std::tuple<QString, QString, int>;

// By this project's ranges. Launches of correctness checks, and those outside of all ranges, are of no measurement.
void addPhases(const QList<NsysLaunch> &launches, const NsysRanges &ranges, ForeignFile &file)
{
    std::map<PhaseKey, ForeignSeries> series;
    qsizetype outside = 0;
    for (const NsysLaunch &launch : launches) {
        const NsysPhase *phase = ranges.phaseOf(launch);
        if (!phase || phase->phase == QLatin1String("check")) {
            ++outside;
            continue;
        }
        addLaunch(series[{phase->operation, phase->implementation, phase->round}], launch.record);
    }
    const bool hasOwn = std::ranges::any_of(
        series, [](const auto &entry) { return std::get<1>(entry.first).startsWith(QLatin1String("cuda")); });
    QList<ForeignSeries> list;
    for (auto &[key, entry] : series) {
        std::tie(entry.operation, entry.implementation, std::ignore) = key;
        entry.round = std::get<2>(key);
        entry.backend = backend;
        entry.noSpan = noSpan;
        entry.isProgressionStage = !hasOwn || entry.implementation.startsWith(QLatin1String("cuda"));
        if (entry.invalidRecords == 0)
            entry.iterations = commonIterations(entry);
        list.append(std::move(entry));
    }
    if (outside > 0)
        file.leftOut.append(QStringLiteral("%1 launches are of no measurement (of a correctness check, or outside of "
                                           "the ranges that workers mark): they are left out.")
                                .arg(outside));
    file.leftOut.append(
        QStringLiteral("Iterations are not recorded: they are taken to be the greatest number that "
                       "divides the launches of each kernel of a round. Warm-up calls are among them."));
    if (const QString lost = lostLaunches(list); !lost.isEmpty())
        file.leftOut.append(lost);
    file.series = std::move(list);
}

ForeignFile readReport(const QString &path, const Cancelled &cancelled)
{
    ForeignFile file;
    ForeignDatabase database(path);
    const QList<NsysLaunch> launches = readNsysLaunches(database, file, cancelled);
    if (!file.error.isEmpty())
        return file;
    describeVersion(database, file);
    describeStart(database, file);
    QSet<qint64> devices;
    for (const NsysLaunch &launch : launches)
        devices.insert(launch.device);
    const QHash<qint64, QString> implementations =
        describeDevices(devices, gpuNames(database), QStringLiteral("TARGET_INFO_GPU"), file);
    const NsysRanges ranges(database, cancelled);
    const bool isOurs = std::ranges::any_of(
        launches, [&ranges](const NsysLaunch &launch) { return ranges.phaseOf(launch) != nullptr; });
    if (isOurs) {
        addPhases(launches, ranges, file);
        return file;
    }
    KernelSeries series(backend, noSpan);
    for (const NsysLaunch &launch : launches)
        series.add(launch.record, implementations.value(launch.device));
    series.moveTo(file);
    return file;
}

Imported read(const QStringList &paths, const Cancelled &cancelled)
{
    static const Tool tool{QStringLiteral("Nsight Systems"),
                           QStringLiteral("kernel durations as Nsight Systems records them through CUPTI; each launch "
                                          "of a kernel is one iteration")};
    return importWith(tool, paths, cancelled, readReport);
}

} // namespace

const Format &nsysFormat()
{
    static const Format format{QStringLiteral("nsys"),
                               QStringLiteral("Nsight Systems"),
                               {QStringLiteral("sqlite"), QStringLiteral("db")},
                               isDatabase,
                               read};
    return format;
}

} // namespace stagecraft::import
