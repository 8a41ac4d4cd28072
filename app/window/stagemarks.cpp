// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagemarks.h"

#include "compiletable.h"

namespace stagecraft::window {

using evidence::State;

namespace {

QString timesOf(const StageSave &save)
{
    QStringList parts;
    if (save.kernelUs || save.spanUs)
        parts.append(
            QObject::tr("%1 µs").arg(widgets::displayNumber(save.kernelUs ? *save.kernelUs : *save.spanUs, 2)));
    if (save.factor)
        parts.append(QObject::tr("%1×").arg(widgets::displayNumber(*save.factor, 2)));
    return parts.join(QStringLiteral(" · "));
}

StageMark::Kind kindOf(const StageSave &save)
{
    if (!save.settled)
        return StageMark::Busy;
    switch (save.state) {
    case State::Ok:
        return StageMark::Good;
    case State::Failed:
    case State::Invalid:
        return StageMark::Bad;
    default:
        return StageMark::Attention;
    }
}

// Whether the save says something of the text as it is, rather than of an older one.
bool speaksOf(const StageSave *save, const stagefile::Stage &stage)
{
    return save && save->stage.sha256 == stage.sha256;
}

// A save that was only compiled says what the compiler says.
bool isOnlyCompiled(const StageSave &save)
{
    return save.settled && save.state == State::Unavailable && !save.resources.isEmpty();
}

StageMark compileMark(const stagefile::Stage &stage, const QString &architecture, const StageCompilations &compilations)
{
    const run::StageCompilation *compilation = compilations.find(stage, architecture);
    if (!compilation)
        return compilations.isUnderWay(stage, architecture) ? StageMark{StageMark::Busy, QObject::tr("compiling"), {}}
                                                            : StageMark();
    switch (compilation->state) {
    case run::StageCompilation::Compiled:
        break;
    case run::StageCompilation::Failed:
        return {StageMark::Bad, compilationWord(*compilation), compilation->reason};
    case run::StageCompilation::Unavailable:
        return {StageMark::Attention, QObject::tr("not compiled"), compilation->reason};
    }
    const int registers = compilation->kernels.isEmpty() ? 0 : compilation->kernels.first().registers;
    return {StageMark::Good, QObject::tr("%1 registers").arg(registers),
            QObject::tr("Compiled for %1").arg(architecture)};
}

} // namespace

StageMark stageMark(const stagefile::Stage &stage, const StageSave *save, const QString &architecture,
                    const StageCompilations &compilations)
{
    if (!speaksOf(save, stage) || isOnlyCompiled(*save))
        return compileMark(stage, architecture, compilations);
    const QString times = save->state == State::Ok && save->settled ? timesOf(*save) : QString();
    return {kindOf(*save), times.isEmpty() ? save->word : times,
            save->state == State::Ok ? save->verdictText : save->reason};
}

StageSummary stageSummary(const stagefile::Stage &stage, const stagefile::Stage *after, const StageSave *save,
                          const QString &architecture, const StageCompilations &compilations)
{
    if (!speaksOf(save, stage) || isOnlyCompiled(*save)) {
        const run::StageCompilation *compilation = compilations.find(stage, architecture);
        const bool failed = compilation && compilation->state == run::StageCompilation::Failed;
        return {compileSummary(stage, after, architecture, {}, compilations), failed ? compilation->reason : QString(),
                failed};
    }
    // Beside a measurement stands what the compiler says for the GPU and dims of the measurement.
    const QString compiled = compileSummary(stage, after, save->architecture, save->dims, compilations);
    if (!save->settled)
        return {QStringLiteral("%1: %2… · %3").arg(save->label(), save->word, compiled), {}, false};
    if (save->state != State::Ok)
        return {QStringLiteral("%1: %2").arg(save->label(), save->word), save->reason, kindOf(*save) == StageMark::Bad};
    QStringList parts{timesOf(*save)};
    if (!save->verdict.isEmpty())
        parts.append(save->verdict);
    parts.append(compiled);
    return {QStringLiteral("%1: %2").arg(save->label(), parts.join(QStringLiteral(" · "))), {}, false};
}

} // namespace stagecraft::window
