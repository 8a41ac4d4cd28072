// SPDX-License-Identifier: GPL-3.0-or-later
#include "planmodel.h"

namespace stagecraft::window {

namespace {

// Internal ids: 0 for an operation, its row + 1 for what stands below it, the same with this bit for single stages.
constexpr quintptr operationId = 0, stageBit = 1 << 16;

const QString cudaId = QStringLiteral("cuda");

} // namespace

QString PlanModel::dimNames(const operations::Operation &operation)
{
    QStringList names;
    for (const std::string &name : operation.dimNames)
        names.append(QString::fromStdString(name));
    return names.join(QStringLiteral(" × "));
}

PlanModel::PlanModel(QObject *parent) : QAbstractItemModel(parent)
{
    for (const operations::Operation &operation : operations::catalogue()) {
        OperationNode node;
        node.operation = &operation;
        node.dims = operation.defaultDims;
        m_operations.append(node);
    }
}

const PlanModel::ImplementationNode *PlanModel::OperationNode::cuda() const
{
    const auto found =
        std::ranges::find_if(implementations, [](const ImplementationNode &node) { return node.status.id == cudaId; });
    return found == implementations.end() ? nullptr : &*found;
}

int PlanModel::OperationNode::stagesRow() const
{
    const ImplementationNode *node = cuda();
    return node && !stages.isEmpty() ? static_cast<int>(node - implementations.constData()) + 1 : -1;
}

const PlanModel::ImplementationNode &PlanModel::OperationNode::implementationAt(int row) const
{
    const int skipped = stagesRow();
    return implementations.at(skipped >= 0 && row > skipped ? row - 1 : row);
}

PlanModel::Level PlanModel::levelOf(const QModelIndex &index)
{
    if (index.internalId() == operationId)
        return Level::Operation;
    return index.internalId() & stageBit ? Level::Stage : Level::Child;
}

int PlanModel::operationRow(const QModelIndex &index)
{
    return levelOf(index) == Level::Operation ? index.row() : static_cast<int>(index.internalId() & ~stageBit) - 1;
}

void PlanModel::rebuildChildren(int row, const std::function<void(OperationNode &)> &change)
{
    OperationNode &node = m_operations[row];
    const QModelIndex parent = index(row, 0);
    if (node.childCount() > 0) {
        beginRemoveRows(parent, 0, node.childCount() - 1);
        const QList<StageNode> stages = std::exchange(node.stages, {});
        node.implementations.clear();
        endRemoveRows();
        node.stages = stages;
    }
    OperationNode changed = node;
    change(changed);
    if (changed.childCount() > 0) {
        beginInsertRows(parent, 0, changed.childCount() - 1);
        node = changed;
        endInsertRows();
    } else {
        node = changed;
    }
}

void PlanModel::setAvailability(const Availability &availability)
{
    for (int row = 0; row < m_operations.size(); ++row) {
        rebuildChildren(row, [&](OperationNode &node) {
            for (const ImplementationStatus &status : availability.implementations(node.id()))
                node.implementations.append({status, isWanted(node, status.id)});
        });
    }
    emit planChanged();
}

void PlanModel::setStages(const QList<run::CatalogueStage> &stages)
{
    for (int row = 0; row < m_operations.size(); ++row) {
        OperationNode &node = m_operations[row];
        QList<StageNode> found;
        for (const run::CatalogueStage &stage : stages) {
            if (stage.operation() == node.id())
                found.append({stage, false});
        }
        for (StageNode &stage : found)
            stage.wanted = isStageWanted(node, stage);
        const auto idOf = [](const StageNode &stage) { return stage.stage.id(); };
        if (std::ranges::equal(found, node.stages, {}, idOf, idOf)) {
            node.stages = found; // their texts may be others
            emitOperationChanged(row);
            continue;
        }
        rebuildChildren(row, [&, implementations = node.implementations](OperationNode &changed) {
            changed.implementations = implementations;
            changed.stages = found;
        });
    }
    emit planChanged();
}

void PlanModel::setLocked(bool locked)
{
    m_locked = locked;
    emitAllChanged();
}

void PlanModel::setRunning(const QString &operation, const QString &implementation, const QString &phase)
{
    if (operation == m_runningOperation && implementation == m_runningImplementation && phase == m_runningPhase)
        return;
    m_runningOperation = operation;
    m_runningImplementation = implementation;
    m_runningPhase = phase;
    emitAllChanged();
}

const operations::Operation *PlanModel::operation(const QModelIndex &index) const
{
    if (!index.isValid() || levelOf(index) != Level::Operation)
        return nullptr;
    return m_operations.at(index.row()).operation;
}

QList<run::PlannedOperation> PlanModel::plannedOperations() const
{
    QList<run::PlannedOperation> planned;
    for (const OperationNode &node : m_operations) {
        run::PlannedOperation operation{node.id(), QList<qint64>(node.dims.begin(), node.dims.end()), {}};
        for (const ImplementationNode &child : node.implementations) {
            if (child.planned())
                operation.implementations.append(child.status.id);
            if (child.status.id != cudaId || child.status.state != ImplementationStatus::Ready)
                continue;
            for (const StageNode &stage : node.stages) {
                if (stage.wanted)
                    operation.implementations.append(stage.stage.implementation());
            }
        }
        if (node.wanted && !operation.implementations.isEmpty())
            planned.append(operation);
    }
    return planned;
}

QList<stagefile::Stage> PlanModel::plannedStages() const
{
    QList<stagefile::Stage> stages;
    for (const OperationNode &node : m_operations) {
        const ImplementationNode *cuda = node.cuda();
        if (!node.wanted || !cuda || cuda->status.state != ImplementationStatus::Ready)
            continue;
        for (const StageNode &stage : node.stages) {
            if (stage.wanted)
                stages.append(stage.stage.stage);
        }
    }
    return stages;
}

QList<qint64> PlanModel::dims(const QString &operation) const
{
    const auto node = std::ranges::find(m_operations, operation, &OperationNode::id);
    return node == m_operations.end() ? QList<qint64>() : QList<qint64>(node->dims.begin(), node->dims.end());
}

int PlanModel::plannedMeasurements() const
{
    int count = 0;
    for (const run::PlannedOperation &operation : plannedOperations())
        count += static_cast<int>(operation.implementations.size());
    return count;
}

QModelIndex PlanModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    if (!parent.isValid())
        return createIndex(row, column, operationId);
    const auto id = static_cast<quintptr>(operationRow(parent)) + 1;
    return createIndex(row, column, levelOf(parent) == Level::Operation ? id : id | stageBit);
}

