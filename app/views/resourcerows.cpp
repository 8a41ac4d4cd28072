// SPDX-License-Identifier: GPL-3.0-or-later
#include "resourcerows.h"

#include "viewrows.h"

#include <QSet>

#include <algorithm>

namespace stagecraft::views {

using evidence::Capture;
using evidence::KernelRecord;
using evidence::LaunchResources;
using evidence::OperationProgression;

namespace {

// As a progression would record it, so that both are read alike.
LaunchResources launchOf(const KernelRecord &record)
{
    nlohmann::json object{{"entry", record.kernelName.toStdString()},
                          {"grid", record.gridSize.toStdString()},
                          {"block", record.blockSize.toStdString()}};
    if (record.registersPerThread)
        object["registers_per_thread"] = *record.registersPerThread;
    if (record.sharedMemBytes)
        object["shared_mem_bytes"] = *record.sharedMemBytes;
    return evidence::launchResources(object).value(0);
}

// The different launches of one iteration, in order.
QList<LaunchResources> capturedLaunches(const Capture &capture)
{
    QList<LaunchResources> launches;
    const qsizetype perIteration =
        capture.requestedIterations > 0 ? capture.records.size() / capture.requestedIterations : 0;
    for (qsizetype i = 0; i < capture.records.size(); ++i) {
        const KernelRecord &record = capture.records[i];
        if (record.iteration ? *record.iteration != 0 : i >= std::max<qsizetype>(1, perIteration))
            continue;
        const auto same = [&](const LaunchResources &launch) {
            return launch.entry == record.kernelName && launch.grid == record.gridSize &&
                   launch.block == record.blockSize;
        };
        if (std::none_of(launches.begin(), launches.end(), same))
            launches.append(launchOf(record));
    }
    return launches;
}

class RowCollector
{
public:
    RowCollector(const evidence::Namespace &evidence, const ViewOptions &options)
        : m_evidence(evidence), m_options(options), m_facts(smFacts(evidence))
    {
    }

    QList<ResourceRow> collect()
    {
        QStringList operations;
        const auto note = [&](const QString &operation) {
            if (!operations.contains(operation))
                operations.append(operation);
        };
        if (m_evidence.progression)
            for (const OperationProgression &operation : m_evidence.progression->operations)
                note(operation.operation);
        for (const Capture &capture : m_evidence.captures)
            note(capture.operation);
        for (const QString &operation : operations) {
            addProgression(operation);
            addCaptures(operation);
        }
        return m_rows;
    }

private:
    bool isShown(const QString &implementation) const
    {
        return m_options.implementations.isEmpty() || m_options.implementations.contains(implementation);
    }

    void addProgression(const QString &name)
    {
        if (!m_evidence.progression || !(isShown(QStringLiteral("cuda")) || isShown(QStringLiteral("rust"))))
            return;
        for (const OperationProgression &operation : m_evidence.progression->operations) {
            if (operation.operation != name)
                continue;
            for (const evidence::ProgressionStage &stage : operation.stages)
                addStage({name, QStringLiteral("stage"), stage.id, stage.title, QStringLiteral("cuda"), {}, 0, 1, {}},
                         stage.resources);
            for (const evidence::ProgressionAttempt &attempt : operation.attempts)
                addStage(
                    {name, QStringLiteral("attempt"), attempt.id, attempt.title, QStringLiteral("cuda"), {}, 0, 1, {}},
                    attempt.resources);
        }
    }

    void addStage(const ResourceRow &row, const nlohmann::json &resources)
    {
        const QList<LaunchResources> launches = evidence::launchResources(resources);
        if (launches.isEmpty())
            return;
        m_stages.insert(row.operation + QLatin1Char('/') + row.id);
        addLaunches(row, launches);
    }

    void addLaunches(ResourceRow row, const QList<LaunchResources> &launches)
    {
        row.launchCount = static_cast<int>(launches.size());
        for (int i = 0; i < row.launchCount; ++i) {
            row.launchNumber = i;
            row.launch = launches[i];
            row.residency = residency(row.launch, m_facts);
            m_rows.append(row);
        }
    }

    // The first sound capture of each implementation: its launches are the same in every round.
    void addCaptures(const QString &operation)
    {
        QStringList implementations;
        for (const Capture &capture : m_evidence.captures)
            if (capture.operation == operation)
                implementations.append(capture.language);
        for (const QString &implementation : evidence::implementationOrder(implementations)) {
            const auto capture =
                std::find_if(m_evidence.captures.begin(), m_evidence.captures.end(), [&](const Capture &candidate) {
                    return candidate.operation == operation && candidate.language == implementation &&
                           !candidate.records.isEmpty();
                });
            if (capture != m_evidence.captures.end() && isShown(implementation) && !m_stages.contains(capture->stage))
                addLaunches({operation,
                             QStringLiteral("implementation"),
                             implementation,
                             evidence::implementationLabel(implementation),
                             implementation,
                             {},
                             0,
                             1,
                             {}},
                            capturedLaunches(*capture));
        }
    }

    const evidence::Namespace &m_evidence;
    const ViewOptions &m_options;
    const SmFacts m_facts;
    QSet<QString> m_stages; // "OP/ID" of those that have rows
    QList<ResourceRow> m_rows;
};

} // namespace

QList<ResourceRow> resourceRows(const evidence::Namespace &evidence, const ViewOptions &options)
{
    return RowCollector(evidence, options).collect();
}

} // namespace stagecraft::views
