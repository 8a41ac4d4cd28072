// SPDX-License-Identifier: GPL-3.0-or-later
#include "compiletable.h"

#include "occupancy.h"
#include "stagesave.h"

#include <QRegularExpression>

namespace stagecraft::window {

namespace {

const QString dash = QStringLiteral("–");

// The figures of one kernel that are shown, in the order of the columns.
struct KernelFigures
{
    std::optional<qint64> registers, shared, local, spill, barriers, resident;
    QString residentNote;
};

QString limitText(stagefile::Occupancy::Limit limit)
{
    switch (limit) {
    case stagefile::Occupancy::Threads:
        return QObject::tr("limited by the SM's threads");
    case stagefile::Occupancy::Blocks:
        return QObject::tr("limited by the SM's blocks");
    case stagefile::Occupancy::Registers:
        return QObject::tr("limited by registers");
    case stagefile::Occupancy::SharedMemory:
        return QObject::tr("limited by shared memory");
    }
    return {};
}

void fillResidence(KernelFigures &figures, const stagefile::LaunchSpec &launch, const protocol::KernelResources &kernel,
                   const QString &architecture)
{
    const auto limits = stagefile::smLimits(architecture.toStdString());
    if (!limits)
        return;
    stagefile::KernelShape shape;
    shape.threadsPerBlock = launch.block[0] * launch.block[1] * launch.block[2];
    shape.registersPerThread = kernel.registers;
    shape.sharedBytes = kernel.sharedBytes;
    const auto occupancy = stagefile::occupancy(*limits, shape);
    figures.resident = occupancy ? occupancy->residentThreads : 0;
    figures.residentNote = occupancy ? QObject::tr("%1 blocks of %2 threads of at most %3 threads; %4")
                                           .arg(occupancy->blocksPerSm)
                                           .arg(shape.threadsPerBlock)
                                           .arg(limits->threads)
                                           .arg(limitText(occupancy->limitedBy))
                                     : QObject::tr("not even one block fits on an SM: it cannot be launched");
}

KernelFigures figuresOf(const stagefile::Stage &stage, const run::StageCompilation &compilation, qsizetype kernel)
{
    KernelFigures figures;
    if (kernel >= compilation.kernels.size())
        return figures;
    const protocol::KernelResources &resources = compilation.kernels.at(kernel);
    figures.registers = resources.registers;
    figures.shared = resources.sharedBytes;
    figures.local = resources.localBytes;
    figures.spill = resources.spillBytes;
    figures.barriers = resources.barriers;
    const auto launch = static_cast<std::size_t>(kernel);
    if (launch < stage.launches.size())
        fillResidence(figures, stage.launches[launch], resources, compilation.architecture);
    return figures;
}

QString changeText(qint64 change)
{
    return change == 0 ? QStringLiteral("±0")
                       : (change > 0 ? QStringLiteral("+%1") : QStringLiteral("−%1")).arg(qAbs(change));
}

QString withChange(const std::optional<qint64> &value, const std::optional<qint64> &before)
{
    if (!value)
        return dash;
    const QString text = QString::number(*value);
    return before ? QStringLiteral("%1 (%2)").arg(text, changeText(*value - *before)) : text;
}

widgets::ValueColumn column(const char *id, const QString &title, const QString &toolTip)
{
    widgets::ValueColumn column;
    column.id = QLatin1String(id);
    column.title = title;
    column.toolTip = toolTip;
    return column;
}

QList<widgets::ValueColumn> columns(const stagefile::Stage *after)
{
    const QString change =
        after ? QObject::tr("; in brackets the change against %1").arg(QString::fromStdString(after->id)) : QString();
    return {column("architecture", QObject::tr("for"), QObject::tr("The architecture that it is compiled for")),
            column("kernel", QObject::tr("kernel"), QObject::tr("The entry of the launch")),
            column("registers", QObject::tr("registers"), QObject::tr("Registers of one thread") + change),
            column("shared_bytes", QObject::tr("shared B"),
                   QObject::tr("Shared memory of one block, static and dynamic, bytes") + change),
            column("local_bytes", QObject::tr("local B"), QObject::tr("Local memory of one thread, bytes") + change),
            column("spill_bytes", QObject::tr("spill B"),
                   QObject::tr("Registers of one thread that are spilled to memory, bytes") + change),
            column("barriers", QObject::tr("barriers"), QObject::tr("Barriers that one block uses") + change),
            column("resident_threads", QObject::tr("threads/SM"),
                   QObject::tr("Threads that a multiprocessor holds at once") + change)};
}

QString stateText(const stagefile::Stage &stage, const QString &architecture, const QList<qint64> &dims,
                  const StageCompilations &compilations, QString *reason)
{
    *reason = compilations.misfit(stage, architecture, dims);
    if (!reason->isEmpty())
        return QObject::tr("does not fit");
    const run::StageCompilation *compilation = compilations.find(stage, architecture, dims);
    if (!compilation)
        return compilations.isUnderWay(stage, architecture, dims) ? QObject::tr("compiling…")
                                                                  : QObject::tr("not compiled");
    *reason = compilation->fix.isEmpty() ? compilation->reason
                                         : QStringLiteral("%1\n%2").arg(compilation->reason, compilation->fix);
    return compilationWord(*compilation);
}

QList<widgets::ValueCell> kernelRow(const QString &architecture, const QString &entry, const KernelFigures &now,
                                    const KernelFigures &before)
{
    return {{architecture, {}, {}},
            {entry, {}, {}},
            {withChange(now.registers, before.registers), {}, {}},
            {withChange(now.shared, before.shared), {}, {}},
            {withChange(now.local, before.local), {}, {}},
            {withChange(now.spill, before.spill), {}, {}},
            {withChange(now.barriers, before.barriers), {}, {}},
            {withChange(now.resident, before.resident), {}, now.residentNote}};
}

// The line of the first of these words that the text has in quotation marks; 1 where it has none.
int lineOfWord(const QStringList &words, const QString &text)
{
    for (const QString &word : words) {
        const qsizetype place = text.indexOf(QStringLiteral("\"%1\"").arg(word));
        if (place >= 0)
            return static_cast<int>(text.first(place).count(QLatin1Char('\n'))) + 1;
    }
    return 1;
}

const run::StageCompilation *sound(const stagefile::Stage *stage, const QString &architecture,
                                   const QList<qint64> &dims, const StageCompilations &compilations)
{
    const run::StageCompilation *found = stage ? compilations.find(*stage, architecture, dims) : nullptr;
    return found && found->state == run::StageCompilation::Compiled ? found : nullptr;
}

QString partOf(const std::optional<qint64> &value, const std::optional<qint64> &before, const QString &what)
{
    if (!value || (*value == 0 && before.value_or(0) == 0))
        return {};
    const QString text = what.arg(*value);
    return before && *before != *value ? QStringLiteral("%1 (%2)").arg(text, changeText(*value - *before)) : text;
}

} // namespace

widgets::ValueTable compileTable(const stagefile::Stage &stage, const stagefile::Stage *after,
                                 const QStringList &architectures, const StageCompilations &compilations)
{
    widgets::ValueTable table;
    table.id = QStringLiteral("compiled");
    table.title = QObject::tr("Compiled");
    table.columns = columns(after);
    const QList<qint64> dims; // the plan's
    for (const QString &architecture : architectures) {
        const run::StageCompilation *now = sound(&stage, architecture, dims, compilations);
        if (!now) {
            QString reason;
            const QString state = stateText(stage, architecture, dims, compilations, &reason);
            QList<widgets::ValueCell> row{{architecture, {}, {}}, {state, {}, reason}};
            while (row.size() < table.columns.size())
                row.append({dash, {}, reason});
            table.rows.append(row);
            continue;
        }
        const run::StageCompilation *before = sound(after, architecture, dims, compilations);
        for (qsizetype i = 0; i < now->kernels.size(); ++i) {
            table.rows.append(kernelRow(architecture, QString::fromStdString(now->kernels.at(i).entry),
                                        figuresOf(stage, *now, i),
                                        before ? figuresOf(*after, *before, i) : KernelFigures()));
        }
    }
    return table;
}

QString compileSummary(const stagefile::Stage &stage, const stagefile::Stage *after, const QString &architecture,
                       const QList<qint64> &dims, const StageCompilations &compilations)
{
    const run::StageCompilation *now = sound(&stage, architecture, dims, compilations);
    if (!now) {
        QString reason;
        return stateText(stage, architecture, dims, compilations, &reason);
    }
    const run::StageCompilation *before = sound(after, architecture, dims, compilations);
    const KernelFigures figures = figuresOf(stage, *now, 0);
    const KernelFigures base = before ? figuresOf(*after, *before, 0) : KernelFigures();
    QStringList parts{partOf(figures.registers, base.registers, QObject::tr("%1 registers")),
                      partOf(figures.shared, base.shared, QObject::tr("%1 B shared")),
                      partOf(figures.local, base.local, QObject::tr("%1 B local")),
                      partOf(figures.spill, base.spill, QObject::tr("%1 B spilled")),
                      partOf(figures.resident, base.resident, QObject::tr("%1 threads per SM"))};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QList<widgets::SourceMessage> compileMessagesOf(const stagefile::Stage &stage, const QStringList &architectures,
                                                const StageCompilations &compilations)
{
    QList<widgets::SourceMessage> messages;
    for (const QString &architecture : architectures) {
        const run::StageCompilation *compilation = compilations.find(stage, architecture);
        if (!compilation)
            continue;
        for (const run::CompileMessage &message :
             run::compileMessages(compilation->log, QString::fromStdString(stage.fileName)))
            messages.append(
                {message.line, static_cast<widgets::SourceMessage::Severity>(message.severity), message.text});
        if (!messages.isEmpty())
            break;
    }
    return messages;
}

QList<widgets::SourceMessage> problemMessages(const QString &problem, const QString &text)
{
    static const QRegularExpression line(QStringLiteral("\\.cu:(\\d+):"));
    const QRegularExpressionMatch named = line.match(problem);
    if (named.hasMatch())
        return {{named.captured(1).toInt(), widgets::SourceMessage::Error, problem}};
    // A key of the front matter: what the problem quotes, else the last part of its pointer.
    static const QRegularExpression quoted(QStringLiteral("[\"“]([A-Za-z_]+)[\"”]"));
    static const QRegularExpression pointer(QStringLiteral(": (?:/[A-Za-z0-9_]+)*/([A-Za-z_]+)"));
    QStringList words;
    for (const QRegularExpressionMatch &match : quoted.globalMatch(problem))
        words.append(match.captured(1));
    if (const QRegularExpressionMatch key = pointer.match(problem); key.hasMatch())
        words.append(key.captured(1));
    return {{lineOfWord(words, text), widgets::SourceMessage::Error, problem}};
}

} // namespace stagecraft::window
