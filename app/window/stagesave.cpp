// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagesave.h"

#include "faultphrases.h"
#include "publictext.h"
#include "verdict.h"

#include <algorithm>
#include <QRegularExpression>

namespace stagecraft::window {

using evidence::State;

namespace {

// The longest that a single call of a kernel may keep the worker silent. A stage that is being written hangs more often
// than one that is finished, and somebody waits for it.
constexpr int silenceLimitMs = 10'000;

QString implementationOf(const stagefile::Stage &stage)
{
    return QStringLiteral("cuda/") + QString::fromStdString(stage.id);
}

QString threeNumbers(const stagefile::Extent3 &extent)
{
    return QStringLiteral("%1,%2,%3").arg(extent[0]).arg(extent[1]).arg(extent[2]);
}

const evidence::ValueRow *rowOf(const QList<evidence::ValueRow> &rows, const QString &implementation)
{
    const auto row = std::ranges::find(rows, implementation, &evidence::ValueRow::implementation);
    return row == rows.end() ? nullptr : &*row;
}

std::optional<double> meanOf(const evidence::Value &value)
{
    return value.state == State::Ok && value.estimate ? std::optional(value.estimate->mean) : std::nullopt;
}

QString verdictWord(evidence::Verdict::Kind kind)
{
    switch (kind) {
    case evidence::Verdict::Faster:
        return QObject::tr("faster");
    case evidence::Verdict::Slower:
        return QObject::tr("slower");
    case evidence::Verdict::Undecided:
        break;
    }
    return QObject::tr("undecided");
}

MissingTime missingTime(const evidence::ValueRow &row)
{
    if (row.span.state != State::Ok || row.kernel.state == State::Ok)
        return {};
    return {row.kernel.state, row.kernel.reason};
}

// Of kernel times where both have them: what surrounds a call is the same for both.
void compare(StageSave &save, const evidence::ValueRow &own, const evidence::ValueRow &other)
{
    save.afterKernelUs = meanOf(other.kernel);
    save.afterSpanUs = meanOf(other.span);
    save.missingAfterKernel = missingTime(other);
    if (save.stage.arithmetic != save.after->arithmetic) {
        save.verdictText = QObject::tr("not compared: other arithmetic, %1 against %2")
                               .arg(run::publicText(save.stage.arithmetic), run::publicText(save.after->arithmetic));
        return;
    }
    const bool kernels = save.kernelUs && save.afterKernelUs;
    const evidence::Value &value = kernels ? own.kernel : own.span;
    const evidence::Value &base = kernels ? other.kernel : other.span;
    if (!meanOf(value) || !meanOf(base) || value.estimate->mean <= 0)
        return;
    save.factor = base.estimate->mean / value.estimate->mean;
    const evidence::Verdict verdict =
        evidence::compareRows(own, other, kernels ? &evidence::ValueRow::kernel : &evidence::ValueRow::span);
    save.verdict = verdictWord(verdict.kind);
    save.verdictText = verdict.text;
    if (!verdict.nextStep.isEmpty())
        save.verdictText += QLatin1Char('\n') + verdict.nextStep;
}

// What the launches of the save took, as its own run prepared them; empty where it did not come to that.
QList<evidence::LaunchResources> measuredResources(const StageSave &save, const evidence::Namespace &evidence)
{
    if (!evidence.progression)
        return {};
    for (const evidence::OperationProgression &operation : evidence.progression->operations) {
        if (operation.operation != save.operation())
            continue;
        const auto stage = std::ranges::find(operation.stages, save.id(), &evidence::ProgressionStage::id);
        if (stage != operation.stages.end())
            return evidence::launchResources(stage->resources);
        const auto attempt = std::ranges::find(operation.attempts, save.id(), &evidence::ProgressionAttempt::id);
        if (attempt != operation.attempts.end())
            return evidence::launchResources(attempt->resources);
    }
    return {};
}

} // namespace

QString StageSave::label() const
{
    return (again ? QObject::tr("run %1 · %2") : QObject::tr("save %1 · %2"))
        .arg(number)
        .arg(time.toString(QStringLiteral("HH:mm")));
}

QString failureWord(State state, const QString &reason)
{
    static const QRegularExpression cudaError(QStringLiteral("\\bCUDA_ERROR_([A-Z_]+)\\b"));
    const QRegularExpressionMatch match = cudaError.match(reason);
    if (match.hasMatch())
        return match.captured(1).toLower().replace(QLatin1Char('_'), QLatin1Char(' '));
    const auto says = [&](std::string_view phrase) {
        return reason.contains(QLatin1String(phrase.data(), static_cast<qsizetype>(phrase.size())));
    };
    if (state == State::Failed && says(protocol::phrase::workerHung))
        return QObject::tr("no answer");
    if (state == State::Invalid && says(protocol::phrase::cannotBeLaunched))
        return QObject::tr("impossible launch");
    return evidence::stateName(state);
}

QString compilationWord(const run::StageCompilation &compilation)
{
    switch (compilation.state) {
    case run::StageCompilation::Compiled:
        return {};
    case run::StageCompilation::Unavailable:
        return QObject::tr("not compiled");
    case run::StageCompilation::Failed:
        break;
    }
    // Only a compiler that came to its end has told what is wrong with the source.
    return compilation.log.contains(QLatin1String("error")) ? QObject::tr("compile error")
                                                            : QObject::tr("compiler failed");
}

void applyCompilation(StageSave &save, const run::StageCompilation &compilation)
{
    save.architecture = compilation.architecture;
    if (compilation.state != run::StageCompilation::Compiled) {
        const bool failed = compilation.state == run::StageCompilation::Failed;
        save.state = failed ? State::Failed : State::Unavailable;
        save.word = compilationWord(compilation);
        save.reason = compilation.fix.isEmpty()
                          ? compilation.reason
                          : QObject::tr("%1. What to do: %2").arg(compilation.reason, compilation.fix);
        save.settled = true;
        return;
    }
    save.resources.clear();
    for (qsizetype i = 0; i < compilation.kernels.size(); ++i) {
        const protocol::KernelResources &kernel = compilation.kernels.at(i);
        evidence::LaunchResources resources;
        resources.entry = QString::fromStdString(kernel.entry);
        resources.registersPerThread = kernel.registers;
        resources.barriers = kernel.barriers;
        resources.sharedMemBytes = kernel.sharedBytes;
        resources.localBytes = kernel.localBytes;
        resources.spillBytes = kernel.spillBytes;
        if (static_cast<std::size_t>(i) < save.stage.launches.size()) {
            const stagefile::Extent3 &block = save.stage.launches[static_cast<std::size_t>(i)].block;
            resources.block = threeNumbers(block);
            resources.threadsPerBlock = block[0] * block[1] * block[2];
        }
        save.resources.append(resources);
    }
}

run::RunPlan measurementPlan(const StageSave &save, int device, const QString &outputDirectory)
{
    run::RunPlan plan;
    plan.measurementTimeLimitMs = silenceLimitMs;
    plan.device = device;
    plan.floors = false; // a save compares two stages; the benchmark would take longer than they do
    plan.outputDirectory = outputDirectory;
    run::PlannedOperation operation{save.operation(), save.dims, {}};
    if (save.after) {
        operation.implementations.append(implementationOf(*save.after));
        plan.stages.append(*save.after);
    }
    operation.implementations.append(implementationOf(save.stage));
    plan.stages.append(save.stage);
    plan.operations.append(operation);
    return plan;
}

void applyMeasurement(StageSave &save, const evidence::Namespace &evidence)
{
    save.settled = true;
    save.runName = evidence.name;
    const QList<evidence::ValueRow> rows = evidence::valueRows(evidence);
    const evidence::ValueRow *own = rowOf(rows, implementationOf(save.stage));
    if (!own) {
        save.state = State::NotRun;
        save.word = QObject::tr("not measured");
        save.reason = QObject::tr("the run ended before it came to this stage");
        return;
    }
    if (const auto resources = measuredResources(save, evidence); !resources.isEmpty())
        save.resources = resources;
    save.state = own->span.state;
    save.reason = own->span.reason;
    if (save.state != State::Ok) {
        const bool wrong = own->correctness && !own->correctness->passed;
        save.word = wrong ? QObject::tr("wrong result") : failureWord(save.state, save.reason);
        return;
    }
    save.word = QObject::tr("ok");
    save.missingKernel = missingTime(*own);
    save.kernelUs = meanOf(own->kernel);
    save.spanUs = meanOf(own->span);
    const evidence::ValueRow *other = save.after ? rowOf(rows, implementationOf(*save.after)) : nullptr;
    if (other)
        compare(save, *own, *other);
}

} // namespace stagecraft::window