QModelIndex PlanModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || levelOf(child) == Level::Operation)
        return {};
    const int row = operationRow(child);
    if (levelOf(child) == Level::Child)
        return createIndex(row, 0, operationId);
    return createIndex(m_operations.at(row).stagesRow(), 0, quintptr(row) + 1);
}

int PlanModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_operations.size());
    if (parent.column() != 0 || levelOf(parent) == Level::Stage)
        return 0;
    const OperationNode &node = m_operations.at(operationRow(parent));
    if (levelOf(parent) == Level::Operation)
        return node.childCount();
    return parent.row() == node.stagesRow() ? static_cast<int>(node.stages.size()) : 0;
}

int PlanModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

bool PlanModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid() || m_locked)
        return false;
    const int row = operationRow(index);
    if (role == Qt::EditRole && levelOf(index) == Level::Operation && index.column() == DetailColumn) {
        if (!setDims(m_operations[row], value.toString()))
            return false;
    } else if (role == Qt::CheckStateRole && index.column() == NameColumn) {
        if (!setChecked(index, value.toInt() == Qt::Checked))
            return false;
    } else {
        return false;
    }
    emitOperationChanged(row);
    emit planChanged();
    return true;
}

Qt::ItemFlags PlanModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const Qt::ItemFlags base = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
    const OperationNode &node = m_operations.at(operationRow(index));
    if (levelOf(index) == Level::Operation) {
        if (m_locked)
            return base;
        return base | (index.column() == NameColumn ? Qt::ItemIsUserCheckable : Qt::ItemIsEditable);
    }
    const bool isStagesRow = levelOf(index) == Level::Child && index.row() == node.stagesRow();
    const bool ofStages = isStagesRow || levelOf(index) == Level::Stage;
    const ImplementationNode &child = ofStages ? *node.cuda() : node.implementationAt(index.row());
    const bool ready = child.status.state == ImplementationStatus::Ready;
    const Qt::ItemFlags own = isStagesRow ? base : base | Qt::ItemNeverHasChildren;
    return ready && node.wanted && !m_locked && index.column() == NameColumn ? own | Qt::ItemIsUserCheckable : own;
}

void PlanModel::emitOperationChanged(int row)
{
    const QModelIndex parent = index(row, 0);
    emit dataChanged(parent, index(row, ColumnCount - 1));
    const auto emitChildren = [this](const QModelIndex &of) {
        const int children = rowCount(of);
        if (children > 0)
            emit dataChanged(index(0, 0, of), index(children - 1, ColumnCount - 1, of));
    };
    emitChildren(parent);
    if (const int stages = m_operations.at(row).stagesRow(); stages >= 0)
        emitChildren(index(stages, 0, parent));
}

void PlanModel::emitAllChanged()
{
    for (int row = 0; row < m_operations.size(); ++row)
        emitOperationChanged(row);
}

} // namespace stagecraft::window
