// SPDX-License-Identifier: GPL-3.0-or-later
#include "planmodel.h"

#include <QJsonArray>

namespace stagecraft::window {

namespace {

// Internal ids: 0 for an operation, its row + 1 for what stands below it, the same with this bit for single stages.
constexpr quintptr operationId = 0, stageBit = 1 << 16;

const QString cudaId = QStringLiteral("cuda");

std::optional<operations::Dims> typedDims(QString text)
{
    text.remove(QLatin1Char(' '))
        .remove(QChar(0x2009))
        .replace(QChar(0x00d7), QLatin1Char('x'))
        .replace(QLatin1Char('X'), QLatin1Char('x'));
    return operations::parseDims(text.toStdString());
}

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

void PlanModel::select(const QStringList &operations, const QStringList &implementations)
{
    m_onlyImplementations = implementations;
    for (OperationNode &node : m_operations) {
        if (!operations.isEmpty())
            node.wanted = operations.contains(node.id());
        for (ImplementationNode &child : node.implementations)
            child.wanted = isWanted(node, child.status.id);
        for (StageNode &stage : node.stages)
            stage.wanted = isStageWanted(node, stage);
    }
    emitAllChanged();
    emit planChanged();
}

QString PlanModel::dimsProblem(const operations::Operation &operation, const QString &text)
{
    const std::optional<operations::Dims> dims = typedDims(text);
    if (!dims) {
        return tr("“%1” is not a size: write %2 whole numbers joined by x, for example %3 (%4).")
            .arg(text)
            .arg(operation.dimNames.size())
            .arg(QString::fromStdString(operations::dimsText(operation.defaultDims)), dimNames(operation));
    }
    return QString::fromStdString(operations::dimsProblem(operation, *dims).value_or(std::string()));
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

QJsonObject PlanModel::save() const
{
    QJsonObject saved;
    for (const OperationNode &node : m_operations) {
        saved[node.id()] =
            QJsonObject{{QStringLiteral("checked"), node.wanted},
                        {QStringLiteral("dims"), QString::fromStdString(operations::dimsText(node.dims))},
                        {QStringLiteral("unchecked"), QJsonArray::fromStringList(node.unwanted)},
                        {QStringLiteral("stages"), QJsonArray::fromStringList(node.wantedStages)}};
    }
    return saved;
}

void PlanModel::restore(const QJsonObject &saved)
{
    for (OperationNode &node : m_operations) {
        const QJsonObject entry = saved.value(node.id()).toObject();
        const QString dims = entry.value(QStringLiteral("dims")).toString();
        if (!dims.isEmpty() && dimsProblem(*node.operation, dims).isEmpty())
            node.dims = *typedDims(dims);
        node.wanted = entry.value(QStringLiteral("checked")).toBool(node.wanted);
        for (const QJsonValue &id : entry.value(QStringLiteral("unchecked")).toArray())
            node.unwanted.append(id.toString());
        for (const QJsonValue &id : entry.value(QStringLiteral("stages")).toArray())
            node.wantedStages.append(id.toString());
        for (ImplementationNode &child : node.implementations)
            child.wanted = isWanted(node, child.status.id);
        for (StageNode &stage : node.stages)
            stage.wanted = isStageWanted(node, stage);
    }
    emitAllChanged();
    emit planChanged();
}

void PlanModel::restoreDefaults()
{
    m_onlyImplementations.clear();
    for (OperationNode &node : m_operations) {
        node.dims = node.operation->defaultDims;
        node.wanted = true;
        node.unwanted.clear();
        node.wantedStages.clear();
        for (ImplementationNode &child : node.implementations)
            child.wanted = true;
        for (StageNode &stage : node.stages)
            stage.wanted = false;
    }
    emitAllChanged();
    emit planChanged();
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

bool PlanModel::setChecked(const QModelIndex &index, bool wanted)
{
    OperationNode &node = m_operations[operationRow(index)];
    if (levelOf(index) == Level::Operation) {
        node.wanted = wanted;
        return true;
    }
    const bool ofStages = levelOf(index) == Level::Stage || index.row() == node.stagesRow();
    const ImplementationNode &child = ofStages ? *node.cuda() : node.implementationAt(index.row());
    if (child.status.state != ImplementationStatus::Ready)
        return false;
    if (levelOf(index) == Level::Stage) {
        setStageWanted(node, node.stages[index.row()], wanted);
    } else if (ofStages) {
        for (StageNode &stage : node.stages)
            setStageWanted(node, stage, wanted);
    } else {
        setWanted(node, node.implementations[&child - node.implementations.constData()], wanted);
    }
    return true;
}

void PlanModel::setStageWanted(OperationNode &node, StageNode &stage, bool wanted)
{
    stage.wanted = wanted;
    node.wantedStages.removeAll(stage.stage.id());
    if (wanted)
        node.wantedStages.append(stage.stage.id());
}

bool PlanModel::isStageWanted(const OperationNode &node, const StageNode &stage) const
{
    return m_onlyImplementations.isEmpty() ? node.wantedStages.contains(stage.stage.id())
                                           : m_onlyImplementations.contains(stage.stage.implementation());
}

bool PlanModel::setDims(OperationNode &node, const QString &text)
{
    const QString problem = dimsProblem(*node.operation, text);
    if (!problem.isEmpty()) {
        emit dimsRejected(problem);
        return false;
    }
    node.dims = *typedDims(text);
    return true;
}

bool PlanModel::isWanted(const OperationNode &node, const QString &implementation) const
{
    return m_onlyImplementations.isEmpty() ? !node.unwanted.contains(implementation)
                                           : m_onlyImplementations.contains(implementation);
}

void PlanModel::setWanted(OperationNode &node, ImplementationNode &child, bool wanted)
{
    child.wanted = wanted;
    node.unwanted.removeAll(child.status.id);
    if (!wanted)
        node.unwanted.append(child.status.id);
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
