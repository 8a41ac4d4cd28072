// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreignprogression.h"

#include "launchresources.h"
#include "statistics.h"

#include <map>
#include <tuple>

namespace stagecraft::import {

namespace {

using evidence::ValueRow;

nlohmann::json resourcesOf(const ValueRow &row)
{
    if (!row.firstKernel)
        return {};
    evidence::LaunchResources launch;
    launch.grid = row.firstKernel->gridSize;
    launch.block = row.firstKernel->blockSize;
    launch.registersPerThread = row.firstKernel->registersPerThread;
    launch.sharedMemBytes = row.firstKernel->sharedMemBytes;
    return evidence::launchResourcesJson({launch});
}

evidence::ProgressionStage stageOf(const ValueRow &row, const QString &fileId, const evidence::Namespace &evidence)
{
    evidence::ProgressionStage stage;
    stage.id = stage.label = stage.title = fileId;
    stage.origin = evidence.experimentId;
    stage.retainedIn = {evidence.experimentId};
    if (row.span.estimate)
        stage.spanUs = row.span.estimate->mean;
    if (row.kernel.estimate) {
        stage.kernelUs = row.kernel.estimate->mean;
        stage.resources = resourcesOf(row);
    } else if (stage.spanUs) {
        stage.kernelState = row.kernel.state;
        stage.kernelReason = row.kernel.reason;
    } else {
        // Where the file has no such thing at all, the other says more.
        const evidence::Value &value = row.span.state == evidence::State::Unavailable ? row.kernel : row.span;
        stage.state = value.state;
        stage.reason = value.reason;
    }
    return stage;
}

// The rows of one operation, dims and cache state.
struct Case
{
    const ValueRow *first;
    QMap<QString, const ValueRow *> byStage;
};

QList<Case> casesOf(const QList<ValueRow> &rows)
{
    QList<Case> cases;
    std::map<std::tuple<QString, QList<qint64>, QString>, qsizetype> places;
    for (const ValueRow &row : rows) {
        const auto [place, isNew] = places.try_emplace({row.operation, row.dims, row.cache}, cases.size());
        if (isNew)
            cases.append(Case{&row, {}});
        if (!row.stage.isEmpty())
            cases[place->second].byStage.insert(row.stage, &row);
    }
    return cases;
}

QStringList filesOf(const Case &entry, const QStringList &fileIds)
{
    QStringList files;
    for (const QString &id : fileIds) {
        if (entry.byStage.contains(stageName(entry.first->operation, id)))
            files.append(id);
    }
    return files;
}

} // namespace

QString stageName(const QString &operation, const QString &fileId)
{
    return operation + u'/' + fileId;
}

std::optional<evidence::Progression> fileProgression(const evidence::Namespace &evidence, const QStringList &fileIds,
                                                     QStringList &leftOut)
{
    const QList<ValueRow> rows = evidence::valueRows(evidence);
    evidence::Progression progression;
    for (const Case &entry : casesOf(rows)) {
        const QStringList files = filesOf(entry, fileIds);
        if (files.size() < fileIds.size()) {
            leftOut.append(QStringLiteral("%1 is in %2 only: it has no progression.")
                               .arg(entry.first->operation, files.join(QStringLiteral(", "))));
            continue;
        }
        evidence::OperationProgression &operation = progression.operations.emplace_back();
        operation.operation = entry.first->operation;
        operation.dims = entry.first->dims;
        operation.cache = entry.first->cache;
        for (const QString &id : files)
            operation.stages.append(stageOf(*entry.byStage[stageName(operation.operation, id)], id, evidence));
    }
    progression.deviceName = evidence.gpu;
    return progression.operations.isEmpty() ? std::nullopt : std::optional(progression);
}

} // namespace stagecraft::import
