// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workersetup.h"

#include <QAbstractTableModel>

namespace stagecraft::window {

// The user's external programs as a table that is edited in place. Files that are dropped on it become programs.
class ExternalProgramModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column
    {
        NameColumn,
        ProgramColumn,
        ArgumentsColumn,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setPrograms(const QList<run::ExternalProgram> &programs);
    const QList<run::ExternalProgram> &programs() const { return m_programs; }
    void setPrefix(const QStringList &prefix); // of the workers: a program at the other end is not looked for here

    int addProgram(const QString &path); // under a name that is free, made of the file's; returns its row

    bool isNew(int row) const;      // added without a file and not edited yet: nobody needs to hear what it lacks
    QString problem(int row) const; // why it cannot be one; empty: it can
    QString hint(int row) const;    // why it could not be started now, and what to do

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    bool removeRows(int row, int count, const QModelIndex &parent = {}) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QStringList mimeTypes() const override;
    Qt::DropActions supportedDropActions() const override;
    bool canDropMimeData(const QMimeData *data, Qt::DropAction action, int row, int column,
                         const QModelIndex &parent) const override;
    bool dropMimeData(const QMimeData *data, Qt::DropAction action, int row, int column,
                      const QModelIndex &parent) override;

signals:
    void programsChanged();

private:
    QString chosenProgram(const QString &text) const;
    QString freeName(const QString &path) const;
    void emitAllChanged(); // a name concerns those of the same name

    QList<run::ExternalProgram> m_programs;
    QStringList m_prefix;
    QPersistentModelIndex m_new;
};

} // namespace stagecraft::window
