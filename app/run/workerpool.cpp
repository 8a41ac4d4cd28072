// SPDX-License-Identifier: GPL-3.0-or-later
#include "workerpool.h"

#include "implementationcatalogue.h"

namespace stagecraft::run {

namespace {

constexpr int helloLimitMs = 30'000;

}

WorkerPool::WorkerPool(WorkerSetup setup, protocol::DescribeParams about, int silenceLimitMs, QObject *parent)
    : QObject(parent), m_setup(std::move(setup)), m_about(about), m_silenceLimitMs(silenceLimitMs)
{
}

const protocol::DescribeResult *WorkerPool::description(const QString &worker) const
{
    const auto found = m_entries.find(worker);
    return found != m_entries.end() && found->second.description ? &*found->second.description : nullptr;
}

void WorkerPool::acquire(const QString &worker, Done done, Failed failed)
{
    Entry &entry = m_entries[worker];
    if (entry.process && entry.process->isUsable() && entry.description) {
        QMetaObject::invokeMethod(
            this, [done, ready = Ready{entry.process, *entry.description}] { done(ready); }, Qt::QueuedConnection);
    } else if (entry.failedStarts >= (entry.description ? 2 : 1)) {
        QMetaObject::invokeMethod(
            this, [failed, fault = entry.fault] { failed(fault); }, Qt::QueuedConnection);
    } else {
        startProcess(worker, std::move(done), std::move(failed));
    }
}

void WorkerPool::startProcess(const QString &worker, Done done, Failed failed)
{
    auto *process = new WorkerProcess(workerCommand(worker, m_setup), this);
    m_entries[worker].process = process;
    m_starting = process;
    connect(process, &WorkerProcess::logged, this, &WorkerPool::logged);
    connect(process, &WorkerProcess::samplesReceived, this,
            [this, process](const protocol::SamplesNote &samples) { emit samplesReceived(process, samples); });
    connect(process, &WorkerProcess::ended, this, [this, worker, process] {
        if (m_entries[worker].process == process)
            m_entries[worker].process = nullptr;
        process->deleteLater();
    });
    // Before hello a loss has no call to fail; afterwards describe fails.
    const auto early = connect(process, &WorkerProcess::lost, this, [this, worker, failed](const WorkerFault &fault) {
        startFailed(worker, fault, failed);
    });
    connect(process, &WorkerProcess::ready, this, [=, this] {
        disconnect(early);
        protocol::DescribeParams about = m_about;
        about.device = workerDevice(worker, m_about.device);
        process->call<protocol::DescribeResult>(
            protocol::method::describe, about, m_silenceLimitMs,
            [=, this](const protocol::DescribeResult &result) {
                Entry &entry = m_entries[worker];
                const bool first = !entry.description;
                entry.description = result;
                entry.failedStarts = 0;
                m_starting = nullptr;
                if (first)
                    emit described(worker, result);
                done({process, result});
            },
            [=, this](const WorkerFault &fault) { startFailed(worker, fault, failed); });
    });
    process->start(std::min(helloLimitMs, m_silenceLimitMs));
}

void WorkerPool::startFailed(const QString &worker, WorkerFault fault, const Failed &failed)
{
    m_starting = nullptr;
    Entry &entry = m_entries[worker];
    ++entry.failedStarts;
    // Where it was there before, something failed; else it is not to be had here, however far it came.
    fault.state = entry.description ? evidence::State::Failed : evidence::State::Unavailable;
    entry.fault = fault;
    if (entry.process)
        entry.process->end(); // it answered describe with an error: a worker that cannot say what it is is of no use
    failed(fault);
}

void WorkerPool::abortStarting()
{
    if (m_starting)
        m_starting->fail(QStringLiteral("the run was cancelled"), {});
}

void WorkerPool::endAll(std::function<void()> done)
{
    auto waiting = std::make_shared<int>(1);
    const auto one = [waiting, done = std::move(done)] {
        if (--*waiting == 0)
            done();
    };
    for (auto &[worker, entry] : m_entries) {
        if (!entry.process)
            continue;
        ++*waiting;
        connect(entry.process, &WorkerProcess::ended, this, one);
        entry.process->end();
    }
    QMetaObject::invokeMethod(this, one, Qt::QueuedConnection);
}

} // namespace stagecraft::run
