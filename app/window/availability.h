// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runner.h"

#include <QList>
#include <QStringList>

// What the workers said they can do, as the plan panel and the device list show it.
namespace stagecraft::window {

struct ImplementationStatus
{
    enum State
    {
        Asking,
        Ready,
        Unavailable
    };
    QString id, worker; // as run::workerOf()
    State state = Asking;
    QString reason, fix; // with Unavailable
    QString note;        // library, threads, workspace
    bool operator==(const ImplementationStatus &) const = default;
};

// A GPU. Workers that report the same one are one choice: they number GPUs alike, and agree on the uuid.
struct DeviceChoice
{
    int index = 0;
    QString name, detail;           // "NVIDIA H200"; driver, compute capability, memory
    QString computeCapability = {}; // "9.0"
    QString uuid = {};              // empty where the worker does not tell
};

// "cuda, cublas: why. What to do", a line for all that share a cause; of those that are unavailable.
QStringList unavailableCauses(const QList<ImplementationStatus> &statuses);

enum class GpuPresence
{
    Unknown, // the workers that would know are still being asked
    Present,
    Absent
};

// Gathers worker reports. Before a worker has answered, the implementations it is known for are in state Asking.
class Availability
{
public:
    void reset(const run::WorkerSetup &setup = {}); // before a new survey: everything asking
    void add(const run::WorkerReport &report);
    void finish(); // no further reports: what nobody reported is unavailable

    // In the order of evidence::implementationOrder(), external programs last.
    QList<ImplementationStatus> implementations(const QString &operation) const;
    QList<ImplementationStatus> implementations() const; // of all operations

    QList<DeviceChoice> devices() const { return m_devices; }
    GpuPresence gpu() const;
    QString noDeviceReason() const;                 // why there is no CUDA device, with the fix; empty while asking
    QString hostName() const { return m_hostName; } // of the CPU

    // What a worker said last; nullptr while it is asked.
    const run::WorkerReport *report(const QString &worker) const;

private:
    struct Entry
    {
        ImplementationStatus status;
        QStringList operations; // empty: all
    };
    void addImplementation(const QString &worker, const protocol::Implementation &implementation);
    void addDevice(const QString &worker, const protocol::Device &device);
    void noteMissingDevice(const run::WorkerReport &report);
    void markUnavailable(const QString &worker, const QString &reason, const QString &fix);
    QList<ImplementationStatus> ordered(const QList<ImplementationStatus> &found) const;

    run::WorkerSetup m_setup;
    QList<Entry> m_entries;
    QList<DeviceChoice> m_devices;
    QList<run::WorkerReport> m_reports;
    QString m_noDeviceReason, m_hostName;
    bool m_finished = false;
};

} // namespace stagecraft::window
