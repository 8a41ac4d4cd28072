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
#include <QStandardPaths>
#include <QUrl>

namespace stagecraft::window {

namespace {

constexpr int longestName = 64;

// In the words of the table; a command's own speak of its options.
QString advice(const QString &program)
{
    if (QFileInfo(program).isFile())
        return ExternalProgramModel::tr("make it executable (chmod +x), or name what starts it, such as python3, and "
                                        "put this file into the column Arguments");
    if (program.contains(QLatin1Char(' ')))
        return ExternalProgramModel::tr("the column Program takes the program alone; arguments go into the column "
                                        "Arguments");
    return ExternalProgramModel::tr("choose its file (Browse…), or name a command that is on the PATH");
}

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
    m_new = path.isEmpty() ? QPersistentModelIndex(index(row, NameColumn)) : QPersistentModelIndex();
    emit programsChanged();
    return row;
}

bool ExternalProgramModel::isNew(int row) const
{
    return m_new.isValid() && m_new.row() == row;
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
    const run::ExternalProgram &external = m_programs.at(row);
    const run::WorkerSetup setup{m_prefix, {}, {external}};
    const run::WorkerCommand command = run::workerCommand(run::workerOf(setup, external.name), setup);
    if (command.problem.isEmpty())
        return {};
    const bool isOfProgram = command.problem.contains(external.program); // else of the worker that starts it
    return tr("%1. What to do: %2").arg(command.problem, isOfProgram ? advice(external.program) : command.fix);
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
        if (!problem.isEmpty() && !isNew(index.row()))
            return problem;
        const QString hint = this->hint(index.row());
        return hint.isEmpty() ? data(index, Qt::DisplayRole) : hint;
    }
    case Qt::DecorationRole:
        if (index.column() != NameColumn || isNew(index.row()))
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

// A file here is kept in full: the program may be started in another folder next time. A name alone is a command's
// where there is one, and what stands at the other end of a prefix is as it is.
QString ExternalProgramModel::chosenProgram(const QString &text) const
{
    const QString path = run::expandedHome(text);
    const bool isCommand = !path.contains(QLatin1Char('/')) &&
                           (!QFileInfo(path).isFile() || !QStandardPaths::findExecutable(path).isEmpty());
    return path.isEmpty() || isCommand || !m_prefix.isEmpty() ? text : QFileInfo(path).absoluteFilePath();
}

bool ExternalProgramModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid() || role != Qt::EditRole)
        return false;
    if (isNew(index.row()))
        m_new = QPersistentModelIndex();
    run::ExternalProgram &program = m_programs[index.row()];
    const QString text = value.toString().trimmed();
    switch (index.column()) {
    case NameColumn:
        program.name = text;
        break;
    case ProgramColumn:
        program.program = chosenProgram(QDir::fromNativeSeparators(text));
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
