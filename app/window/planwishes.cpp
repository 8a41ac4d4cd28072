// SPDX-License-Identifier: GPL-3.0-or-later
#include "planmodel.h"

#include <QJsonArray>

// What the user wishes a plan to hold: checked, typed, remembered and brought back.
namespace stagecraft::window {

namespace {

std::optional<operations::Dims> typedDims(QString text)
{
    text.remove(QLatin1Char(' '))
        .remove(QChar(0x2009))
        .replace(QChar(0x00d7), QLatin1Char('x'))
        .replace(QLatin1Char('X'), QLatin1Char('x'));
    return operations::parseDims(text.toStdString());
}

} // namespace

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

} // namespace stagecraft::window
