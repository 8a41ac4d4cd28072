// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagesave.h"

#include "publictext.h"

// The saves of a session as a table and as evidence.
namespace stagecraft::window {

using evidence::State;

namespace {

widgets::ValueColumn column(const QString &id, const QString &title, const QString &unit, const QString &toolTip)
{
    widgets::ValueColumn column;
    column.id = id;
    column.title = title;
    column.unit = unit;
    column.numeric = !unit.isEmpty();
    column.decimals = 2;
    column.toolTip = toolTip;
    return column;
}

widgets::ValueCell timeCell(const std::optional<double> &value, const StageSave &save)
{
    if (value)
        return {{}, value, {}};
    return {save.state == State::Ok ? QObject::tr("unavailable") : QStringLiteral("–"), {}, save.reason};
}

widgets::ValueCell kernelCell(const StageSave &save)
{
    if (save.missingKernel.state == State::Ok)
        return timeCell(save.kernelUs, save);
    return {evidence::stateName(save.missingKernel.state), {}, save.missingKernel.reason};
}

widgets::ValueCell factorCell(const StageSave &save)
{
    return save.factor ? widgets::ValueCell{{}, save.factor, {}}
                       : widgets::ValueCell{QStringLiteral("–"), {}, save.verdictText};
}

QList<widgets::ValueCell> historyRow(const StageSave &save)
{
    return {{QString::number(save.number), {}, save.label()},
            {save.time.toString(QStringLiteral("HH:mm:ss")), {}, save.time.toString(Qt::ISODate)},
            {save.word, {}, save.reason},
            kernelCell(save),
            timeCell(save.spanUs, save),
            factorCell(save),
            {save.verdict.isEmpty() ? QStringLiteral("–") : save.verdict, {}, save.verdictText}};
}

nlohmann::json resourcesOf(const QList<evidence::LaunchResources> &resources, const stagefile::Stage &stage)
{
    nlohmann::json json = resources.isEmpty() ? nlohmann::json::object() : evidence::launchResourcesJson(resources);
    if (!stage.counts.empty())
        json["counts"] = stage.counts;
    return json;
}

evidence::ProgressionStage entryOf(const StageSave &save)
{
    evidence::ProgressionStage entry;
    entry.id = QStringLiteral("%1-save-%2").arg(save.id()).arg(save.number);
    entry.label = save.label();
    entry.title = run::publicText(save.stage.title);
    entry.change = run::publicText(save.stage.change);
    entry.kernelUs = save.kernelUs;
    entry.spanUs = save.spanUs;
    entry.origin = save.runName;
    entry.arithmetic = run::publicText(save.stage.arithmetic);
    entry.sourceSha256 = QString::fromStdString(save.stage.sha256);
    entry.resources = resourcesOf(save.resources, save.stage);
    entry.state = save.state;
    entry.reason = save.state == State::Ok ? QString() : run::publicText(save.reason);
    entry.kernelState = save.missingKernel.state;
    entry.kernelReason = run::publicText(save.missingKernel.reason);
    return entry;
}

// The stage that the saves started from, as it was measured beside the first of them that has a time for it.
evidence::ProgressionStage startOf(const StageSave &save)
{
    evidence::ProgressionStage entry;
    entry.id = QString::fromStdString(save.after->id);
    entry.label = run::publicText(save.after->label.empty() ? save.after->id : save.after->label);
    entry.title = run::publicText(save.after->title);
    entry.change = run::publicText(save.after->change);
    entry.kernelUs = save.afterKernelUs;
    entry.spanUs = save.afterSpanUs;
    entry.origin = save.runName;
    entry.arithmetic = run::publicText(save.after->arithmetic);
    entry.sourceSha256 = QString::fromStdString(save.after->sha256);
    entry.resources = resourcesOf({}, *save.after);
    entry.kernelState = save.missingAfterKernel.state;
    entry.kernelReason = run::publicText(save.missingAfterKernel.reason);
    return entry;
}

// Whether times of the two answer one question: only such stand in one ladder, with factors between them.
bool isSameProblem(const StageSave &a, const StageSave &b)
{
    return a.operation() == b.operation() && a.dims == b.dims && a.stage.arithmetic == b.stage.arithmetic;
}

evidence::OperationProgression progressionOf(const QList<StageSave> &saves)
{
    evidence::OperationProgression progression;
    progression.operation = saves.first().operation();
    progression.dims = saves.first().dims;
    progression.cache = run::RunPlan().cache; // measurementPlan() leaves it so
    const auto start = std::ranges::find_if(saves, [](const StageSave &save) {
        return save.after && save.after->arithmetic == save.stage.arithmetic &&
               (save.afterKernelUs || save.afterSpanUs);
    });
    if (start != saves.end())
        progression.stages.append(startOf(*start));
    for (const StageSave &save : saves)
        progression.stages.append(entryOf(save));
    return progression;
}

QList<QList<StageSave>> byProblem(const QList<StageSave> &saves)
{
    QList<QList<StageSave>> problems;
    for (const StageSave &save : saves) {
        const auto known = std::ranges::find_if(
            problems, [&](const QList<StageSave> &problem) { return isSameProblem(problem.first(), save); });
        if (known == problems.end())
            problems.append({save});
        else
            known->append(save);
    }
    return problems;
}

void copyOrigin(const evidence::Namespace &from, evidence::Namespace &to)
{
    to.gpu = from.gpu;
    to.driver = from.driver;
    to.cuda = from.cuda;
    to.platform = from.platform;
    to.precision = from.precision;
    to.timing = from.timing;
    to.timestampMode = from.timestampMode;
    to.captureBackend = from.captureBackend;
    if (!from.progression)
        return;
    to.progression->deviceSms = from.progression->deviceSms;
    to.progression->deviceMaxThreadsPerSm = from.progression->deviceMaxThreadsPerSm;
    to.progression->deviceName = from.progression->deviceName;
    to.progression->deviceComputeCapability = from.progression->deviceComputeCapability;
}

} // namespace

widgets::ValueTable historyTable(const QList<StageSave> &saves, const QString &operation, const QString &id)
{
    const QString us = QStringLiteral("µs");
    widgets::ValueTable table;
    table.id = QStringLiteral("session");
    table.title = QObject::tr("This session");
    table.columns = {
        column(QStringLiteral("save"), QObject::tr("save"), {}, QObject::tr("Each time that the stage was saved")),
        column(QStringLiteral("time"), QObject::tr("time"), {}, QObject::tr("When it was saved")),
        column(QStringLiteral("state"), QObject::tr("state"), {}, QObject::tr("What became of it")),
        column(QStringLiteral("kernel_us"), QObject::tr("kernel"), us,
               QObject::tr("Kernel time, mean over the rounds")),
        column(QStringLiteral("span_us"), QObject::tr("span"), us, QObject::tr("Time around the call, mean")),
        column(QStringLiteral("factor"), QObject::tr("factor"), QStringLiteral("×"),
               QObject::tr("Time of the stage before it ÷ this one's, measured in the same run; above 1 is faster")),
        column(QStringLiteral("verdict"), QObject::tr("verdict"), {},
               QObject::tr("Whether the difference is beyond what the rounds can resolve"))};
    for (auto save = saves.crbegin(); save != saves.crend(); ++save) {
        if (save->operation() == operation && save->id() == id)
            table.rows.append(historyRow(*save));
    }
    return table;
}

evidence::Namespace sessionEvidence(const QList<StageSave> &saves, const evidence::Namespace *lastRun)
{
    evidence::Namespace session;
    session.name = QObject::tr("stage session");
    session.progression.emplace();
    if (!saves.isEmpty())
        session.utc = saves.first().time.toUTC().toString(QStringLiteral("yyyy-MM-dd'T'HH:mm:ss'Z'"));
    if (lastRun)
        copyOrigin(*lastRun, session);
    for (const QList<StageSave> &problem : byProblem(saves))
        session.progression->operations.append(progressionOf(problem));
    return session;
}

} // namespace stagecraft::window
