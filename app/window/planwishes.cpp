// SPDX-License-Identifier: GPL-3.0-or-later
#include "implementationcatalogue.h"
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

const QString chosenKey = QStringLiteral("chosen"), unchosenKey = QStringLiteral("unchecked");

bool isWantedAtFirst(const QString &implementation, GpuPresence gpu)
{
    const run::ImplementationEntry *entry = run::findImplementation(implementation);
    if (!entry)
        return true; // an external program was named to be measured
    return entry->onCpu ? gpu == GpuPresence::Absent : !entry->slowToPrepare;
}

} // namespace

void PlanModel::select(const QStringList &operations, const QStringList &implementations)
{
    if (!implementations.isEmpty())
        m_onlyImplementations = implementations;
    for (OperationNode &node : m_operations) {
        if (!operations.isEmpty())
            node.wanted = operations.contains(node.id());
    }
    applyWishes();
}

void PlanModel::applyWishes()
{
    for (OperationNode &node : m_operations) {
        for (ImplementationNode &child : node.implementations)
            child.wanted = isWanted(node, child.status.id);
        for (StageNode &stage : node.stages)
            stage.wanted = isStageWanted(node, stage);
    }
    emitAllChanged();
    emit planChanged();
}

void PlanModel::setCheckedEverywhere(const QString &implementation, bool wanted)
{
    for (OperationNode &node : m_operations)
        node.choices.insert(implementation, wanted);
    if (m_onlyImplementations) {
        m_onlyImplementations->removeAll(implementation);
        if (wanted)
            m_onlyImplementations->append(implementation);
    }
    applyWishes();
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
                        {chosenKey, QJsonArray::fromStringList(node.choices.keys(true))},
                        {unchosenKey, QJsonArray::fromStringList(node.choices.keys(false))},
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
        for (const auto &[key, wanted] : {std::pair(chosenKey, true), {unchosenKey, false}}) {
            for (const QJsonValue &id : entry.value(key).toArray())
                node.choices.insert(id.toString(), wanted);
        }
        for (const QJsonValue &id : entry.value(QStringLiteral("stages")).toArray())
            node.wantedStages.append(id.toString());
    }
    applyWishes();
}

void PlanModel::restoreDefaults()
{
    m_onlyImplementations.reset();
    for (OperationNode &node : m_operations) {
        node.dims = node.operation->defaultDims;
        node.wanted = true;
        node.choices.clear();
        node.wantedStages.clear();
    }
    applyWishes();
}

bool PlanModel::setChecked(const QModelIndex &index, bool wanted)
{
    OperationNode &node = m_operations[operationRow(index)];
    if (levelOf(index) == Level::Operation) {
        node.wanted = wanted;
        return true;
    }
    const ImplementationNode *child = isOfStages(index) ? node.cuda() : implementationNode(index);
    if (!child || !child->isReady())
        return false;
    if (levelOf(index) == Level::Stage) {
        if (!node.stages.at(index.row()).fits())
            return false;
        setStageWanted(node, node.stages[index.row()], wanted);
    } else if (isOfStages(index)) {
        for (StageNode &stage : node.stages) {
            if (stage.fits())
                setStageWanted(node, stage, wanted);
        }
    } else {
        node.choices.insert(child->status.id, wanted);
        node.implementations[child - node.implementations.constData()].wanted = wanted;
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
    return m_onlyImplementations ? m_onlyImplementations->contains(stage.stage.implementation())
                                 : node.wantedStages.contains(stage.stage.id());
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
    if (m_onlyImplementations)
        return m_onlyImplementations->contains(implementation);
    return node.choices.value(implementation, isWantedAtFirst(implementation, m_gpu));
}

} // namespace stagecraft::window
