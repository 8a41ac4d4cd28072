// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "availability.h"
#include "catalogue.h"
#include "runplan.h"
#include "stagecatalogue.h"

#include <QAbstractItemModel>
#include <QJsonObject>

#include <functional>

namespace stagecraft::window {

// What a run shall measure, as a tree: operations with their dims, below each the implementations that can compute it,
// behind `cuda` a row for its stages with one for each below it. Stages are unchecked until somebody asks for them.
// The user's wishes (what is checked) survive an implementation being unavailable for a while; only what is wanted and
// ready becomes part of a plan.
class PlanModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column
    {
        NameColumn,
        DetailColumn,
        ColumnCount
    };
    enum Role
    {
        MutedRole = Qt::UserRole + 1,
        RunningRole,
        IdRole,
        ProblemRole // why an implementation cannot be measured, and the fix
    };

    explicit PlanModel(QObject *parent = nullptr);

    void setAvailability(const Availability &availability);
    void setStages(const QList<run::CatalogueStage> &stages); // that may be run, in the order of their progression
    void setLocked(bool locked);                              // nothing can be edited while a run goes
    void setRunning(const QString &operation, const QString &implementation, const QString &phase); // empty: none

    // Checks exactly these, also among implementations that turn up later; an empty list leaves that half as it is.
    void select(const QStringList &operations, const QStringList &implementations);

    // Why the text cannot be the operation's dims, empty if it can. Accepts 512x512x512, × and spaces.
    static QString dimsProblem(const operations::Operation &operation, const QString &text);
    const operations::Operation *operation(const QModelIndex &index) const; // nullptr for an implementation's row

    QList<run::PlannedOperation> plannedOperations() const;
    QList<stagefile::Stage> plannedStages() const; // that the operations name as cuda/ID
    QList<qint64> dims(const QString &operation) const;
    int plannedMeasurements() const; // operations × implementations, of one round

    QJsonObject save() const;
    void restore(const QJsonObject &saved); // what it does not know or cannot use is left at its default
    void restoreDefaults();

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

signals:
    void planChanged();
    void dimsRejected(const QString &problem);

private:
    struct ImplementationNode
    {
        ImplementationStatus status;
        bool wanted = true;
        bool planned() const { return wanted && status.state == ImplementationStatus::Ready; }
    };
    struct StageNode
    {
        run::CatalogueStage stage;
        bool wanted = false;
    };
    struct OperationNode
    {
        const operations::Operation *operation = nullptr;
        operations::Dims dims;
        bool wanted = true;
        QStringList unwanted;     // implementations the user has unchecked, known now or not
        QStringList wantedStages; // that the user has checked, known now or not
        QList<ImplementationNode> implementations;
        QList<StageNode> stages;
        QString id() const { return QString::fromStdString(operation->id); }
        const ImplementationNode *cuda() const; // nullptr where it is not listed
        int stagesRow() const;                  // of "all stages" among the children; −1: there is none
        int childCount() const { return static_cast<int>(implementations.size()) + (stagesRow() >= 0); }
        const ImplementationNode &implementationAt(int row) const;
    };
    enum class Level
    {
        Operation,
        Child, // an implementation, or the row of its stages
        Stage
    };
    static QString dimNames(const operations::Operation &operation); // "m × n × k"
    static Level levelOf(const QModelIndex &index);
    static int operationRow(const QModelIndex &index);

    QVariant operationData(const OperationNode &node, int column, int role) const;
    QVariant implementationData(const OperationNode &parent, const ImplementationNode &node, int column,
                                int role) const;
    QVariant stagesData(const OperationNode &node, int column, int role) const;
    QVariant stageData(const OperationNode &node, const StageNode &stage, int column, int role) const;
    void rebuildChildren(int row, const std::function<void(OperationNode &)> &change);
    bool setChecked(const QModelIndex &index, bool wanted);
    void setStageWanted(OperationNode &node, StageNode &stage, bool wanted);
    bool isStageWanted(const OperationNode &node, const StageNode &stage) const;
    QString implementationDetail(const OperationNode &parent, const ImplementationNode &node) const;
    bool setDims(OperationNode &node, const QString &text);
    bool isWanted(const OperationNode &node, const QString &implementation) const;
    void setWanted(OperationNode &node, ImplementationNode &child, bool wanted);
    void emitOperationChanged(int row);
    void emitAllChanged();

    QList<OperationNode> m_operations;
    QStringList m_onlyImplementations; // of select(); empty: all
    bool m_locked = false;
    QString m_runningOperation, m_runningImplementation, m_runningPhase;
};

} // namespace stagecraft::window
