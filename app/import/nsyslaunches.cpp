// SPDX-License-Identifier: GPL-3.0-or-later
#include "nsyslaunches.h"

#include "names.h"
#include "privacy.h"

#include <QSet>

#include <algorithm>
#include <array>
#include <limits>

namespace stagecraft::import {

namespace {

const QString kernelTable = QStringLiteral("CUPTI_ACTIVITY_KIND_KERNEL");
const QString stringTable = QStringLiteral("StringIds");

constexpr qsizetype mostLaunches = 4'000'000;

enum Column
{
    Start,
    End,
    Demangled,
    Mangled,
    Short,
    Process,
    Correlation,
    Device,
    GridX,
    GridY,
    GridZ,
    BlockX,
    BlockY,
    BlockZ,
    Registers,
    StaticShared,
    DynamicShared,
    ColumnCount
};

const QStringList columns{
    QStringLiteral("start"),
    QStringLiteral("end"),
    QStringLiteral("demangledName"),
    QStringLiteral("mangledName"),
    QStringLiteral("shortName"),
    QStringLiteral("globalPid"),
    QStringLiteral("correlationId"),
    QStringLiteral("deviceId"),
    QStringLiteral("gridX"),
    QStringLiteral("gridY"),
    QStringLiteral("gridZ"),
    QStringLiteral("blockX"),
    QStringLiteral("blockY"),
    QStringLiteral("blockZ"),
    QStringLiteral("registersPerThread"),
    QStringLiteral("staticSharedMemory"),
    QStringLiteral("dynamicSharedMemory"),
};

// What is lost where all of `columns` from first to last are missing.
struct Cost
{
    Column first, last;
    const char *text;
};
constexpr std::array costs{
    Cost{GridX, GridZ, "grids are not recorded"},
    Cost{BlockX, BlockZ, "blocks are not recorded"},
    Cost{Registers, Registers, "registers are not recorded"},
    Cost{StaticShared, DynamicShared, "shared memory is not recorded"},
};

// Kernels are told apart by what names them, before the names themselves are known.
using NameKey = std::array<QVariant, 3>;

QString extents(const QList<QVariant> &values, Column first)
{
    QStringList parts;
    for (int i = first; i < first + 3; ++i) {
        const auto extent = wholeNumber(values[i]);
        if (!extent || *extent < 1 || *extent > std::numeric_limits<qint32>::max())
            return {};
        parts.append(QString::number(*extent));
    }
    return parts.join(u',');
}

std::optional<qint64> sharedBytes(const QList<QVariant> &values)
{
    const auto fixed = wholeNumber(values[StaticShared]), dynamic = wholeNumber(values[DynamicShared]);
    constexpr qint64 most = std::numeric_limits<qint32>::max();
    if (!fixed || !dynamic || *fixed < 0 || *dynamic < 0 || *fixed > most || *dynamic > most)
        return std::nullopt;
    return *fixed + *dynamic;
}

NsysLaunch launchOf(const QList<QVariant> &values, SharedTexts &texts)
{
    NsysLaunch launch;
    launch.startNs = wholeNumber(values[Start]);
    launch.endNs = wholeNumber(values[End]);
    launch.process = wholeNumber(values[Process]).value_or(0);
    launch.correlation = wholeNumber(values[Correlation]).value_or(0);
    launch.device = wholeNumber(values[Device]).value_or(0);
    // Zero for both means that CUPTI could not take them.
    if (launch.startNs && launch.endNs && *launch.startNs >= 0 && *launch.endNs > *launch.startNs)
        launch.record.durationUs = static_cast<double>(*launch.endNs - *launch.startNs) / 1000;
    launch.record.gridSize = texts.of(extents(values, GridX));
    launch.record.blockSize = texts.of(extents(values, BlockX));
    const auto registers = wholeNumber(values[Registers]);
    if (registers && *registers > 0 && *registers <= std::numeric_limits<quint16>::max())
        launch.record.registersPerThread = static_cast<int>(*registers);
    launch.record.sharedMemBytes = sharedBytes(values);
    return launch;
}

// Kernels' names by what the kernel table has in their place: the id of a string, or the text itself.
class KernelNames
{
public:
    // The number under which `launch` finds its name later.
    int keyOf(const QList<QVariant> &values)
    {
        QString key;
        for (const Column column : {Demangled, Mangled, Short})
            key += values[column].toString() + u'\n';
        const auto known = m_numbers.constFind(key);
        if (known != m_numbers.constEnd())
            return *known;
        m_keys.append({values[Demangled], values[Mangled], values[Short]});
        for (const QVariant &value : m_keys.last()) {
            if (const auto id = wholeNumber(value))
                m_wanted.insert(*id);
        }
        return *m_numbers.insert(key, static_cast<int>(m_keys.size()) - 1);
    }

    bool readStrings(ForeignDatabase &database, const Cancelled &cancelled)
    {
        return database.read(stringTable, {QStringLiteral("id"), QStringLiteral("value")}, [&](const auto &values) {
            const auto id = wholeNumber(values[0]);
            if (id && m_wanted.contains(*id) && values[1].typeId() == QMetaType::QString)
                m_strings.insert(*id, values[1].toString());
            return !(cancelled && cancelled());
        });
    }

