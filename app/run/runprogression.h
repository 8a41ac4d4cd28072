// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"
#include "runplan.h"
#include "statistics.h"

#include <map>

namespace stagecraft::run {

struct StageFinding;

// What a run that names stages says of them, kept up to date as it goes: which are retained and which attempts, their
// times, how those compare, and whether times follow what can be counted. Values are those of valueRow(), under the
// name of the run's own namespace.
class RunProgression
{
public:
    void start(const RunPlan &plan, const QString &name);
    void describe(const protocol::Device &device);
    void prepared(int operation, const QString &implementation, const protocol::PrepareResult &result);
    void changed(int operation, const QString &implementation); // in its times or state
    void allChanged();

    // Brings evidence.progression up to date, looking only at what changed since the last time. Leaves it alone where
    // the plan names no stages.
    void update(evidence::Namespace &evidence);

private:
    // One implementation of one operation.
    struct Lane
    {
        evidence::ValueRow row;
        protocol::PrepareResult prepared;
        bool isStale = true;
    };

    bool refresh(int operation, const evidence::Namespace &evidence);
    evidence::OperationProgression computed(int operation) const;
    void addChosen(const PlannedOperation &planned, const Lane &lane, QList<StageFinding> &findings) const;

    RunPlan m_plan;
    QString m_name;
    protocol::Device m_device;
    std::map<std::pair<int, QString>, Lane> m_lanes; // operation, "cuda" or "cuda/ID"
    QList<int> m_operations;                         // those with stages by name
};

} // namespace stagecraft::run
