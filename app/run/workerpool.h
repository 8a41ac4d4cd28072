// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workerprocess.h"

#include <map>

namespace stagecraft::run {

// The workers of one run, at most one process of each kind, started and described when first needed and again after a
// loss. Every described worker answers describe with what it can do; its process lives until it is lost or endAll().
class WorkerPool : public QObject
{
    Q_OBJECT
public:
    struct Ready
    {
        WorkerProcess *process = nullptr; // owned by the pool; usable until its lost()
        protocol::DescribeResult description;
    };
    using Done = std::function<void(const Ready &)>;
    using Failed = std::function<void(const WorkerFault &)>;

    // `about`: what every worker is asked to describe, on the GPU with this number.
    WorkerPool(WorkerSetup setup, protocol::DescribeParams about, int silenceLimitMs, QObject *parent = nullptr);

    // One at a time; exactly one of the two is called, from the event loop. A worker that never came up, or that failed
    // to come up twice in a row, is not tried again: the fault is the same.
    void acquire(const QString &worker, Done done, Failed failed);

    // What it said of itself when last described; nullptr where it never was.
    const protocol::DescribeResult *description(const QString &worker) const;

    void abortStarting();                    // a start in progress fails
    void endAll(std::function<void()> done); // orderly; done once all are gone

signals:
    void described(const QString &worker, const stagecraft::protocol::DescribeResult &description); // the first time
    void samplesReceived(stagecraft::run::WorkerProcess *from, const stagecraft::protocol::SamplesNote &samples);
    void logged(const QString &level, const QString &text);

private:
    struct Entry
    {
        WorkerProcess *process = nullptr;
        std::optional<protocol::DescribeResult> description;
        WorkerFault fault; // of the last start
        int failedStarts = 0;
    };

    void startProcess(const QString &worker, Done done, Failed failed);
    void startFailed(const QString &worker, WorkerFault fault, const Failed &failed);

    WorkerSetup m_setup;
    protocol::DescribeParams m_about;
    int m_silenceLimitMs;
    std::map<QString, Entry> m_entries;
    WorkerProcess *m_starting = nullptr;
};

} // namespace stagecraft::run
