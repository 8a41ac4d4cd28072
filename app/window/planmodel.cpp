// SPDX-License-Identifier: GPL-3.0-or-later
#include "planmodel.h"

#include <algorithm>

namespace stagecraft::window {

namespace {

// Internal ids: 0 for an operation, its row + 1 for what stands below it, the same with a bit for single stages and for
// what is unavailable.
constexpr quintptr operationId = 0, stageBit = 1 << 16, unavailableBit = 1 << 17;

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

int PlanModel::OperationNode::unavailable() const
{
    return static_cast<int>(std::ranges::count_if(implementations, &ImplementationNode::isUnavailable));
}

int PlanModel::OperationNode::listed() const
{
    return static_cast<int>(implementations.size()) - unavailable();
}

int PlanModel::OperationNode::stagesRow() const
{
    const ImplementationNode *node = cuda();
    return node && !node->isUnavailable() && !stages.isEmpty()
               ? static_cast<int>(node - implementations.constData()) + 1
               : -1;
}

int PlanModel::OperationNode::unavailableRow() const
{
    return unavailable() > 0 ? childCount() - 1 : -1;
}

int PlanModel::OperationNode::childCount() const
{
    return listed() + (stagesRow() >= 0) + (unavailable() > 0);
}

void PlanModel::OperationNode::arrange(QList<ImplementationNode> nodes)
{
    std::ranges::stable_partition(nodes, [](const ImplementationNode &node) { return !node.isUnavailable(); });
    implementations = std::move(nodes);
}

PlanModel::Level PlanModel::levelOf(const QModelIndex &index)
{
    if (index.internalId() == operationId)
        return Level::Operation;
    if (index.internalId() & stageBit)
        return Level::Stage;
    return index.internalId() & unavailableBit ? Level::Unavailable : Level::Child;
}

int PlanModel::operationRow(const QModelIndex &index)
{
    return levelOf(index) == Level::Operation ? index.row()
                                              : static_cast<int>(index.internalId() & ~(stageBit | unavailableBit)) - 1;
}

const PlanModel::ImplementationNode *PlanModel::implementationNode(const QModelIndex &index) const
{
    const Level level = levelOf(index);
    const OperationNode &node = m_operations.at(operationRow(index));
    if (level == Level::Unavailable)
        return &node.implementations.at(node.listed() + index.row());
    const int stages = node.stagesRow();
    if (level != Level::Child || index.row() == stages || index.row() == node.unavailableRow())
        return nullptr;
    return &node.implementations.at(stages >= 0 && index.row() > stages ? index.row() - 1 : index.row());
}

bool PlanModel::isOfStages(const QModelIndex &index) const
{
    return levelOf(index) == Level::Stage ||
           (levelOf(index) == Level::Child && index.row() == m_operations.at(operationRow(index)).stagesRow());
}

QString PlanModel::implementation(const QModelIndex &index) const
{
    const ImplementationNode *node = index.isValid() ? implementationNode(index) : nullptr;
    return node ? node->status.id : QString();
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
    m_gpu = availability.gpu();
    for (int row = 0; row < m_operations.size(); ++row) {
        OperationNode &node = m_operations[row];
        QList<ImplementationNode> found;
        for (const ImplementationStatus &status : availability.implementations(node.id()))
            found.append({status, isWanted(node, status.id)});
        OperationNode changed = node;
        changed.arrange(found);
        // Rows that stay what they are keep their place in a view: selected, expanded.
        const auto rowOf = [](const ImplementationNode &child) {
            return std::pair(child.status.id, child.isUnavailable());
        };
        if (std::ranges::equal(changed.implementations, node.implementations, {}, rowOf, rowOf)) {
            node.implementations = changed.implementations;
            emitOperationChanged(row);
        } else {
            rebuildChildren(row, [&](OperationNode &target) { target.implementations = changed.implementations; });
        }
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
        for (StageNode &stage : found) {
            stage.wanted = isStageWanted(node, stage);
            setMisfit(stage);
        }
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

void PlanModel::setArithmetic(const QString &arithmetic)
{
    if (arithmetic == m_arithmetic)
        return;
    m_arithmetic = arithmetic;
    for (OperationNode &node : m_operations) {
        for (StageNode &stage : node.stages)
            setMisfit(stage);
    }
    emitAllChanged();
    emit planChanged();
}

void PlanModel::setMisfit(StageNode &stage) const
{
    stage.misfit = run::arithmeticMisfit(stage.stage.stage, m_arithmetic);
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
            if (child.status.id != cudaId || !child.isReady())
                continue;
            for (const StageNode &stage : node.stages) {
                if (stage.planned())
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
        if (!node.wanted || !node.cudaIsReady())
            continue;
        for (const StageNode &stage : node.stages) {
            if (stage.planned())
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
    if (levelOf(parent) == Level::Operation)
        return createIndex(row, column, id);
    return createIndex(row, column, id | (isOfStages(parent) ? stageBit : unavailableBit));
}

QModelIndex PlanModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || levelOf(child) == Level::Operation)
        return {};
    const int row = operationRow(child);
    if (levelOf(child) == Level::Child)
        return createIndex(row, 0, operationId);
    const OperationNode &node = m_operations.at(row);
    return createIndex(levelOf(child) == Level::Stage ? node.stagesRow() : node.unavailableRow(), 0, quintptr(row) + 1);
}

int PlanModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_operations.size());
    if (parent.column() != 0 || levelOf(parent) == Level::Stage || levelOf(parent) == Level::Unavailable)
        return 0;
    const OperationNode &node = m_operations.at(operationRow(parent));
    if (levelOf(parent) == Level::Operation)
        return node.childCount();
    if (parent.row() == node.unavailableRow())
        return node.unavailable();
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
    const ImplementationNode *child = isOfStages(index) ? node.cuda() : implementationNode(index);
    const bool hasChildren = levelOf(index) == Level::Child && !implementationNode(index);
    const Qt::ItemFlags own = hasChildren ? base : base | Qt::ItemNeverHasChildren;
    const bool fits = levelOf(index) != Level::Stage || node.stages.at(index.row()).fits();
    const bool checkable =
        child && child->isReady() && fits && node.wanted && !m_locked && index.column() == NameColumn;
    return checkable ? own | Qt::ItemIsUserCheckable : own;
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
    for (const int inner : {m_operations.at(row).stagesRow(), m_operations.at(row).unavailableRow()}) {
        if (inner >= 0)
            emitChildren(index(inner, 0, parent));
    }
}

void PlanModel::emitAllChanged()
{
    for (int row = 0; row < m_operations.size(); ++row)
        emitOperationChanged(row);
}

} // namespace stagecraft::window
