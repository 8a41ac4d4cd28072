// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stagecatalogue.h"

#include <QAbstractItemModel>
#include <QHash>

namespace stagecraft::window {

// How a stage stands, for the tree: a mark and a few words.
struct StageMark
{
    enum Kind
    {
        None,
        Busy,
        Good,
        Attention,
        Bad
    };
    Kind kind = None;
    QString text;    // "80.00 µs · 1.77×", "compile error"
    QString toolTip; // the whole of it
    bool operator==(const StageMark &) const = default;
};

// Operations, below each its stages in the order of the progression, and the files that are no valid stage.
class StageTreeModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column
    {
        NameColumn,
        ResultColumn,
        ColumnCount
    };
    enum Role
    {
        MutedRole = Qt::UserRole + 1,
        KindRole, // StageMark::Kind
        OperationRole,
        IdRole,
        PathRole,
        OwnRole,
        AttemptRole,
        ProblemRole // why the file is no valid stage; empty for a stage
    };

    explicit StageTreeModel(QObject *parent = nullptr);

    void setCatalogue(const run::StageCatalogue &catalogue);
    void setMark(const QString &operation, const QString &id, const StageMark &mark);
    StageMark mark(const QString &operation, const QString &id) const;

    QModelIndex find(const QString &operation, const QString &id) const; // invalid where there is none

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    struct Entry
    {
        QString id, title, path, problem;
        bool own = false, attempt = false;
        bool operator==(const Entry &) const = default;
    };
    struct Operation
    {
        QString id, title;
        QList<Entry> entries;
        bool operator==(const Operation &) const = default;
    };
    static QList<Operation> operationsOf(const run::StageCatalogue &catalogue);
    QVariant entryData(const Operation &operation, const Entry &entry, int column, int role) const;
    QString toolTip(const Operation &operation, const Entry &entry) const;

    QList<Operation> m_operations;
    QHash<QString, StageMark> m_marks; // by "OP/ID"
};

} // namespace stagecraft::window
