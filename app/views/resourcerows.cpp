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

// The different kernels, a library's and its helpers' too, in the order in which they were first launched.
QList<LaunchResources> capturedLaunches(const Capture &capture)
{
    QList<LaunchResources> launches;
    for (const KernelRecord &record : capture.records) {
        const auto same = [&](const LaunchResources &launch) {
            return launch.entry == record.kernelName && launch.grid == record.gridSize &&
                   launch.block == record.blockSize;
        };
        if (std::none_of(launches.begin(), launches.end(), same))
            launches.append(launchOf(record));
    }
    return launches;
}

bool isMeasured(const Capture &capture)
{
    return capture.state == evidence::State::Ok || capture.state == evidence::State::Throttled;
}

class RowCollector
{
public:
    RowCollector(const evidence::Namespace &evidence, const ViewOptions &options)
        : m_evidence(evidence), m_options(options), m_facts(smFacts(evidence))
    {
        for (const Capture &capture : evidence.captures)
            m_captures.append({caseOf(capture), &capture});
    }

    QList<ResourceRow> collect()
    {
        QList<Case> cases;
        const auto note = [&cases](const Case &found) {
            if (!cases.contains(found))
                cases.append(found);
        };
        if (m_evidence.progression)
            for (const OperationProgression &operation : m_evidence.progression->operations)
                note(caseOf(operation));
        for (const CapturedCase &captured : m_captures)
            note(captured.of);
        for (const Case &of : cases) {
            m_stages.clear();
            addProgression(of);
            addCaptures(of);
        }
        return m_rows;
    }

private:
    // What a row stands under: one operation with the same dims.
    struct Case
    {
        QString operation;
        QList<qint64> dims;
        bool operator==(const Case &) const = default;
    };

    struct CapturedCase
    {
        Case of;
        const Capture *capture;
    };

    template <typename Recorded>
    Case caseOf(const Recorded &recorded) const
    {
        return {recorded.operation, knownDims(recorded.operation, recorded.dims, m_evidence)};
    }

    static ResourceRow row(const Case &of, const QString &kind, const QString &id, const QString &label,
                           const QString &implementation)
    {
        ResourceRow row;
        row.operation = of.operation;
        row.dims = of.dims;
        row.kind = kind;
        row.id = id;
        row.label = label;
        row.implementation = implementation;
        return row;
    }

    bool isShown(const QString &implementation) const
    {
        return m_options.implementations.isEmpty() || m_options.implementations.contains(implementation);
    }

    void addProgression(const Case &of)
    {
        const QString own = QStringLiteral("cuda");
        if (!m_evidence.progression || !(isShown(own) || isShown(QStringLiteral("rust"))))
            return;
        for (const OperationProgression &operation : m_evidence.progression->operations) {
            if (caseOf(operation) != of)
                continue;
            for (const evidence::ProgressionStage &stage : operation.stages)
                addStage(row(of, QStringLiteral("stage"), stage.id, stage.title, own), stage.resources);
            for (const evidence::ProgressionAttempt &attempt : operation.attempts)
                addStage(row(of, QStringLiteral("attempt"), attempt.id, attempt.title, own), attempt.resources);
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

    // Of each implementation the first capture that measured: its launches are the same in every round. What a failed
    // or invalid one recorded is no whole iteration.
    void addCaptures(const Case &of)
    {
        QStringList implementations;
        for (const CapturedCase &captured : m_captures)
            if (captured.of == of)
                implementations.append(captured.capture->language);
        for (const QString &implementation : evidence::implementationOrder(implementations)) {
            const auto found = std::find_if(m_captures.begin(), m_captures.end(), [&](const CapturedCase &candidate) {
                return candidate.of == of && candidate.capture->language == implementation &&
                       isMeasured(*candidate.capture) && !candidate.capture->records.isEmpty();
            });
            if (found != m_captures.end() && isShown(implementation) && !m_stages.contains(found->capture->stage))
                addLaunches(row(of, QStringLiteral("implementation"), implementation,
                                evidence::implementationLabel(implementation), implementation),
                            capturedLaunches(*found->capture));
        }
    }

    const evidence::Namespace &m_evidence;
    const ViewOptions &m_options;
    const SmFacts m_facts;
    QList<CapturedCase> m_captures; // all of the evidence, in its order
    QSet<QString> m_stages;         // "OP/ID" of those that have rows in the present case
    QList<ResourceRow> m_rows;
};

} // namespace

QList<ResourceRow> resourceRows(const evidence::Namespace &evidence, const ViewOptions &options)
{
    return RowCollector(evidence, options).collect();
}

} // namespace stagecraft::views
