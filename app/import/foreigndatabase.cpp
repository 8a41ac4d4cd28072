// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreigndatabase.h"

#include "privacy.h"

#include <QFile>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QtEndian>

#include <atomic>

namespace stagecraft::import {

namespace {

QString quoted(const QString &identifier)
{
    QString text = identifier;
    return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

// Connections belong to their thread, by name.
QString newConnectionName()
{
    static std::atomic<int> number = 0;
    return QStringLiteral("stagecraft-import-%1").arg(++number);
}

// By the header of SQLite's file format: the size of a page at byte 16 (1 for 64 KiB), the number of pages at byte 28,
// which counts where bytes 24 and 92 agree.
bool isShorterThanItSays(const QString &path)
{
    QFile file(path);
    const QByteArray header = file.open(QIODevice::ReadOnly) ? file.read(100) : QByteArray();
    if (header.size() < 100)
        return true;
    const auto number = [&header](qsizetype at) { return qFromBigEndian<quint32>(header.constData() + at); };
    const qint64 page = qFromBigEndian<quint16>(header.constData() + 16);
    return number(24) == number(92) && file.size() < (page == 1 ? 65536 : page) * qint64{number(28)};
}

} // namespace

ForeignDatabase::ForeignDatabase(const QString &path)
    : m_connection(newConnectionName()), m_isCutShort(isShorterThanItSays(path))
{
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
    if (!database.isValid()) {
        m_problem = QStringLiteral("Qt's SQLite driver is missing (the plugin sqldrivers/qsqlite).");
        return;
    }
    database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
    database.setDatabaseName(path);
    if (!database.open())
        fail(QStringLiteral("The database cannot be opened: %1.").arg(database.lastError().text().trimmed()));
    else
        probe();
}

ForeignDatabase::~ForeignDatabase()
{
    QSqlDatabase::removeDatabase(m_connection);
}

void ForeignDatabase::fail(const QString &what)
{
    if (m_problem.isEmpty())
        m_problem = publicCause(what);
}

void ForeignDatabase::probe()
{
    QStringList tables;
    {
        QSqlQuery query(QSqlDatabase::database(m_connection));
        query.setForwardOnly(true);
        query.exec(QStringLiteral("PRAGMA trusted_schema = OFF")); // unknown to SQLite before 3.31, which ignores it
        // So SQLite itself writes it down for every real table, whatever the author typed. Anything else (a view or a
        // virtual table under a forged type, with a comment between the words) is none. PRAGMA table_list would tell,
        // too, but it connects virtual tables to do so.
        if (!query.exec(QStringLiteral("SELECT name FROM sqlite_master WHERE type = 'table' AND "
                                       "sql LIKE 'CREATE TABLE %'"))) {
            fail(QStringLiteral("The file is no sound SQLite database: %1.").arg(query.lastError().text().trimmed()));
            return;
        }
        while (query.next())
            tables.append(query.value(0).toString());
        if (query.lastError().isValid())
            fail(QStringLiteral("The list of tables is damaged: %1.").arg(query.lastError().text().trimmed()));
    }
    for (const QString &table : std::as_const(tables)) {
        QSqlQuery query(QSqlDatabase::database(m_connection));
        // Leaves computed columns out, which the file's author could make as large as he likes.
        if (!query.exec(QStringLiteral("PRAGMA table_info(%1)").arg(quoted(table))))
            continue;
        QStringList &columns = m_columns[table];
        while (query.next())
            columns.append(query.value(1).toString());
    }
}

QStringList ForeignDatabase::missingColumns(const QString &table, const QStringList &columns) const
{
    QStringList missing;
    for (const QString &column : columns) {
        if (!hasColumn(table, column))
            missing.append(column);
    }
    return missing;
}

bool ForeignDatabase::read(const QString &table, const QStringList &columns,
                           const std::function<bool(const QList<QVariant> &)> &visit)
{
    QStringList terms;
    for (const QString &column : columns) {
        const QString name = quoted(column);
        terms.append(hasColumn(table, column)
                         ? QStringLiteral("CASE WHEN typeof(%1) IN ('text', 'blob') THEN substr(%1, 1, %2) ELSE %1 END")
                               .arg(name)
                               .arg(longestText)
                         : QStringLiteral("NULL"));
    }
    QSqlQuery query(QSqlDatabase::database(m_connection));
    query.setForwardOnly(true);
    if (!query.exec(QStringLiteral("SELECT %1 FROM %2").arg(terms.join(QStringLiteral(", ")), quoted(table)))) {
        fail(QStringLiteral("%1 cannot be read: %2.").arg(table, query.lastError().text().trimmed()));
        return false;
    }
    QList<QVariant> values(columns.size());
    while (query.next()) {
        for (int i = 0; i < values.size(); ++i)
            values[i] = query.isNull(i) ? QVariant() : query.value(i);
        if (!visit(values))
            return true;
    }
    if (!query.lastError().isValid())
        return true;
    fail(QStringLiteral("%1 cannot be read to its end: %2.").arg(table, query.lastError().text().trimmed()));
    return false;
}

std::optional<qint64> wholeNumber(const QVariant &value)
{
    const int type = value.typeId();
    return type == QMetaType::LongLong || type == QMetaType::Int ? std::optional(value.toLongLong()) : std::nullopt;
}

} // namespace stagecraft::import
