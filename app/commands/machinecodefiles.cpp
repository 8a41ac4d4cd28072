// SPDX-License-Identifier: GPL-3.0-or-later
#include "machinecodefiles.h"

#include "statusline.h"

#include <algorithm>
#include <QDir>
#include <QEventLoop>
#include <QSaveFile>

namespace stagecraft::commands {

namespace {

run::DisassemblyResult disassembled(const QString &cubin)
{
    run::Disassembler disassembler;
    run::DisassemblyResult result;
    QEventLoop loop;
    QObject::connect(&disassembler, &run::Disassembler::finished, &loop, [&](const run::DisassemblyResult &finished) {
        result = finished;
        loop.quit();
    });
    disassembler.disassemble(cubin);
    loop.exec();
    return result;
}

// Empty: written.
QString write(const QString &path, const QString &text)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0 || !file.commit())
        return QStringLiteral("%1 cannot be written: %2").arg(QDir::toNativeSeparators(path), file.errorString());
    return {};
}

// A file that the worker wrote, so that it names no folder of this machine. Empty: done.
QString cleanPtx(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return QStringLiteral("%1 cannot be read: %2").arg(QDir::toNativeSeparators(path), file.errorString());
    const QString text = QString::fromUtf8(file.readAll());
    file.close();
    return write(path, run::withoutFolders(text));
}

} // namespace

QString MachineCodeFiles::file(const run::CatalogueStage &entry, const QString &architecture, const char *ending) const
{
    return QDir(m_request.machineCodeFolder)
        .filePath(
            QStringLiteral("%1-%2-%3.%4").arg(entry.operation(), entry.id(), architecture, QLatin1String(ending)));
}

QString MachineCodeFiles::cubin(const run::CatalogueStage &entry, const QString &architecture) const
{
    const QString folder = m_request.cubinFolder.isEmpty() ? m_cubins.path() : m_request.cubinFolder;
    return QDir(folder).filePath(QStringLiteral("%1-%2-%3.cubin").arg(entry.operation(), entry.id(), architecture));
}

void MachineCodeFiles::putInto(run::CompileOrder &order) const
{
    run::CatalogueStage entry;
    entry.stage = order.stage;
    if (wanted())
        order.ptx = file(entry, order.architecture, "ptx");
    if (wanted() || !m_request.cubinFolder.isEmpty())
        order.cubin = cubin(entry, order.architecture);
}

void MachineCodeFiles::finish(const run::CatalogueStage &entry, CompiledStage &compiled)
{
    const auto lacking = [&](const QString &reason, const QString &fix) {
        compiled.noMachineCode = reason;
        compiled.machineCodeFix = fix;
    };
    if (const QString problem = cleanPtx(file(entry, compiled.architecture, "ptx")); !problem.isEmpty())
        return lacking(problem, QStringLiteral("check the folder and its permissions"));
    // What neither starts nor ends will not for the next stage either, and each would wait for its time limit.
    if (m_isOut)
        return lacking(m_isOut->reason, m_isOut->fix);
    const run::DisassemblyResult result = disassembled(cubin(entry, compiled.architecture));
    if (result.isOut)
        m_isOut = result;
    if (!result.reason.isEmpty())
        return lacking(result.reason, result.fix);
    if (const QString problem = write(file(entry, compiled.architecture, "sass"), result.text); !problem.isEmpty())
        return lacking(problem, QStringLiteral("check the folder and its permissions"));
    for (CompiledLaunch &launch : compiled.launches) {
        const auto section = std::ranges::find(result.code.sections, QString::fromStdString(launch.resources.entry),
                                               &run::CodeSection::name);
        if (section != result.code.sections.end())
            launch.mix = run::mixOf(section->instructions);
    }
}

void MachineCodeFiles::finish(QList<ListedStage> &stages)
{
    if (!wanted())
        return;
    StatusLine status;
    for (ListedStage &stage : stages) {
        for (CompiledStage &compiled : stage.compiled) {
            if (compiled.state != CompiledStage::Compiled)
                continue;
            status.show(QStringLiteral("disassembling %1 %2")
                            .arg(QString::fromStdString(stage.entry.stage.name()), compiled.architecture));
            finish(stage.entry, compiled);
        }
    }
}

} // namespace stagecraft::commands
