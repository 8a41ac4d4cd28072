// SPDX-License-Identifier: GPL-3.0-or-later
#include "doctorreport.h"

#include "messagejson.h"

#include <algorithm>
#include <QCoreApplication>
#include <QLocale>
#include <QMap>
#include <QStandardPaths>

namespace stagecraft::commands {

namespace {

QString text(const std::string &value)
{
    return QString::fromStdString(value);
}

constexpr qsizetype indentWidth = 22; // of what stands beside a label

// "  label            what", with the reason and the fix below where it is not available.
void entry(QStringList &lines, const QString &label, bool available, const QString &what, const QString &reason,
           const QString &fix)
{
    const QString indent = QStringLiteral("  %1  ").arg(label, -18);
    lines.append(indent + (available ? what : QStringLiteral("unavailable: ") + reason));
    if (!available && !fix.isEmpty())
        lines.append(QString(indentWidth, QLatin1Char(' ')) + QStringLiteral("what to do: ") + fix);
}

// The entries of one worker, where one lack may cost many: it is told with the first, which the others name.
class Entries
{
public:
    explicit Entries(QStringList &lines) : m_lines(lines) {}

    void add(const QString &label, bool available, const QString &what, const QString &reason, const QString &fix)
    {
        const QPair lack(reason, fix);
        const QString first = available ? QString() : m_lacks.value(lack);
        if (!first.isEmpty())
            return entry(m_lines, label, true, QStringLiteral("unavailable, as %1 above").arg(first), {}, {});
        entry(m_lines, label, available, what, reason, fix);
        if (!available)
            m_lacks.insert(lack, label);
    }

private:
    QStringList &m_lines;
    QMap<QPair<QString, QString>, QString> m_lacks;
};

QString selfTestText(const protocol::SelfTest &test)
{
    if (!test.passed)
        return QStringLiteral("not passed: ") + text(test.reason);
    return test.kernelUs ? QStringLiteral("passed, kernel time %1 µs").arg(*test.kernelUs, 0, 'f', 1)
                         : QStringLiteral("passed");
}

QString deviceText(const protocol::Device &device)
{
    QStringList parts = {text(device.name)};
    if (!device.computeCapability.empty())
        parts.append(QStringLiteral("compute capability %1").arg(text(device.computeCapability)));
    if (device.smCount > 0)
        parts.append(QStringLiteral("%1 SMs").arg(device.smCount));
    if (device.memoryBytes > 0)
        parts.append(QLocale::c().formattedDataSize(device.memoryBytes, 0, QLocale::DataSizeIecFormat));
    if (!device.driverVersion.empty())
        parts.append(QStringLiteral("driver %1").arg(text(device.driverVersion)));
    return parts.join(QStringLiteral(", "));
}

// `isExternal`: of a program that nothing has been asked of, whose kernels are recorded where it has any.
void describeWorker(QStringList &lines, const protocol::DescribeResult &description, bool isExternal)
{
    Entries entries(lines);
    entries.add(QStringLiteral("platform"), true, text(description.platform), {}, {});
    for (const protocol::Device &device : description.devices)
        entries.add(QStringLiteral("device %1").arg(device.index), true, deviceText(device), {}, {});
    for (const protocol::Library &library : description.libraries) {
        entries.add(text(library.name), library.available,
                    QStringLiteral("%1  %2").arg(text(library.version), text(library.path)).trimmed(),
                    text(library.reason), text(library.fix));
        if (!library.note.empty())
            lines.append(QString(indentWidth, QLatin1Char(' ')) + text(library.note));
    }
    for (const protocol::Implementation &implementation : description.implementations)
        entries.add(text(implementation.id), implementation.available,
                    implementation.note.empty() ? QStringLiteral("available") : text(implementation.note),
                    text(implementation.reason), text(implementation.fix));
    const QString capture = QStringLiteral("%1  %2")
                                .arg(text(description.capture.backend), text(description.capture.timestampMode))
                                .trimmed();
    entries.add(QStringLiteral("kernel capture"), description.capture.available,
                isExternal ? capture + QStringLiteral(", of a program that uses CUDA") : capture,
                text(description.capture.reason), text(description.capture.fix));
    if (description.counters) { // of an external program it shows only when it runs, which the reason says
        const QString backend = text(description.counters->backend), reason = text(description.counters->reason);
        entries.add(QStringLiteral("hardware counters"), description.counters->available,
                    reason.isEmpty() ? backend : QStringLiteral("%1, %2").arg(backend, reason), reason,
                    text(description.counters->fix));
    }
    lines.append(QStringLiteral("  %1  %2")
                     .arg(QStringLiteral("self test"), -18)
                     .arg(isExternal ? QStringLiteral("not run here: a run checks its results")
                                     : selfTestText(description.selfTest)));
}

bool hasGpuStateTool()
{
    return !QStandardPaths::findExecutable(QStringLiteral("nvidia-smi")).isEmpty();
}

} // namespace

QStringList doctorText(const QList<run::WorkerReport> &reports, const run::DisassemblerProgram &disassembler)
{
    QStringList lines = {QStringLiteral("Stagecraft %1").arg(QCoreApplication::applicationVersion()), {}};
    for (const run::WorkerReport &report : reports) {
        lines.append(QStringLiteral("%1 worker (%2)").arg(report.worker, report.command));
        if (report.answered)
            describeWorker(lines, report.description, report.worker.startsWith(QLatin1String("external/")));
        else
            entry(lines, QStringLiteral("worker"), false, {}, report.reason, report.fix);
        lines.append(QString());
    }
    lines.append(QStringLiteral("GPU state"));
    entry(lines, QStringLiteral("nvidia-smi"), hasGpuStateTool(), QStringLiteral("found"),
          QStringLiteral("not on the PATH; clocks and throttle reasons are not recorded"),
          QStringLiteral("it comes with the NVIDIA driver"));
    lines += {QString(), QStringLiteral("Machine code")};
    entry(lines, QStringLiteral("nvdisasm"), !disassembler.path.isEmpty(), disassembler.path, disassembler.reason,
          disassembler.fix);
    return lines;
}

nlohmann::json doctorJson(const QList<run::WorkerReport> &reports, const run::DisassemblerProgram &disassembler)
{
    nlohmann::json workers = nlohmann::json::array();
    for (const run::WorkerReport &report : reports) {
        nlohmann::json worker = {{"worker", report.worker.toStdString()},
                                 {"command", report.command.toStdString()},
                                 {"answered", report.answered}};
        if (report.answered)
            worker["description"] = report.description;
        else
            worker.update({{"reason", report.reason.toStdString()}, {"fix", report.fix.toStdString()}});
        workers.push_back(worker);
    }
    return {{"version", QCoreApplication::applicationVersion().toStdString()},
            {"workers", workers},
            {"nvidia_smi", hasGpuStateTool()},
            {"nvdisasm",
             {{"available", !disassembler.path.isEmpty()},
              {"path", disassembler.path.toStdString()},
              {"reason", disassembler.reason.toStdString()},
              {"fix", disassembler.fix.toStdString()}}}};
}

bool hostIsSound(const QList<run::WorkerReport> &reports)
{
    return std::any_of(reports.begin(), reports.end(), [](const run::WorkerReport &report) {
        return report.worker == QLatin1String("host") && report.answered && report.description.selfTest.passed;
    });
}

} // namespace stagecraft::commands