    QStringList names() const
    {
        QStringList names;
        for (const NameKey &key : m_keys)
            names.append(nameOf(key));
        return names;
    }

private:
    QString textOf(const QVariant &value) const
    {
        const auto id = wholeNumber(value);
        return withoutPaths(id ? m_strings.value(*id) : value.toString());
    }

    QString nameOf(const NameKey &key) const
    {
        for (const QVariant &value : key) {
            if (const QString name = demangled(textOf(value)); !name.isEmpty())
                return name;
        }
        for (const QVariant &value : key) {
            if (const auto id = wholeNumber(value); id && *id > 0)
                return QStringLiteral("kernel-%1").arg(*id);
        }
        return QStringLiteral("unnamed-kernel");
    }

    QHash<QString, int> m_numbers;
    QList<NameKey> m_keys;
    QSet<qint64> m_wanted;
    QHash<qint64, QString> m_strings;
};

void sayMissingColumns(const ForeignDatabase &database, ForeignFile &file)
{
    for (const Cost &cost : costs) {
        const QStringList group = columns.mid(cost.first, cost.last - cost.first + 1);
        if (const QStringList missing = database.missingColumns(kernelTable, group); !missing.isEmpty())
            file.leftOut.append(QStringLiteral("%1 has no %2: %3.")
                                    .arg(kernelTable, missing.join(QStringLiteral(", ")), QLatin1String(cost.text)));
    }
    if (!database.hasTable(stringTable))
        file.leftOut.append(QStringLiteral("%1 is missing: kernels are named by their numbers.").arg(stringTable));
    if (database.missingColumns(kernelTable, columns.mid(Demangled, 3)).size() == 3)
        file.leftOut.append(
            QStringLiteral("%1 has no column with names: all kernels stand together.").arg(kernelTable));
}

// Why there are no kernels in the tables that are there, and what to do.
QString noKernels(const ForeignDatabase &database)
{
    if (database.hasTable(QStringLiteral("CUPTI_ACTIVITY_KIND_GRAPH_TRACE")))
        return QStringLiteral("The report records CUDA graphs as a whole and no kernels: profile with "
                              "`nsys profile --cuda-graph-trace=node`.");
    return QStringLiteral("The report holds no kernels (no table %1): profile with `nsys profile --trace=cuda` a "
                          "program that runs some.")
        .arg(kernelTable);
}

bool checkTables(const ForeignDatabase &database, ForeignFile &file)
{
    const bool isNsys = database.hasTable(kernelTable) || database.hasTable(stringTable) ||
                        database.hasTable(QStringLiteral("META_DATA_EXPORT")) ||
                        database.hasTable(QStringLiteral("EXPORT_META_DATA"));
    if (!database.problem().isEmpty())
        file.error = database.problem();
    else if (database.hasTable(QStringLiteral("StringTable")))
        file.error = QStringLiteral("This is a database of nvprof, which is not read: profile with nsys and export "
                                    "its report with `nsys export --type sqlite`.");
    else if (!isNsys)
        file.error = QStringLiteral("The SQLite database is no export of Nsight Systems: it has none of its tables.");
    else if (!database.hasTable(kernelTable))
        file.error = noKernels(database);
    else if (const auto missing = database.missingColumns(kernelTable, columns.first(2)); !missing.isEmpty())
        file.error = QStringLiteral("%1 has no column %2: there are no durations to read.")
                         .arg(kernelTable, missing.join(QStringLiteral(" and no ")));
    return file.error.isEmpty();
}

} // namespace

QList<NsysLaunch> readNsysLaunches(ForeignDatabase &database, ForeignFile &file, const Cancelled &cancelled)
{
    QList<NsysLaunch> launches;
    if (!checkTables(database, file))
        return launches;
    sayMissingColumns(database, file);
    KernelNames kernels;
    SharedTexts texts;
    QList<int> keys;
    const bool isWhole = database.read(kernelTable, columns, [&](const QList<QVariant> &values) {
        launches.append(launchOf(values, texts));
        keys.append(kernels.keyOf(values));
        return launches.size() < mostLaunches && !(cancelled && cancelled());
    });
    if (database.isCutShort())
        file.problems.append(
            {{}, {}, QStringLiteral("The database is cut short: what stood at its end is lost."), true});
    if (launches.size() == mostLaunches)
        file.leftOut.append(QStringLiteral("Launches behind the first %1 are not read.").arg(mostLaunches));
    const bool hasNames = !database.hasTable(stringTable) || kernels.readStrings(database, cancelled);
    if (!isWhole || !hasNames)
        file.problems.append({{}, {}, database.problem(), true});
    const QStringList names = kernels.names();
    for (qsizetype i = 0; i < launches.size(); ++i)
        launches[i].record.kernelName = names[keys[i]];
    std::ranges::stable_sort(launches, {}, [](const NsysLaunch &launch) { return launch.startNs.value_or(0); });
    if (launches.isEmpty())
        file.error = isWhole ? QStringLiteral("The report's table %1 is empty: it holds no kernels.").arg(kernelTable)
                             : database.problem();
    return launches;
}

} // namespace stagecraft::import
