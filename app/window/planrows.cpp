// SPDX-License-Identifier: GPL-3.0-or-later
#include "planmodel.h"

#include "counted.h"
#include "publictext.h"
#include "statistics.h"

#include <QFont>

#include <algorithm>

// What the plan's rows show.
namespace stagecraft::window {

namespace {

QString displayDims(const operations::Dims &dims)
{
    return QString::fromStdString(operations::dimsText(dims))
        .replace(QLatin1Char('x'), QStringLiteral("\u2009×\u2009"));
}

QString unavailableText(const ImplementationStatus &status)
{
    const QString text =
        PlanModel::tr("%1 is unavailable: %2").arg(evidence::implementationLabel(status.id), status.reason);
    return status.fix.isEmpty() ? text : PlanModel::tr("%1\nWhat to do: %2").arg(text, status.fix);
}

} // namespace

QVariant PlanModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const OperationNode &node = m_operations.at(operationRow(index));
    switch (levelOf(index)) {
    case Level::Operation:
        return operationData(node, index.column(), role);
    case Level::Stage:
        return stageData(node, node.stages.at(index.row()), index.column(), role);
    case Level::Child:
    case Level::Unavailable:
        break;
    }
    if (const ImplementationNode *implementation = implementationNode(index))
        return implementationData(node, *implementation, index.column(), role);
    return isOfStages(index) ? stagesData(node, index.column(), role) : unavailableData(node, index.column(), role);
}

QString PlanModel::checkedText(const OperationNode &node)
{
    const auto planned = std::ranges::count_if(node.implementations, &ImplementationNode::planned);
    const auto ready = std::ranges::count_if(node.implementations, &ImplementationNode::isReady);
    const QString text = tr("%1 of %2 available implementations checked").arg(planned).arg(ready);
    const int stages = plannedStages(node);
    return stages == 0 ? text : text + QStringLiteral(", ") + counted(stages, tr("stage"), tr("stages"));
}

int PlanModel::plannedStages(const OperationNode &node)
{
    return node.cudaIsReady() ? static_cast<int>(std::ranges::count_if(node.stages, &StageNode::planned)) : 0;
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
        return tr("%1\n%2: %3\n%4")
            .arg(QString::fromStdString(node.operation->formula), dimNames(*node.operation), displayDims(node.dims),
                 checkedText(node));
    case Qt::AccessibleDescriptionRole:
        return column == NameColumn ? checkedText(node) : QString();
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
    case CheckedRole:
        return static_cast<int>(std::ranges::count_if(node.implementations, &ImplementationNode::planned)) +
               plannedStages(node);
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
        if (node.isUnavailable())
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
        return !node.isReady() || !parent.wanted || (column == DetailColumn && !running);
    case RunningRole:
        return running;
    case IdRole:
        return node.status.id;
    case ProblemRole:
        return node.isUnavailable() ? unavailableText(node.status) : QString();
    default:
        return {};
    }
}

QVariant PlanModel::stagesData(const OperationNode &node, int column, int role) const
{
    const auto wanted = std::ranges::count_if(node.stages, &StageNode::planned);
    const auto offered = std::ranges::count_if(node.stages, &StageNode::fits);
    switch (role) {
    case Qt::DisplayRole:
        return column == NameColumn ? tr("all stages")
               : wanted > 0         ? tr("%1 of %2").arg(wanted).arg(offered)
                                    : QString();
    case Qt::CheckStateRole:
        if (column != NameColumn)
            return {};
        return wanted == 0 ? Qt::Unchecked : wanted == offered ? Qt::Checked : Qt::PartiallyChecked;
    case Qt::ToolTipRole:
        return tr("Every stage of the progression and every attempt, each measured under its own name (cuda/ID)");
    case Qt::AccessibleTextRole:
        return column == NameColumn ? tr("All stages of %1").arg(QString::fromStdString(node.operation->title))
                                    : QString();
    case MutedRole:
        return !node.cudaIsReady() || !node.wanted || column == DetailColumn;
    case IdRole:
        return QStringLiteral("cuda/*");
    default:
        return {};
    }
}

QVariant PlanModel::unavailableData(const OperationNode &node, int column, int role) const
{
    QList<ImplementationStatus> statuses;
    QStringList ids;
    for (const ImplementationNode &child : node.implementations) {
        statuses.append(child.status);
        if (child.isUnavailable())
            ids.append(child.status.id);
    }
    switch (role) {
    case Qt::DisplayRole:
        return column == NameColumn ? tr("%1 unavailable").arg(ids.size()) : ids.join(QStringLiteral(", "));
    case Qt::ToolTipRole:
    case ProblemRole:
        return unavailableCauses(statuses).join(QLatin1Char('\n'));
    case Qt::AccessibleTextRole:
        return column == NameColumn
                   ? tr("%1 unavailable for %2").arg(ids.size()).arg(QString::fromStdString(node.operation->title))
                   : ids.join(QStringLiteral(", "));
    case MutedRole:
        return true;
    case IdRole:
        return QStringLiteral("unavailable/*");
    default:
        return {};
    }
}

// "attempt, 3xtf32": where it is from, and its arithmetic where that is not exact FP32.
QString PlanModel::stageDetail(const StageNode &stage)
{
    QStringList parts;
    if (stage.stage.own)
        parts.append(tr("own"));
    else if (stage.stage.stage.status == stagefile::Status::Attempt)
        parts.append(tr("attempt"));
    const QString arithmetic = run::publicText(stage.stage.stage.arithmetic);
    if (arithmetic != QLatin1String("fp32"))
        parts.append(stage.fits() ? arithmetic : tr("%1: left out").arg(arithmetic));
    return parts.join(QStringLiteral(", "));
}

QString PlanModel::leftOutText(const StageNode &stage)
{
    return stage.fits()
               ? QString()
               : tr("Not part of the run: %1.\nWhat to do: choose any arithmetic in the protocol.").arg(stage.misfit);
}

QVariant PlanModel::stageData(const OperationNode &node, const StageNode &stage, int column, int role) const
{
    const bool running = node.id() == m_runningOperation && stage.stage.implementation() == m_runningImplementation;
    switch (role) {
    case Qt::DisplayRole:
        if (column == NameColumn)
            return stage.stage.id();
        return running ? m_runningPhase : stageDetail(stage);
    case Qt::CheckStateRole:
        return column == NameColumn ? QVariant(stage.planned() ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::ToolTipRole:
        return tr("%1 (%2)\n%3\n%4")
            .arg(stage.stage.id(), stage.stage.implementation(), QString::fromStdString(stage.stage.stage.title),
                 leftOutText(stage))
            .trimmed();
    case Qt::AccessibleTextRole:
        return column == NameColumn
                   ? tr("Stage %1 of %2").arg(stage.stage.id(), QString::fromStdString(node.operation->title))
                   : QString();
    case MutedRole:
        return !node.cudaIsReady() || !node.wanted || !stage.fits() || (column == DetailColumn && !running);
    case RunningRole:
        return running;
    case ProblemRole:
        return leftOutText(stage);
    case IdRole:
        return stage.stage.implementation();
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

} // namespace stagecraft::window
