// SPDX-License-Identifier: GPL-3.0-or-later
#include "externalprogrammodel.h"

#include "commandtext.h"
#include "themedicon.h"
#include "workercommand.h"

#include <algorithm>
#include <QDir>
#include <QFileInfo>
#include <QMimeData>
#include <QProcess>
#include <QRegularExpression>
#include <QUrl>

namespace stagecraft::window {

namespace {

constexpr int longestName = 64;

QStringList droppedFiles(const QMimeData *data)
{
    QStringList files;
    for (const QUrl &url : data->urls()) {
        if (url.isLocalFile() && QFileInfo(url.toLocalFile()).isFile())
            files.append(url.toLocalFile());
    }
    return files;
}

} // namespace

void ExternalProgramModel::setPrograms(const QList<run::ExternalProgram> &programs)
{
    beginResetModel();
    m_programs = programs;
    endResetModel();
    emit programsChanged();
}

void ExternalProgramModel::setPrefix(const QStringList &prefix)
{
    m_prefix = prefix;
    emitAllChanged();
}

QString ExternalProgramModel::freeName(const QString &path) const
{
    static const QRegularExpression other(QStringLiteral("[^a-z0-9_-]+"));
    QString stem = QFileInfo(path).completeBaseName().toLower().replace(other, QStringLiteral("-"));
    stem = stem.left(longestName - 4);
    if (!run::externalProblem({stem, path, {}}).isEmpty())
        stem = QStringLiteral("program");
    QString name = stem;
    for (int number = 2; run::findExternal({{}, {}, m_programs}, name); ++number)
        name = QStringLiteral("%1-%2").arg(stem).arg(number);
    return name;
}

int ExternalProgramModel::addProgram(const QString &path)
{
    const int row = rowCount();
    beginInsertRows({}, row, row);
    m_programs.append({freeName(path), path, {}});
    endInsertRows();
    emit programsChanged();
    return row;
}

QString ExternalProgramModel::problem(int row) const
{
    const run::ExternalProgram &program = m_programs.at(row);
    if (const QString problem = run::externalProblem(program); !problem.isEmpty())
        return problem;
    return run::setupProblem({{}, {}, m_programs.first(row + 1)});
}

QString ExternalProgramModel::hint(int row) const
{
    if (!problem(row).isEmpty())
        return {};
    const run::WorkerSetup setup{m_prefix, {}, {m_programs.at(row)}};
    const run::WorkerCommand command = run::workerCommand(run::workerOf(setup, m_programs.at(row).name), setup);
    return command.problem.isEmpty() ? QString() : tr("%1: %2").arg(command.problem, command.fix);
}

int ExternalProgramModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_programs.size());
}

int ExternalProgramModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ExternalProgramModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const run::ExternalProgram &program = m_programs.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        if (index.column() == NameColumn)
            return program.name;
        return index.column() == ProgramColumn ? QDir::toNativeSeparators(program.program)
                                               : commandText(program.arguments);
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole: {
        const QString problem = this->problem(index.row());
        if (!problem.isEmpty())
            return problem;
        const QString hint = this->hint(index.row());
        return hint.isEmpty() ? data(index, Qt::DisplayRole) : hint;
    }
    case Qt::DecorationRole:
        if (index.column() != NameColumn)
            return {};
        if (!problem(index.row()).isEmpty())
            return themedIcon(QStringLiteral("error"), QPalette::Text);
        return hint(index.row()).isEmpty() ? QVariant() : themedIcon(QStringLiteral("warning"), QPalette::Text);
    default:
        return {};
    }
}

QVariant ExternalProgramModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    static const QStringList titles{tr("Name"), tr("Program"), tr("Arguments")};
    static const QStringList toolTips{
        tr("What the implementation is called: a-z, 0-9, - and _. The program writes NAME-output.bin"),
        tr("The file that is started, or a command on the PATH"), tr("What stands before the input directory")};
    if (role == Qt::DisplayRole)
        return titles.value(section);
    return role == Qt::ToolTipRole ? toolTips.value(section) : QVariant();
}

bool ExternalProgramModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid() || role != Qt::EditRole)
        return false;
    run::ExternalProgram &program = m_programs[index.row()];
    const QString text = value.toString().trimmed();
    switch (index.column()) {
    case NameColumn:
        program.name = text;
        break;
    case ProgramColumn:
        program.program = QDir::fromNativeSeparators(text);
        break;
    default:
        program.arguments = QProcess::splitCommand(text);
        break;
    }
    emitAllChanged();
    emit programsChanged();
    return true;
}

void ExternalProgramModel::emitAllChanged()
{
    if (!m_programs.isEmpty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

bool ExternalProgramModel::removeRows(int row, int count, const QModelIndex &parent)
{
    if (parent.isValid() || row < 0 || count < 1 || row + count > rowCount())
        return false;
    beginRemoveRows({}, row, row + count - 1);
    m_programs.remove(row, count);
    endRemoveRows();
    emitAllChanged();
    emit programsChanged();
    return true;
}

Qt::ItemFlags ExternalProgramModel::flags(const QModelIndex &index) const
{
    // A drop lands on the table, not on a row: it adds.
    return index.isValid() ? QAbstractTableModel::flags(index) | Qt::ItemIsEditable : Qt::ItemIsDropEnabled;
}

QStringList ExternalProgramModel::mimeTypes() const
{
    return {QStringLiteral("text/uri-list")};
}

Qt::DropActions ExternalProgramModel::supportedDropActions() const
{
    return Qt::CopyAction | Qt::LinkAction;
}

bool ExternalProgramModel::canDropMimeData(const QMimeData *data, Qt::DropAction, int, int, const QModelIndex &) const
{
    return !droppedFiles(data).isEmpty();
}

bool ExternalProgramModel::dropMimeData(const QMimeData *data, Qt::DropAction action, int, int, const QModelIndex &)
{
    if (action == Qt::IgnoreAction)
        return true;
    const QStringList files = droppedFiles(data);
    for (const QString &file : files)
        addProgram(file);
    return !files.isEmpty();
}

} // namespace stagecraft::window
