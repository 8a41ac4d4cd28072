// SPDX-License-Identifier: GPL-3.0-or-later
#include "availability.h"

#include "implementationcatalogue.h"
#include "statistics.h"

#include <QLocale>

namespace stagecraft::window {

namespace {

QString joined(const QString &reason, const QString &fix)
{
    return fix.isEmpty() ? reason : reason + QLatin1Char('\n') + fix;
}

DeviceChoice deviceChoice(const protocol::Device &device)
{
    DeviceChoice choice;
    choice.index = device.index;
    choice.name = QString::fromStdString(device.name);
    choice.computeCapability = QString::fromStdString(device.computeCapability);
    choice.detail = QObject::tr("compute capability %1, %2 SMs, %3, driver %4")
                        .arg(QString::fromStdString(device.computeCapability))
                        .arg(device.smCount)
                        .arg(QLocale::c().formattedDataSize(device.memoryBytes, 0, QLocale::DataSizeIecFormat),
                             QString::fromStdString(device.driverVersion));
    return choice;
}

} // namespace

void Availability::reset()
{
    *this = Availability();
    for (const run::ImplementationEntry &known : run::implementationCatalogue()) {
        if (known.worker.isEmpty())
            continue;
        Entry entry;
        entry.status.id = known.id;
        entry.status.worker = known.worker;
        entry.operations = known.operations;
        m_entries.append(entry);
    }
}

void Availability::addImplementation(const QString &worker, const protocol::Implementation &implementation)
{
    Entry entry;
    entry.status.id = QString::fromStdString(implementation.id);
    entry.status.worker = worker;
    entry.status.state = implementation.available ? ImplementationStatus::Ready : ImplementationStatus::Unavailable;
    entry.status.reason = QString::fromStdString(implementation.reason);
    entry.status.fix = QString::fromStdString(implementation.fix);
    entry.status.note = QString::fromStdString(implementation.note);
    for (const std::string &operation : implementation.operations)
        entry.operations.append(QString::fromStdString(operation));
    m_entries.removeIf([&](const Entry &old) { return old.status.id == entry.status.id; });
    m_entries.append(entry);
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
    if (report.answered) {
        for (const protocol::Implementation &implementation : report.description.implementations)
            addImplementation(report.worker, implementation);
        const bool host = report.worker == QLatin1String("host");
        for (const protocol::Device &device : report.description.devices) {
            if (host)
                m_hostName = QString::fromStdString(device.name);
            else
                m_devices.append(deviceChoice(device));
        }
    }
    markUnavailable(report.worker,
                    report.answered ? QObject::tr("the %1 worker does not have it").arg(report.worker) : report.reason,
                    report.fix);
    if (report.worker == QLatin1String("cuda") && m_devices.isEmpty()) {
        const auto unavailable = std::ranges::find_if(report.description.implementations,
                                                      [](const auto &entry) { return !entry.available; });
        m_noDeviceReason = joined(report.reason, report.fix);
        if (report.answered && unavailable != report.description.implementations.end())
            m_noDeviceReason =
                joined(QString::fromStdString(unavailable->reason), QString::fromStdString(unavailable->fix));
    }
}

void Availability::finish()
{
    m_finished = true;
    for (const QString &worker : run::knownWorkers())
        markUnavailable(worker, QObject::tr("the %1 worker did not report").arg(worker), QString());
}

QList<ImplementationStatus> Availability::implementations(const QString &operation) const
{
    QStringList ids;
    for (const Entry &entry : m_entries) {
        if (entry.operations.isEmpty() || entry.operations.contains(operation))
            ids.append(entry.status.id);
    }
    QList<ImplementationStatus> found;
    for (const QString &id : evidence::implementationOrder(ids)) {
        const auto entry =
            std::ranges::find_if(m_entries, [&](const Entry &candidate) { return candidate.status.id == id; });
        found.append(entry->status);
    }
    return found;
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
