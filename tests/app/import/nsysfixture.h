// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

// Exports of Nsight Systems as its schema versions lay them out, made here: with a host name, a user name and paths
// where the tool writes them.
namespace fixtures {

inline const QStringList secrets{QStringLiteral("secrethost"), QStringLiteral("adalovelace"), QStringLiteral("/home/"),
                                 QStringLiteral("/opt/vault")};

class NsysExport
{
public:
    explicit NsysExport(const QString &path) : m_name(QStringLiteral("fixture ") + path)
    {
        QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", m_name);
        database.setDatabaseName(path);
        if (!database.open())
            qFatal("%s", qPrintable(database.lastError().text()));
        sql("PRAGMA synchronous = OFF");
        database.transaction();
    }
    ~NsysExport()
    {
        QSqlDatabase::database(m_name).commit();
        QSqlDatabase::database(m_name).close();
        QSqlDatabase::removeDatabase(m_name);
    }
    NsysExport(const NsysExport &) = delete;
    NsysExport &operator=(const NsysExport &) = delete;

    void sql(const QString &statement, const QVariantList &values = {})
    {
        QSqlQuery query(QSqlDatabase::database(m_name));
        query.prepare(statement);
        for (const QVariant &value : values)
            query.addBindValue(value);
        if (!query.exec())
            qFatal("%s: %s", qPrintable(statement), qPrintable(query.lastError().text()));
    }

    // The tables of a whole export, by schema version; without kernels.
    void schema(const QString &version)
    {
        const bool isOld = version.startsWith("2."), isNew = version.section('.', 1, 1).toInt() >= 15 && !isOld;
        const QString meta = isNew ? "META_DATA_EXPORT" : "EXPORT_META_DATA";
        sql("CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL)");
        sql("CREATE TABLE " + meta + " (name TEXT, value TEXT)");
        sql("INSERT INTO " + meta + " VALUES ('EXPORT_SCHEMA_VERSION', ?), ('EXPORT_COMMAND', ?)",
            {version, "nsys export /home/adalovelace/report.nsys-rep"});
        sql("CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, devStateName TEXT, name TEXT, value TEXT)");
        sql("INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES (1, '', 'Hostname', 'secrethost')");
        sql("CREATE TABLE ProcessStreams (globalPid INTEGER, filenameId INTEGER, contentId INTEGER)");
        sql("CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT)");
        sql("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1767225600000000000, '', '')"); // 2026-01-01
        if (isOld) {
            sql("CREATE TABLE TARGET_INFO_CUDA_GPU (deviceId INTEGER, name TEXT, computeCapabilityMajor INTEGER)");
            sql("INSERT INTO TARGET_INFO_CUDA_GPU VALUES (0, 'NVIDIA GeForce RTX 4090', 8)");
        } else {
            sql("CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, busLocation TEXT, smCount INTEGER)");
            sql("INSERT INTO TARGET_INFO_GPU VALUES (3, 'Display GPU', '', 1), (7, 'NVIDIA GeForce RTX 4090', '', "
                "128)");
            sql("CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER)");
            sql("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (7, 0, 4711)");
        }
        QString columns = "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
                          "correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER, "
                          "registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, "
                          "blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, "
                          "localMemoryPerThread INTEGER, sharedMemoryExecuted INTEGER";
        if (!isOld)
            columns += ", mangledName INTEGER, graphNodeId INTEGER";
        if (isNew)
            columns += ", graphId INTEGER, launchType INTEGER, greenContextId INTEGER";
        sql("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (" + columns + ")");
        string(900, "/opt/vault/data.bin");
        string(901, "adalovelace");
    }

    void string(qint64 id, const QString &text) { sql("INSERT INTO StringIds VALUES (?, ?)", {id, text}); }

    // Of `us` microseconds, from `atUs` on.
    void kernel(const QVariant &name, double atUs, double us, qint64 correlation = 0, qint64 device = 0)
    {
        const auto start = static_cast<qint64>(atUs * 1000);
        sql("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, correlationId, globalPid, demangledName, "
            "shortName, registersPerThread, gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory, "
            "dynamicSharedMemory) VALUES (?, ?, ?, ?, ?, ?, ?, 40, 128, 2, 1, 256, 1, 1, 1024, 512)",
            {start, start + static_cast<qint64>(us * 1000), device, correlation, process, name, name});
    }

    static constexpr qint64 process = qint64{4711} << 24;

private:
    QString m_name;
};

// Two kernels: fill five times, 1 to 5 µs (mean 3), and reduce twice, 10 and 20 µs (mean 15).
inline void addTwoKernels(NsysExport &nsys)
{
    nsys.string(1, "void ns::fill<float, 4>(T1 *, int)");
    nsys.string(2, "reduce(const float *, float *)");
    for (int i = 0; i < 5; ++i)
        nsys.kernel(1, 100.0 * i, i + 1);
    nsys.kernel(2, 1000, 10);
    nsys.kernel(2, 1100, 20);
}

} // namespace fixtures
