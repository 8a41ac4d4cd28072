// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "availability.h"
#include "catalogue.h"
#include "runplan.h"
#include "stagecatalogue.h"

#include <QAbstractItemModel>
#include <QJsonObject>
#include <QMap>

#include <functional>
#include <optional>

namespace stagecraft::window {

// What a run shall measure, as a tree: operations with their dims, below each the implementations that can compute it,
// behind `cuda` a row for its stages with one for each below it. Those that are unavailable stand below a row of their
// own, the last one. Stages are unchecked until somebody asks for them, and those of another arithmetic than the plan
// keeps to cannot be. The user's wishes (what is checked) survive an implementation being unavailable, or a stage being
// left out, for a while; only what is wanted and ready becomes part of a plan. Without a wish, what is compared on a
// GPU is wanted; the CPU's implementations only where there is no GPU, and what takes long to prepare (pytorch-compile,
// triton-tuned) not at all.
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
        CheckedRole, // of an operation: how many implementations and stages of it are planned
        ProblemRole  // why an implementation or a stage is not measured, and the fix
    };

    explicit PlanModel(QObject *parent = nullptr);

    void setAvailability(const Availability &availability);
    void setStages(const QList<run::CatalogueStage> &stages); // that may be run, in the order of their progression
    void setArithmetic(const QString &arithmetic);            // of the plan: stages that it leaves out take no part
    void setLocked(bool locked);                              // nothing can be edited while a run goes
    void setRunning(const QString &operation, const QString &implementation, const QString &phase); // empty: none

    // As if the user did it for each operation.
    void setCheckedEverywhere(const QString &implementation, bool wanted);
    bool isLocked() const { return m_locked; }

    // Checks exactly these, also among implementations that turn up later; an empty list leaves that half as it is.
    void select(const QStringList &operations, const QStringList &implementations);

    // Why the text cannot be the operation's dims, empty if it can. Accepts 512x512x512, × and spaces.
    static QString dimsProblem(const operations::Operation &operation, const QString &text);
    const operations::Operation *operation(const QModelIndex &index) const; // nullptr for an implementation's row
    QString implementation(const QModelIndex &index) const;                 // empty for any other row

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
        bool isReady() const { return status.state == ImplementationStatus::Ready; }
        bool isUnavailable() const { return status.state == ImplementationStatus::Unavailable; }
        bool planned() const { return wanted && isReady(); }
    };
    struct StageNode
    {
        run::CatalogueStage stage;
        bool wanted = false;
        QString misfit = {}; // why the plan's arithmetic leaves it out; empty: it does not
        bool planned() const { return wanted && misfit.isEmpty(); }
        bool fits() const { return misfit.isEmpty(); }
    };
    struct OperationNode
    {
        const operations::Operation *operation = nullptr;
        operations::Dims dims;
        bool wanted = true;
        QMap<QString, bool> choices; // implementations that the user has checked or unchecked, known now or not
        QStringList wantedStages;    // that the user has checked, known now or not
        QList<ImplementationNode> implementations; // those that are unavailable last
        QList<StageNode> stages;
        QString id() const { return QString::fromStdString(operation->id); }
        const ImplementationNode *cuda() const; // nullptr where it is not known
        bool cudaIsReady() const { return cuda() && cuda()->isReady(); }
        int listed() const;         // those that are not unavailable
        int unavailable() const;    // the others
        int stagesRow() const;      // of "all stages" among the children; −1: there is none
        int unavailableRow() const; // of those that are unavailable; −1: there are none
        int childCount() const;
        void arrange(QList<ImplementationNode> nodes); // in the order above
    };
    enum class Level
    {
        Operation,
        Child, // an implementation, the row of its stages or that of what is unavailable
        Stage,
        Unavailable
    };
    static QString dimNames(const operations::Operation &operation); // "m × n × k"
    static Level levelOf(const QModelIndex &index);
    static int operationRow(const QModelIndex &index);
    // What the row stands for, or nullptr. For the row of the stages and those below it, use cuda().
    const ImplementationNode *implementationNode(const QModelIndex &index) const;
    bool isOfStages(const QModelIndex &index) const; // their row, or one of them

    static int plannedStages(const OperationNode &node);
    static QString checkedText(const OperationNode &node); // "6 of 8 available implementations checked, 5 stages"
    QVariant operationData(const OperationNode &node, int column, int role) const;
    QVariant implementationData(const OperationNode &parent, const ImplementationNode &node, int column,
                                int role) const;
    QVariant stagesData(const OperationNode &node, int column, int role) const;
    QVariant unavailableData(const OperationNode &node, int column, int role) const;
    static QString stageDetail(const StageNode &stage);
    static QString leftOutText(const StageNode &stage); // empty where the plan's arithmetic does not
    QVariant stageData(const OperationNode &node, const StageNode &stage, int column, int role) const;
    void rebuildChildren(int row, const std::function<void(OperationNode &)> &change);
    bool setChecked(const QModelIndex &index, bool wanted);
    void setStageWanted(OperationNode &node, StageNode &stage, bool wanted);
    void setMisfit(StageNode &stage) const;
    bool isStageWanted(const OperationNode &node, const StageNode &stage) const;
    QString implementationDetail(const OperationNode &parent, const ImplementationNode &node) const;
    bool setDims(OperationNode &node, const QString &text);
    bool isWanted(const OperationNode &node, const QString &implementation) const;
    void applyWishes();
    void emitOperationChanged(int row);
    void emitAllChanged();

    QList<OperationNode> m_operations;
    std::optional<QStringList> m_onlyImplementations; // of select(); without: as the user wishes
    GpuPresence m_gpu = GpuPresence::Unknown;
    bool m_locked = false;
    QString m_arithmetic = run::arithmeticChoices().first();
    QString m_runningOperation, m_runningImplementation, m_runningPhase;
};

} // namespace stagecraft::window
