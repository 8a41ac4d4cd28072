// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagetreemodel.h"

#include "catalogue.h"

#include <QDir>

namespace stagecraft::window {

namespace {
constexpr quintptr operationLevel = 0; // an entry's internal id is its operation's row + 1
}

StageTreeModel::StageTreeModel(QObject *parent) : QAbstractItemModel(parent)
{
    m_operations = operationsOf({});
}

QList<StageTreeModel::Operation> StageTreeModel::operationsOf(const run::StageCatalogue &catalogue)
{
    QList<Operation> operations;
    for (const operations::Operation &known : operations::catalogue()) {
        Operation operation{QString::fromStdString(known.id), QString::fromStdString(known.title), {}};
        for (const run::CatalogueStage &stage : catalogue.of(operation.id))
            operation.entries.append({stage.id(), QString::fromStdString(stage.stage.title), stage.path, QString(),
                                      stage.own, stage.stage.status == stagefile::Status::Attempt});
        for (const run::StageProblem &problem : catalogue.problems) {
            if (problem.operation == operation.id)
                operation.entries.append({problem.id, QString(), problem.path, problem.text, true, false});
        }
        operations.append(operation);
    }
    return operations;
}

void StageTreeModel::setCatalogue(const run::StageCatalogue &catalogue)
{
    const QList<Operation> operations = operationsOf(catalogue);
    if (operations == m_operations)
        return;
    beginResetModel();
    m_operations = operations;
    endResetModel();
}

void StageTreeModel::setMark(const QString &operation, const QString &id, const StageMark &mark)
{
    StageMark &known = m_marks[operation + QLatin1Char('/') + id];
    if (known == mark)
        return;
    known = mark;
    const QModelIndex row = find(operation, id);
    if (row.isValid())
        emit dataChanged(row, row.siblingAtColumn(ResultColumn));
}

StageMark StageTreeModel::mark(const QString &operation, const QString &id) const
{
    return m_marks.value(operation + QLatin1Char('/') + id);
}

QModelIndex StageTreeModel::find(const QString &operation, const QString &id) const
{
    const auto parent = std::ranges::find(m_operations, operation, &Operation::id);
    if (parent == m_operations.end())
        return {};
    const auto entry = std::ranges::find(parent->entries, id, &Entry::id);
    if (entry == parent->entries.end())
        return {};
    return index(static_cast<int>(entry - parent->entries.begin()), 0,
                 index(static_cast<int>(parent - m_operations.begin()), 0));
}

QModelIndex StageTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : operationLevel);
}

QModelIndex StageTreeModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || child.internalId() == operationLevel)
        return {};
    return createIndex(static_cast<int>(child.internalId()) - 1, 0, operationLevel);
}

int StageTreeModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_operations.size());
    if (parent.internalId() != operationLevel || parent.column() != 0)
        return 0;
    return static_cast<int>(m_operations.at(parent.row()).entries.size());
}

int StageTreeModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QVariant StageTreeModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (index.internalId() != operationLevel) {
        const Operation &operation = m_operations.at(static_cast<int>(index.internalId()) - 1);
        return entryData(operation, operation.entries.at(index.row()), index.column(), role);
    }
    const Operation &operation = m_operations.at(index.row());
    if (role == OperationRole)
        return operation.id;
    if (index.column() == NameColumn && (role == Qt::DisplayRole || role == Qt::AccessibleTextRole))
        return operation.title;
    return {};
}

QVariant StageTreeModel::entryData(const Operation &operation, const Entry &entry, int column, int role) const
{
    const StageMark mark = m_marks.value(operation.id + QLatin1Char('/') + entry.id);
    const QString result = entry.problem.isEmpty() ? mark.text : tr("not a stage");
    switch (role) {
    case Qt::DisplayRole:
        return column == NameColumn ? entry.id : result;
    case Qt::ToolTipRole:
        return toolTip(operation, entry);
    case Qt::AccessibleTextRole:
        return column == NameColumn ? tr("%1, %2 %3")
                                          .arg(entry.id, entry.own ? tr("own stage") : tr("bundled stage"),
                                               entry.attempt ? tr("attempt") : QString())
                                          .trimmed()
                                    : result;
    case MutedRole:
        return column == ResultColumn;
    case KindRole:
        return entry.problem.isEmpty() ? mark.kind : StageMark::Bad;
    case OperationRole:
        return operation.id;
    case IdRole:
        return entry.id;
    case PathRole:
        return entry.path;
    case OwnRole:
        return entry.own;
    case AttemptRole:
        return entry.attempt;
    case ProblemRole:
        return entry.problem;
    default:
        return {};
    }
}

QString StageTreeModel::toolTip(const Operation &operation, const Entry &entry) const
{
    if (!entry.problem.isEmpty())
        return entry.problem;
    QStringList lines{QStringLiteral("%1/%2: %3").arg(operation.id, entry.id, entry.title)};
    if (entry.attempt)
        lines.append(tr("An attempt: measured, not part of the progression"));
    if (entry.own)
        lines.append(QDir::toNativeSeparators(entry.path));
    const StageMark mark = m_marks.value(operation.id + QLatin1Char('/') + entry.id);
    if (!mark.toolTip.isEmpty())
        lines.append(mark.toolTip);
    return lines.join(QLatin1Char('\n'));
}

QVariant StageTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? tr("Stage") : tr("Result");
}

Qt::ItemFlags StageTreeModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const Qt::ItemFlags base = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
    return index.internalId() == operationLevel ? base : base | Qt::ItemNeverHasChildren;
}

} // namespace stagecraft::window
