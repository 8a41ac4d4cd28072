// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagesave.h"

#include <QSet>

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

QList<widgets::ValueCell> historyRow(const StageSave &save)
{
    return {{QString::number(save.number), {}, save.label()},
            {save.time.toString(QStringLiteral("HH:mm:ss")), {}, save.time.toString(Qt::ISODate)},
            {save.word, {}, save.reason},
            timeCell(save.kernelUs, save),
            timeCell(save.spanUs, save),
            timeCell(save.factor, save),
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
    entry.title = QString::fromStdString(save.stage.title);
    entry.change = QString::fromStdString(save.stage.change);
    entry.kernelUs = save.kernelUs;
    entry.spanUs = save.spanUs;
    entry.origin = save.runName;
    entry.arithmetic = QString::fromStdString(save.stage.arithmetic);
    entry.sourceSha256 = QString::fromStdString(save.stage.sha256);
    entry.resources = resourcesOf(save.resources, save.stage);
    entry.state = save.state;
    entry.reason = save.state == State::Ok ? QString() : save.reason;
    return entry;
}

// The stage that the saves started from, as it was measured beside the first of them that has a time for it.
evidence::ProgressionStage startOf(const StageSave &save)
{
    evidence::ProgressionStage entry;
    entry.id = QString::fromStdString(save.after->id);
    entry.label = QString::fromStdString(save.after->label.empty() ? save.after->id : save.after->label);
    entry.title = QString::fromStdString(save.after->title);
    entry.change = QString::fromStdString(save.after->change);
    entry.kernelUs = save.afterKernelUs;
    entry.spanUs = save.afterSpanUs;
    entry.origin = save.runName;
    entry.arithmetic = QString::fromStdString(save.after->arithmetic);
    entry.sourceSha256 = QString::fromStdString(save.after->sha256);
    entry.resources = resourcesOf({}, *save.after);
    return entry;
}

evidence::OperationProgression progressionOf(const QString &operation, const QList<StageSave> &saves)
{
    evidence::OperationProgression progression;
    progression.operation = operation;
    const auto start = std::ranges::find_if(saves, [&](const StageSave &save) {
        return save.operation() == operation && save.after && (save.afterKernelUs || save.afterSpanUs);
    });
    if (start != saves.end())
        progression.stages.append(startOf(*start));
    for (const StageSave &save : saves) {
        if (save.operation() == operation)
            progression.stages.append(entryOf(save));
    }
    return progression;
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
    QStringList operations;
    for (const StageSave &save : saves) {
        if (!operations.contains(save.operation()))
            operations.append(save.operation());
    }
    for (const QString &operation : operations)
        session.progression->operations.append(progressionOf(operation, saves));
    return session;
}

} // namespace stagecraft::window
