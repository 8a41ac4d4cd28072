// SPDX-License-Identifier: GPL-3.0-or-later
#include "planmodel.h"

#include "statistics.h"

#include <QFont>
#include <QJsonArray>

namespace stagecraft::window {

namespace {

// Internal ids: 0 for an operation, its row + 1 for the implementations below it.
constexpr quintptr operationId = 0;

QString displayDims(const operations::Dims &dims)
{
    return QString::fromStdString(operations::dimsText(dims))
        .replace(QLatin1Char('x'), QStringLiteral("\u2009×\u2009"));
}

std::optional<operations::Dims> typedDims(QString text)
{
    text.remove(QLatin1Char(' '))
        .remove(QChar(0x2009))
        .replace(QChar(0x00d7), QLatin1Char('x'))
        .replace(QLatin1Char('X'), QLatin1Char('x'));
    return operations::parseDims(text.toStdString());
}

QString unavailableText(const ImplementationStatus &status)
{
    return PlanModel::tr("%1 is unavailable: %2\n%3")
        .arg(evidence::implementationLabel(status.id), status.reason, status.fix)
        .trimmed();
}

QString dimNames(const operations::Operation &operation)
{
    QStringList names;
    for (const std::string &name : operation.dimNames)
        names.append(QString::fromStdString(name));
    return names.join(QStringLiteral(" × "));
}

} // namespace

PlanModel::PlanModel(QObject *parent) : QAbstractItemModel(parent)
{
    for (const operations::Operation &operation : operations::catalogue()) {
        OperationNode node;
        node.operation = &operation;
        node.dims = operation.defaultDims;
        m_operations.append(node);
    }
}

void PlanModel::setAvailability(const Availability &availability)
{
    for (int row = 0; row < m_operations.size(); ++row) {
        OperationNode &node = m_operations[row];
        const QList<ImplementationStatus> found = availability.implementations(node.id());
        const QModelIndex parent = index(row, 0);
        if (!node.implementations.isEmpty()) {
            beginRemoveRows(parent, 0, static_cast<int>(node.implementations.size()) - 1);
            node.implementations.clear();
            endRemoveRows();
        }
        if (found.isEmpty())
            continue;
        beginInsertRows(parent, 0, static_cast<int>(found.size()) - 1);
        for (const ImplementationStatus &status : found)
            node.implementations.append({status, isWanted(node, status.id)});
        endInsertRows();
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
    if (!index.isValid() || index.internalId() != operationId)
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
        }
        if (node.wanted && !operation.implementations.isEmpty())
            planned.append(operation);
    }
    return planned;
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
                        {QStringLiteral("unchecked"), QJsonArray::fromStringList(node.unwanted)}};
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
        for (ImplementationNode &child : node.implementations)
            child.wanted = isWanted(node, child.status.id);
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
        for (ImplementationNode &child : node.implementations)
            child.wanted = true;
    }
    emitAllChanged();
    emit planChanged();
}

QModelIndex PlanModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : operationId);
}

QModelIndex PlanModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || child.internalId() == operationId)
        return {};
    return createIndex(static_cast<int>(child.internalId()) - 1, 0, operationId);
}

int PlanModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_operations.size());
    if (parent.internalId() != operationId || parent.column() != 0)
        return 0;
    return static_cast<int>(m_operations.at(parent.row()).implementations.size());
}

int PlanModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QVariant PlanModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (index.internalId() == operationId)
        return operationData(m_operations.at(index.row()), index.column(), role);
    const OperationNode &parent = m_operations.at(static_cast<int>(index.internalId()) - 1);
    return implementationData(parent, parent.implementations.at(index.row()), index.column(), role);
}

