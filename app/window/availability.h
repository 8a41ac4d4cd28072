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
    QString id, worker;
    State state = Asking;
    QString reason, fix; // with Unavailable
    QString note;        // library, threads, workspace
    bool operator==(const ImplementationStatus &) const = default;
};

struct DeviceChoice
{
    int index = 0;
    QString name, detail;           // "NVIDIA H200"; driver, compute capability, memory
    QString computeCapability = {}; // "9.0"
};

// Gathers worker reports. Before a worker has answered, the implementations it is known for are in state Asking.
class Availability
{
public:
    void reset(); // before a new survey: everything asking
    void add(const run::WorkerReport &report);
    void finish(); // no further reports: what nobody reported is unavailable

    // In the order of evidence::implementationOrder().
    QList<ImplementationStatus> implementations(const QString &operation) const;

    QList<DeviceChoice> devices() const { return m_devices; }
    QString noDeviceReason() const;                 // why there is no CUDA device, with the fix; empty while asking
    QString hostName() const { return m_hostName; } // of the CPU

private:
    struct Entry
    {
        ImplementationStatus status;
        QStringList operations; // empty: all
    };
    void addImplementation(const QString &worker, const protocol::Implementation &implementation);
    void markUnavailable(const QString &worker, const QString &reason, const QString &fix);

    QList<Entry> m_entries;
    QList<DeviceChoice> m_devices;
    QString m_noDeviceReason, m_hostName;
    bool m_finished = false;
};

} // namespace stagecraft::window
