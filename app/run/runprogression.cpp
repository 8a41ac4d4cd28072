// SPDX-License-Identifier: GPL-3.0-or-later
#include "runprogression.h"

#include "implementationcatalogue.h"
#include "publictext.h"
#include "stagefindings.h"

#include <algorithm>

namespace stagecraft::run {

namespace {

const QString chosen = QStringLiteral("cuda");

bool namesStage(const QString &implementation)
{
    return !stageId(implementation).isEmpty();
}

bool isMeasured(const evidence::ValueRow &row)
{
    return row.span.state == evidence::State::Ok || row.kernel.state == evidence::State::Ok;
}

} // namespace

void RunProgression::start(const RunPlan &plan, const QString &name)
{
    m_plan = plan;
    m_name = name;
    for (int operation = 0; operation < plan.operations.size(); ++operation) {
        const QStringList &implementations = plan.operations[operation].implementations;
        if (std::ranges::none_of(implementations, namesStage))
            continue;
        m_operations.append(operation);
        for (const QString &implementation : implementations) {
            if (namesStage(implementation) || implementation == chosen)
                m_lanes.try_emplace({operation, implementation});
        }
    }
}

void RunProgression::describe(const protocol::Device &device)
{
    m_device = device;
}

void RunProgression::prepared(int operation, const QString &implementation, const protocol::PrepareResult &result)
{
    const auto found = m_lanes.find({operation, implementation});
    if (found == m_lanes.end())
        return;
    found->second.prepared = result;
    found->second.isStale = true;
}

void RunProgression::changed(int operation, const QString &implementation)
{
    const auto found = m_lanes.find({operation, implementation});
    if (found != m_lanes.end())
        found->second.isStale = true;
}

void RunProgression::allChanged()
{
    for (auto &[key, lane] : m_lanes)
        lane.isStale = true;
}

bool RunProgression::refresh(int operation, const evidence::Namespace &evidence)
{
    bool isChanged = false;
    for (auto &[key, lane] : m_lanes) {
        if (key.first != operation || !std::exchange(lane.isStale, false))
            continue;
        lane.row = evidence::valueRow(evidence, evidence.results[operation], key.second);
        isChanged = true;
    }
    return isChanged;
}

void RunProgression::update(evidence::Namespace &evidence)
{
    if (m_operations.isEmpty())
        return;
    if (!evidence.progression) {
        evidence.progression.emplace();
        evidence.progression->operations.resize(m_operations.size());
    }
    evidence::Progression &progression = *evidence.progression;
    progression.deviceName = publicText(m_device.name);
    progression.deviceComputeCapability = publicText(m_device.computeCapability);
    if (m_device.smCount > 0)
        progression.deviceSms = m_device.smCount;
    if (m_device.maxThreadsPerSm > 0)
        progression.deviceMaxThreadsPerSm = m_device.maxThreadsPerSm;
    for (qsizetype i = 0; i < m_operations.size(); ++i) {
        if (refresh(m_operations[i], evidence))
            progression.operations[i] = computed(m_operations[i]);
    }
}

// A stage that is named and that `cuda` chose as well is the same file: the named one's times count, where it has any.
evidence::OperationProgression RunProgression::computed(int operation) const
{
    const PlannedOperation &planned = m_plan.operations[operation];
    QList<StageFinding> findings;
    for (const QString &implementation : planned.implementations) {
        if (!namesStage(implementation))
            continue;
        const Lane &lane = m_lanes.at({operation, implementation});
        findings.append({stageId(implementation), plannedStage(m_plan, planned.operation, implementation), lane.row,
                         lane.prepared});
    }
    if (const auto own = m_lanes.find({operation, chosen}); own != m_lanes.end())
        addChosen(planned, own->second, findings);
    sortFindings(findings);
    const RunFacts run{planned.operation, m_name, m_plan.rounds, m_plan.runs, m_plan.capture};
    evidence::OperationProgression result = progressionOf(run, findings);
    result.dims = planned.dims;
    result.cache = m_plan.cache;
    return result;
}

void RunProgression::addChosen(const PlannedOperation &planned, const Lane &lane, QList<StageFinding> &findings) const
{
    const QString id = publicText(lane.prepared.stage).section(QLatin1Char('/'), 1);
    if (id.isEmpty())
        return; // not prepared yet
    const auto named = std::ranges::find(findings, id, &StageFinding::id);
    if (named == findings.end()) {
        const QString implementation = chosen + QLatin1Char('/') + id;
        findings.append({id, plannedStage(m_plan, planned.operation, implementation), lane.row, lane.prepared});
    } else if (!isMeasured(named->row) && isMeasured(lane.row)) {
        named->row = lane.row;
        named->prepared = lane.prepared;
    }
}

} // namespace stagecraft::run
