// SPDX-License-Identifier: GPL-3.0-or-later
#include "availability.h"

#include "implementationcatalogue.h"
#include "statistics.h"

#include <QLocale>

namespace stagecraft::window {

namespace {

const QString cudaWorker = QStringLiteral("cuda");

QString joined(const QString &reason, const QString &fix)
{
    return fix.isEmpty() ? reason : QObject::tr("%1. What to do: %2").arg(reason, fix);
}

DeviceChoice deviceChoice(const protocol::Device &device)
{
    DeviceChoice choice;
    choice.index = device.index;
    choice.name = QString::fromStdString(device.name);
    choice.computeCapability = QString::fromStdString(device.computeCapability);
    choice.uuid = QString::fromStdString(device.uuid);
    choice.detail = QObject::tr("compute capability %1, %2 SMs, %3, driver %4")
                        .arg(QString::fromStdString(device.computeCapability))
                        .arg(device.smCount)
                        .arg(QLocale::c().formattedDataSize(device.memoryBytes, 0, QLocale::DataSizeIecFormat),
                             QString::fromStdString(device.driverVersion));
    return choice;
}

// "GPU-6f1d…" as NVIDIA's tools write it, and the bare form that some libraries give.
QString bareUuid(QString uuid)
{
    if (uuid.startsWith(QLatin1String("GPU-"), Qt::CaseInsensitive))
        uuid.remove(0, 4);
    return uuid.toLower();
}

bool isSameDevice(const DeviceChoice &first, const DeviceChoice &second)
{
    if (!first.uuid.isEmpty() && !second.uuid.isEmpty())
        return bareUuid(first.uuid) == bareUuid(second.uuid);
    return first.index == second.index && first.name == second.name;
}

} // namespace

QStringList unavailableCauses(const QList<ImplementationStatus> &statuses)
{
    QStringList causes;
    QHash<QString, QStringList> ids;
    for (const ImplementationStatus &status : statuses) {
        if (status.state != ImplementationStatus::Unavailable)
            continue;
        const QString cause = joined(status.reason, status.fix);
        if (!causes.contains(cause))
            causes.append(cause);
        ids[cause].append(status.id);
    }
    for (QString &cause : causes)
        cause.prepend(ids.value(cause).join(QStringLiteral(", ")) + QStringLiteral(": "));
    return causes;
}

void Availability::reset(const run::WorkerSetup &setup)
{
    *this = Availability();
    m_setup = setup;
    for (const run::ImplementationEntry &known : run::implementationCatalogue()) {
        Entry entry;
        entry.status.id = known.id;
        entry.status.worker = known.worker;
        entry.operations = known.operations;
        m_entries.append(entry);
    }
    for (const run::ExternalProgram &external : setup.externals) {
        Entry entry;
        entry.status.id = external.name;
        entry.status.worker = run::workerOf(setup, external.name);
        m_entries.append(entry);
    }
}

void Availability::addImplementation(const QString &worker, const protocol::Implementation &implementation)
{
    const QString id = QString::fromStdString(implementation.id);
    // A worker speaks for its own implementations only.
    const auto known = std::ranges::find_if(
        m_entries, [&](const Entry &entry) { return entry.status.id == id && entry.status.worker == worker; });
    if (known == m_entries.end())
        return;
    known->status.state = implementation.available ? ImplementationStatus::Ready : ImplementationStatus::Unavailable;
    known->status.reason = QString::fromStdString(implementation.reason);
    known->status.fix = QString::fromStdString(implementation.fix);
    known->status.note = QString::fromStdString(implementation.note);
    if (!implementation.operations.empty())
        known->operations.clear();
    for (const std::string &operation : implementation.operations)
        known->operations.append(QString::fromStdString(operation));
}

void Availability::addDevice(const QString &worker, const protocol::Device &device)
{
    const DeviceChoice choice = deviceChoice(device);
    if (choice.computeCapability.isEmpty()) { // a CPU
        if (worker == QLatin1String("host"))
            m_hostName = choice.name;
        return;
    }
    const auto same =
        std::ranges::find_if(m_devices, [&](const DeviceChoice &other) { return isSameDevice(choice, other); });
    if (same == m_devices.end())
        m_devices.append(choice);
    else if (worker == cudaWorker)
        *same = choice; // it asks the driver itself
    std::ranges::stable_sort(m_devices, {}, &DeviceChoice::index);
}

void Availability::markUnavailable(const QString &worker, const QString &reason, const QString &fix)
{
    for (Entry &entry : m_entries) {
        if (entry.status.worker != worker || entry.status.state != ImplementationStatus::Asking)
            continue;
        entry.status.state = ImplementationStatus::Unavailable;
        entry.status.reason = reason;
        entry.status.fix = fix;
    }
}

void Availability::add(const run::WorkerReport &report)
{
    m_reports.append(report);
    if (report.answered) {
        for (const protocol::Implementation &implementation : report.description.implementations)
            addImplementation(report.worker, implementation);
        for (const protocol::Device &device : report.description.devices)
            addDevice(report.worker, device);
    }
    markUnavailable(report.worker,
                    report.answered ? QObject::tr("the %1 worker does not have it").arg(report.worker) : report.reason,
                    report.fix);
    if (report.worker == cudaWorker)
        noteMissingDevice(report);
}

void Availability::noteMissingDevice(const run::WorkerReport &report)
{
    const auto unavailable =
        std::ranges::find_if(report.description.implementations, [](const auto &entry) { return !entry.available; });
    m_noDeviceReason =
        report.answered && unavailable != report.description.implementations.end()
            ? joined(QString::fromStdString(unavailable->reason), QString::fromStdString(unavailable->fix))
            : joined(report.reason, report.fix);
}

void Availability::finish()
{
    m_finished = true;
    for (const QString &worker : run::workersOf(m_setup))
        markUnavailable(worker, QObject::tr("the %1 worker did not report").arg(worker), QString());
}

QList<ImplementationStatus> Availability::ordered(const QList<ImplementationStatus> &found) const
{
    QStringList known, externals;
    for (const ImplementationStatus &status : found)
        (run::findExternal(m_setup, status.id) ? externals : known).append(status.id);
    QList<ImplementationStatus> result;
    for (const QString &id : evidence::implementationOrder(known) + externals)
        result.append(*std::ranges::find(found, id, &ImplementationStatus::id));
    return result;
}

QList<ImplementationStatus> Availability::implementations(const QString &operation) const
{
    QList<ImplementationStatus> found;
    for (const Entry &entry : m_entries) {
        if (entry.operations.isEmpty() || entry.operations.contains(operation))
            found.append(entry.status);
    }
    return ordered(found);
}

QList<ImplementationStatus> Availability::implementations() const
{
    QList<ImplementationStatus> found;
    for (const Entry &entry : m_entries)
        found.append(entry.status);
    return ordered(found);
}

GpuPresence Availability::gpu() const
{
    if (!m_devices.isEmpty())
        return GpuPresence::Present;
    return m_finished || report(cudaWorker) ? GpuPresence::Absent : GpuPresence::Unknown;
}

const run::WorkerReport *Availability::report(const QString &worker) const
{
    const auto found = std::ranges::find(m_reports, worker, &run::WorkerReport::worker);
    return found == m_reports.end() ? nullptr : &*found;
}

QString Availability::noDeviceReason() const
{
    if (!m_devices.isEmpty())
        return {};
    if (m_noDeviceReason.isEmpty() && m_finished)
        return QObject::tr("No worker reports a CUDA device.");
    return m_noDeviceReason;
}

} // namespace stagecraft::window
