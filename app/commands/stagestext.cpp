// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagestext.h"

#include "console.h"
#include "texttable.h"

#include <algorithm>
#include <QSet>

namespace stagecraft::commands {

namespace {

using widgets::ValueCell;

constexpr int textWidth = 100;

ValueCell cell(const QString &text)
{
    return {text, {}, {}};
}

ValueCell cell(qint64 number)
{
    return {{}, static_cast<double>(number), {}};
}

widgets::ValueColumn textColumn(const char *title)
{
    const QString name = QString::fromLatin1(title);
    return {name, name, {}, false, 0, {}};
}

widgets::ValueColumn numberColumn(const char *title, const char *unit = "")
{
    const QString name = QString::fromLatin1(title);
    return {name, name, QString::fromLatin1(unit), true, 0, {}};
}

QString text(const std::string &value)
{
    return QString::fromStdString(value);
}

QString indentedId(const ListedStage &stage)
{
    const bool attempt = stage.entry.stage.status == stagefile::Status::Attempt;
    return (attempt ? QStringLiteral("    ") : QStringLiteral("  ")) + stage.entry.id();
}

QString statusText(const ListedStage &stage)
{
    const QString status = stage.entry.stage.status == stagefile::Status::Retained ? QStringLiteral("retained")
                                                                                   : QStringLiteral("attempt");
    return stage.entry.own ? status + QStringLiteral(", own") : status;
}

widgets::ValueTable listTable(const QList<ListedStage> &stages)
{
    widgets::ValueTable table;
    table.columns = {textColumn("  stage"), textColumn("status"),     textColumn("label"),
                     textColumn("after"),   textColumn("arithmetic"), textColumn("title")};
    for (const ListedStage &listed : stages) {
        const stagefile::Stage &stage = listed.entry.stage;
        table.rows.append({cell(indentedId(listed)), cell(statusText(listed)), cell(text(stage.label)),
                           cell(text(stage.after)), cell(text(stage.arithmetic)), cell(text(stage.title))});
    }
    return table;
}

// Empty where the heading has it.
QString shownArchitecture(const ListedStage &listed, const CompiledStage &compiled)
{
    return listed.compiled.size() > 1 ? compiled.architecture : QString();
}

QList<ValueCell> launchRow(const ListedStage &listed, const CompiledStage &compiled, const CompiledLaunch &launch)
{
    const protocol::KernelResources &resources = launch.resources;
    QList<ValueCell> row{cell(indentedId(listed)),
                         cell(shownArchitecture(listed, compiled)),
                         cell(listed.entry.stage.launches.size() > 1 ? text(resources.entry) : QString()),
                         cell(resources.registers),
                         cell(resources.sharedBytes),
                         cell(resources.localBytes),
                         cell(resources.spillBytes),
                         cell(resources.barriers)};
    row.append(launch.occupancy ? cell(launch.occupancy->residentThreads) : ValueCell{});
    row.append(cell(launch.occupancy ? limitWord(launch.occupancy->limitedBy) : launch.noOccupancy));
    const bool local = resources.localBytes > 0 || resources.spillBytes > 0;
    row.append(cell(!local                                   ? QString()
                    : listed.entry.stage.localMemory.empty() ? QStringLiteral("warning: local memory")
                                                             : QStringLiteral("local memory on purpose")));
    return row;
}

widgets::ValueTable compiledTable(const QList<ListedStage> &stages)
{
    widgets::ValueTable table;
    table.columns = {textColumn("  stage"),      textColumn("for"),           textColumn("launch"),
                     numberColumn("registers"),  numberColumn("shared", "B"), numberColumn("local", "B"),
                     numberColumn("spill", "B"), numberColumn("barriers"),    numberColumn("threads/SM"),
                     textColumn("limited by"),   textColumn("remark")};
    for (const ListedStage &listed : stages) {
        for (const CompiledStage &compiled : listed.compiled) {
            for (const CompiledLaunch &launch : compiled.launches)
                table.rows.append(launchRow(listed, compiled, launch));
            if (!compiled.launches.isEmpty())
                continue;
            QList<ValueCell> row(table.columns.size());
            row[0] = cell(indentedId(listed));
            row[1] = cell(shownArchitecture(listed, compiled));
            row.last() = cell(stateWord(compiled.state));
            table.rows.append(row);
        }
    }
    return table;
}

QStringList paragraph(const QString &start, const QString &words)
{
    QStringList lines = wrapped(start + QStringLiteral(": ") + words, textWidth - 4);
    for (QString &line : lines)
        line.prepend(QStringLiteral("  "));
    return lines;
}

QString countsText(const stagefile::Stage &stage)
{
    QStringList counts;
    for (const auto &[what, number] : stage.counts)
        counts.append(QStringLiteral("%1 %2").arg(text(what), widgets::storedNumber(number)));
    return counts.isEmpty() ? QString() : QStringLiteral(" Counts: %1.").arg(counts.join(QStringLiteral(", ")));
}

QStringList mixNotes(const ListedStage &listed, const CompiledStage &compiled)
{
    QStringList lines;
    for (const CompiledLaunch &launch : compiled.launches) {
        if (!launch.mix)
            continue;
        QStringList name{listed.entry.id(), shownArchitecture(listed, compiled)};
        if (compiled.launches.size() > 1)
            name.append(text(launch.resources.entry));
        name.removeAll(QString());
        lines +=
            paragraph(name.join(QLatin1Char(' ')),
                      QStringLiteral("%1 instructions: %2").arg(launch.mix->total()).arg(run::mixText(*launch.mix)));
    }
    return lines;
}

// What the table has no room for.
QStringList notes(const ListedStage &listed)
{
    const stagefile::Stage &stage = listed.entry.stage;
    if (listed.compiled.isEmpty())
        return paragraph(listed.entry.id(), text(stage.change) + countsText(stage));
    QStringList lines;
    if (listed.usesLocalMemory())
        lines += paragraph(listed.entry.id(),
                           stage.localMemory.empty()
                               ? QStringLiteral("uses local memory, and its front matter does not say why "
                                                "(“local_memory”): a spill costs time that the source does not show.")
                               : text(stage.localMemory));
    for (const CompiledStage &compiled : listed.compiled) {
        if (!compiled.made)
            lines +=
                paragraph(QStringLiteral("%1 for %2").arg(listed.entry.id(), compiled.architecture), compiled.reason);
        lines += mixNotes(listed, compiled);
    }
    return lines;
}

// "matmul", or "matmul for sm_89" where the table would say the same in every row.
QString heading(const ListedStage &first)
{
    return first.compiled.size() == 1
               ? QStringLiteral("%1 for %2").arg(first.entry.operation(), first.compiled.first().architecture)
               : first.entry.operation();
}

QStringList operationText(const QList<ListedStage> &stages)
{
    QStringList lines{heading(stages.first())};
    lines += textTable(stages.first().compiled.isEmpty() ? listTable(stages) : compiledTable(stages));
    QStringList below;
    for (const ListedStage &listed : stages)
        below += notes(listed);
    if (!below.isEmpty())
        lines += QStringList{QString()} + below;
    return lines + QStringList{QString()};
}

} // namespace

QStringList stagesText(const QList<ListedStage> &stages)
{
    QStringList lines;
    for (auto begin = stages.begin(); begin != stages.end();) {
        const QString operation = begin->entry.operation();
        const auto end = std::find_if(begin, stages.end(),
                                      [&](const ListedStage &listed) { return listed.entry.operation() != operation; });
        lines += operationText(QList(begin, end));
        begin = end;
    }
    if (!lines.isEmpty())
        lines.removeLast();
    return lines;
}

QStringList failureText(const QList<ListedStage> &stages)
{
    QStringList lines;
    QSet<QString> said;
    for (const ListedStage &listed : stages) {
        for (const CompiledStage &compiled : listed.compiled) {
            if (!compiled.noMachineCode.isEmpty() && !said.contains(compiled.noMachineCode)) {
                said.insert(compiled.noMachineCode);
                lines.append(QStringLiteral("no machine code: %1. What to do: %2")
                                 .arg(compiled.noMachineCode, compiled.machineCodeFix));
            }
            if (!compiled.made || compiled.state == CompiledStage::Compiled || said.contains(compiled.reason))
                continue;
            said.insert(compiled.reason);
            lines.append(compiled.fix.isEmpty()
                             ? compiled.reason
                             : QStringLiteral("%1. What to do: %2").arg(compiled.reason, compiled.fix));
            for (const QString &line : compiled.log.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
                lines.append(QStringLiteral("    ") + line);
        }
    }
    return lines;
}

} // namespace stagecraft::commands