QVariant PlanModel::operationData(const OperationNode &node, int column, int role) const
{
    const QString title = QString::fromStdString(node.operation->title);
    switch (role) {
    case Qt::DisplayRole:
        return column == NameColumn ? title : displayDims(node.dims);
    case Qt::EditRole:
        return column == NameColumn ? title : QString::fromStdString(operations::dimsText(node.dims));
    case Qt::ToolTipRole:
        return tr("%1\n%2: %3")
            .arg(QString::fromStdString(node.operation->formula), dimNames(*node.operation), displayDims(node.dims));
    case Qt::CheckStateRole:
        return column == NameColumn ? QVariant(node.wanted ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::AccessibleTextRole:
        return column == NameColumn ? title : tr("Size of %1: %2").arg(title, displayDims(node.dims));
    case MutedRole:
        return !node.wanted;
    case RunningRole:
        return node.id() == m_runningOperation;
    case IdRole:
        return node.id();
    default:
        return {};
    }
}

QString PlanModel::implementationDetail(const OperationNode &parent, const ImplementationNode &node) const
{
    if (parent.id() == m_runningOperation && node.status.id == m_runningImplementation)
        return m_runningPhase;
    switch (node.status.state) {
    case ImplementationStatus::Asking:
        return tr("asking…");
    case ImplementationStatus::Unavailable:
        return tr("unavailable");
    case ImplementationStatus::Ready:
        break;
    }
    return {};
}

QVariant PlanModel::implementationData(const OperationNode &parent, const ImplementationNode &node, int column,
                                       int role) const
{
    const bool running = parent.id() == m_runningOperation && node.status.id == m_runningImplementation;
    const QString label = evidence::implementationLabel(node.status.id);
    const QString detail = implementationDetail(parent, node);
    switch (role) {
    case Qt::DisplayRole:
        return column == NameColumn ? label : detail;
    case Qt::ToolTipRole:
        if (node.status.state == ImplementationStatus::Unavailable)
            return unavailableText(node.status);
        return tr("%1 (%2)\n%3").arg(label, node.status.id, node.status.note).trimmed();
    case Qt::CheckStateRole:
        return column == NameColumn ? QVariant(node.planned() ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::AccessibleTextRole:
        return column == NameColumn ? tr("%1 for %2").arg(label, QString::fromStdString(parent.operation->title))
                                    : detail;
    case Qt::FontRole: {
        QFont font;
        font.setBold(running);
        return running ? QVariant(font) : QVariant();
    }
    case MutedRole:
        return node.status.state != ImplementationStatus::Ready || !parent.wanted ||
               (column == DetailColumn && !running);
    case RunningRole:
        return running;
    case IdRole:
        return node.status.id;
    case ProblemRole:
        return node.status.state == ImplementationStatus::Unavailable ? unavailableText(node.status) : QString();
    default:
        return {};
    }
}

QVariant PlanModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? tr("Operation") : tr("Size");
}

bool PlanModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid() || m_locked)
        return false;
    const bool isOperation = index.internalId() == operationId;
    const int row = isOperation ? index.row() : static_cast<int>(index.internalId()) - 1;
    OperationNode &node = m_operations[row];
    if (role == Qt::EditRole && isOperation && index.column() == DetailColumn) {
        if (!setDims(node, value.toString()))
            return false;
    } else if (role == Qt::CheckStateRole && index.column() == NameColumn) {
        const bool wanted = value.toInt() == Qt::Checked;
        if (isOperation)
            node.wanted = wanted;
        else if (node.implementations.at(index.row()).status.state == ImplementationStatus::Ready)
            setWanted(node, node.implementations[index.row()], wanted);
        else
            return false;
    } else {
        return false;
    }
    emitOperationChanged(row);
    emit planChanged();
    return true;
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
    if (index.internalId() == operationId) {
        if (m_locked)
            return base;
        return base | (index.column() == NameColumn ? Qt::ItemIsUserCheckable : Qt::ItemIsEditable);
    }
    const OperationNode &parent = m_operations.at(static_cast<int>(index.internalId()) - 1);
    const bool ready = parent.implementations.at(index.row()).status.state == ImplementationStatus::Ready;
    const Qt::ItemFlags leaf = base | Qt::ItemNeverHasChildren;
    return ready && parent.wanted && !m_locked && index.column() == NameColumn ? leaf | Qt::ItemIsUserCheckable : leaf;
}

void PlanModel::emitOperationChanged(int row)
{
    const QModelIndex parent = index(row, 0);
    emit dataChanged(parent, index(row, ColumnCount - 1));
    const int children = rowCount(parent);
    if (children > 0)
        emit dataChanged(index(0, 0, parent), index(children - 1, ColumnCount - 1, parent));
}

void PlanModel::emitAllChanged()
{
    for (int row = 0; row < m_operations.size(); ++row)
        emitOperationChanged(row);
}

} // namespace stagecraft::window
