// SPDX-License-Identifier: GPL-3.0-or-later
#include "compiledstages.h"

#include "architectures.h"
#include "machinecodefiles.h"
#include "stagefit.h"
#include "statusline.h"

#include <algorithm>
#include <QEventLoop>

namespace stagecraft::commands {

namespace {

QList<qint64> dimsOf(const run::CatalogueStage &entry, const StagesRequest &request)
{
    const operations::Dims &standard = operations::findOperation(entry.stage.operation)->defaultDims;
    return request.dims.value(entry.operation(), QList<qint64>(standard.begin(), standard.end()));
}

// What a stage says itself of where it cannot be used is no fault of it.
CompiledStage judged(const run::CatalogueStage &entry, const QString &architecture, const StagesRequest &request)
{
    CompiledStage compiled;
    compiled.architecture = architecture;
    const QList<qint64> dims = dimsOf(entry, request);
    const auto gpu = run::gpuFactsOf(architecture);
    if (const auto misfit = gpu ? stagefile::gpuMisfit(entry.stage, *gpu) : std::nullopt) {
        compiled.state = CompiledStage::Unavailable;
        compiled.reason = QString::fromStdString(*misfit);
    } else if (const auto unfit = stagefile::dimsMisfit(entry.stage, {dims.begin(), dims.end()}, 1)) {
        compiled.state = CompiledStage::Invalid;
        compiled.reason = QString::fromStdString(*unfit);
    } else {
        compiled.made = true;
    }
    return compiled;
}

QList<CompiledLaunch> launchesOf(const stagefile::Stage &stage, const run::StageCompilation &compilation)
{
    const auto limits = stagefile::smLimits(compilation.architecture.toStdString());
    QList<CompiledLaunch> launches;
    for (qsizetype i = 0; i < compilation.kernels.size(); ++i) {
        const stagefile::Extent3 &block = stage.launches[static_cast<std::size_t>(i)].block;
        CompiledLaunch launch{compilation.kernels[i], block[0] * block[1] * block[2], {}, {}};
        if (limits)
            launch.occupancy = stagefile::occupancy(
                *limits, {launch.threadsPerBlock, launch.resources.registers, launch.resources.sharedBytes});
        if (!limits)
            launch.noOccupancy = QStringLiteral("the limits of %1 are not known").arg(compilation.architecture);
        else if (!launch.occupancy)
            launch.noOccupancy = QStringLiteral("not one block fits a multiprocessor");
        launches.append(launch);
    }
    return launches;
}

void take(CompiledStage &compiled, const stagefile::Stage &stage, const run::StageCompilation &compilation)
{
    compiled.state = compilation.state == run::StageCompilation::Compiled ? CompiledStage::Compiled
                     : compilation.state == run::StageCompilation::Failed ? CompiledStage::Failed
                                                                          : CompiledStage::Unavailable;
    compiled.reason = compilation.reason;
    compiled.fix = compilation.fix;
    compiled.log = compilation.log;
    compiled.launches = launchesOf(stage, compilation);
}

} // namespace

QString stateWord(CompiledStage::State state)
{
    switch (state) {
    case CompiledStage::Compiled:
        return QStringLiteral("compiled");
    case CompiledStage::Failed:
        return QStringLiteral("failed");
    case CompiledStage::Unavailable:
        return QStringLiteral("unavailable");
    case CompiledStage::Invalid:
        break;
    }
    return QStringLiteral("invalid");
}

QString limitWord(stagefile::Occupancy::Limit limit)
{
    switch (limit) {
    case stagefile::Occupancy::Threads:
        return QStringLiteral("threads");
    case stagefile::Occupancy::Blocks:
        return QStringLiteral("blocks");
    case stagefile::Occupancy::Registers:
        return QStringLiteral("registers");
    case stagefile::Occupancy::SharedMemory:
        break;
    }
    return QStringLiteral("shared memory");
}

bool ListedStage::failed() const
{
    return std::ranges::any_of(
        compiled, [](const CompiledStage &one) { return one.made && one.state != CompiledStage::Compiled; });
}

bool ListedStage::lacksMachineCode() const
{
    return std::ranges::any_of(compiled, [](const CompiledStage &one) { return !one.noMachineCode.isEmpty(); });
}

bool ListedStage::usesLocalMemory() const
{
    return std::ranges::any_of(compiled, [](const CompiledStage &one) {
        return std::ranges::any_of(one.launches, [](const CompiledLaunch &launch) {
            return launch.resources.localBytes > 0 || launch.resources.spillBytes > 0;
        });
    });
}

QList<run::CatalogueStage> inReadingOrder(const QList<run::CatalogueStage> &stages)
{
    QList<run::CatalogueStage> ordered;
    const auto append = [&](const auto &self, const run::CatalogueStage &entry) -> void {
        ordered.append(entry);
        for (const run::CatalogueStage &next : stages) {
            if (next.stage.status == stagefile::Status::Attempt && next.operation() == entry.operation() &&
                next.stage.after == entry.stage.id)
                self(self, next);
        }
    };
    for (const run::CatalogueStage &entry : stages) {
        if (entry.stage.status == stagefile::Status::Retained)
            append(append, entry);
    }
    return ordered;
}

namespace {

void compileAll(const QList<run::CompileOrder> &orders, const QList<CompiledStage *> &targets,
                const StagesRequest &request)
{
    run::StageCompiler compiler;
    compiler.setWorkerPrefix(request.workerPrefix);
    StatusLine status;
    QEventLoop loop;
    qsizetype done = 0;
    QObject::connect(&compiler, &run::StageCompiler::compiled, &loop, [&](const run::StageCompilation &compilation) {
        take(*targets[done], orders[done].stage, compilation);
        ++done;
        status.show(QStringLiteral("[%1/%2] %3/%4 %5")
                        .arg(done)
                        .arg(orders.size())
                        .arg(compilation.operation, compilation.id, compilation.architecture));
    });
    QObject::connect(&compiler, &run::StageCompiler::finished, &loop, &QEventLoop::quit);
    compiler.compile(orders);
    loop.exec();
}

} // namespace

QList<ListedStage> compileStages(const QList<run::CatalogueStage> &stages, const StagesRequest &request)
{
    QList<ListedStage> listed;
    for (const run::CatalogueStage &entry : stages) {
        listed.append({entry, {}});
        for (const QString &architecture : request.architectures)
            listed.last().compiled.append(judged(entry, architecture, request));
    }
    MachineCodeFiles files(request);
    QList<run::CompileOrder> orders;
    QList<CompiledStage *> targets;
    for (ListedStage &stage : listed) {
        for (CompiledStage &compiled : stage.compiled) {
            if (!compiled.made)
                continue;
            orders.append({stage.entry.stage, compiled.architecture, dimsOf(stage.entry, request)});
            files.putInto(orders.last());
            targets.append(&compiled);
        }
    }
    if (!orders.isEmpty())
        compileAll(orders, targets, request);
    files.finish(listed);
    return listed;
}

} // namespace stagecraft::commands
