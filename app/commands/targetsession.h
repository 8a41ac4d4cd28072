// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "targetoptions.h"
#include "workerpool.h"

namespace stagecraft::commands {

// One `stagecraft target`: asks the worker to prepare, check and measure, and writes the files. What goes wrong it says
// on standard error, the result on standard output.
class TargetSession : public QObject
{
    Q_OBJECT
public:
    explicit TargetSession(TargetRequest request, QObject *parent = nullptr);

    void start(); // finished() follows, from the event loop
    void interrupt();

signals:
    void finished(int exitStatus);

private:
    using Ready = run::WorkerPool::Ready;

    QString removeEarlierFiles() const;
    void prepare(const Ready &ready);
    void check(const protocol::PrepareResult &prepared);
    void measure(const protocol::CheckResult &checked);
    void takeSamples(const protocol::SamplesNote &note);
    void write(const protocol::MeasureResult &measured);
    void unavailable(run::WorkerFault fault);
    void fail(const QString &problem);

    TargetRequest m_request;
    run::WorkerPool m_pool;
    run::WorkerProcess *m_worker = nullptr; // owned by the pool
    protocol::PrepareResult m_prepared;
    std::vector<double> m_samplesUs;
    bool m_ended = false; // finished() has been sent
};

} // namespace stagecraft::commands
