// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foreignfile.h"

#include <functional>
#include <QHash>
#include <QVariant>

namespace stagecraft::import {

// A foreign SQLite database, opened read-only. Only what is stored in tables is ever read: views, virtual tables and
// computed columns of an untrusted file could run for ever. Of one thread.
class ForeignDatabase
{
public:
    explicit ForeignDatabase(const QString &path);
    ~ForeignDatabase();
    ForeignDatabase(const ForeignDatabase &) = delete;
    ForeignDatabase &operator=(const ForeignDatabase &) = delete;

    QString problem() const { return m_problem; } // why nothing can be read, or reading ended early; a sentence

    // Whether the file is shorter than it says it was: SQLite reads what is lost at its end as if nothing had been
    // there.
    bool isCutShort() const { return m_isCutShort; }

    bool hasTable(const QString &table) const { return m_columns.contains(table); }
    bool hasColumn(const QString &table, const QString &column) const
    {
        return m_columns.value(table).contains(column);
    }

    // Those of `columns` that the table lacks.
    QStringList missingColumns(const QString &table, const QStringList &columns) const;

    // Calls visit(values) for each row, with an invalid QVariant for each column that the table lacks, until it
    // returns false. Texts are cut at `longestText` characters. False with problem() set where the table cannot be
    // read to its end.
    static constexpr int longestText = 256 * 1024;
    bool read(const QString &table, const QStringList &columns,
              const std::function<bool(const QList<QVariant> &)> &visit);

private:
    void probe();
    void fail(const QString &what);

    QString m_connection, m_problem;
    bool m_isCutShort = false;
    QHash<QString, QStringList> m_columns; // by table
};

// A stored whole number; nullopt for NULL, text, fractions and blobs.
std::optional<qint64> wholeNumber(const QVariant &value);

} // namespace stagecraft::import
