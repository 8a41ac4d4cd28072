// SPDX-License-Identifier: GPL-3.0-or-later
#include "implementationcatalogue.h"
#include "publictext.h"
#include "runner.h"
#include "workerprocess.h"

namespace stagecraft::run {

namespace {

constexpr int helloLimitMs = 30'000;
// A self test compiles a kernel, and PyTorch is read from a cold disk; as long as a run waits by default.
constexpr int describeLimitMs = 120'000;

} // namespace

class Surveyor::Private
{
public:
    void ask(const QString &worker, const WorkerSetup &setup, int device);
    void report(const WorkerProcess &process, const WorkerFault &fault);
    void described(WorkerProcess *process, int device, const protocol::DescribeResult &result);
    void askForCounters(WorkerProcess *process, int device);

    Surveyor *q = nullptr;
    std::vector<std::unique_ptr<WorkerProcess>> processes;
    int running = 0;
    bool asksForCounters = false;
};

Surveyor::Surveyor(QObject *parent) : QObject(parent), d(std::make_unique<Private>())
{
    d->q = this;
    qRegisterMetaType<stagecraft::run::WorkerReport>();
    qRegisterMetaType<stagecraft::run::WorkerSetup>();
}

Surveyor::~Surveyor()
{
    for (std::unique_ptr<WorkerProcess> &process : d->processes)
        WorkerProcess::retire(std::move(process));
}

void Surveyor::setAsksForCounters(bool asks)
{
    d->asksForCounters = asks;
}

void Surveyor::start(const WorkerSetup &setup, int device)
{
    ask(workersOf(setup), setup, device);
}

void Surveyor::ask(const QStringList &workers, const WorkerSetup &setup, int device)
{
    if (d->running > 0)
        return;
    d->processes.clear();
    for (const QString &worker : workers)
        d->ask(worker, setup, device);
}

void Surveyor::Private::ask(const QString &worker, const WorkerSetup &setup, int device)
{
    ++running;
    processes.push_back(std::make_unique<WorkerProcess>(workerCommand(worker, setup)));
    WorkerProcess *process = processes.back().get();
    QObject::connect(process, &WorkerProcess::ready, q, [=, this] {
        process->call<protocol::DescribeResult>(
            protocol::method::describe, protocol::DescribeParams{workerDevice(worker, device)}, describeLimitMs,
            [=, this](const protocol::DescribeResult &result) {
                described(process, workerDevice(worker, device), result);
            },
            [=, this](const WorkerFault &fault) {
                report(*process, fault);
                process->end();
            });
    });
    // Once ready, a loss fails the calls above.
    QObject::connect(process, &WorkerProcess::lost, q, [=, this](const WorkerFault &fault) {
        if (fault.state == evidence::State::Unavailable)
            report(*process, fault);
    });
    QObject::connect(process, &WorkerProcess::logged, q, &Surveyor::logged);
    QObject::connect(process, &WorkerProcess::ended, q, [this] {
        // Queued, so that a survey started from there does not destroy the process that this comes from.
        if (--running == 0)
            QMetaObject::invokeMethod(q, &Surveyor::finished, Qt::QueuedConnection);
    });
    process->start(helloLimitMs);
}

void Surveyor::Private::described(WorkerProcess *process, int device, const protocol::DescribeResult &result)
{
    emit q->reported({process->command().worker, process->command().shown, true, {}, {}, result});
    // Counters are a GPU's, and the host worker's device is the CPU. An external program's worker does not look at the
    // GPU that the program uses.
    const QString &worker = process->command().worker;
    const bool isExternal = worker.contains(QLatin1Char('/'));
    const bool mayHaveThem = isExternal || (worker != QLatin1String("host") && !result.devices.empty());
    if (asksForCounters && mayHaveThem)
        askForCounters(process, device);
    else
        process->end();
}

void Surveyor::Private::askForCounters(WorkerProcess *process, int device)
{
    protocol::DescribeParams about;
    about.device = device;
    about.counters = true;
    const auto answer = [this, process](const protocol::CaptureSupport &counters) {
        emit q->countersReported(process->command().worker, counters);
        process->end();
    };
    process->call<protocol::DescribeResult>(
        protocol::method::describe, about, describeLimitMs,
        [answer](const protocol::DescribeResult &result) {
            static const protocol::CaptureSupport unknown{false,
                                                          {},
                                                          {},
                                                          "the worker does not know of hardware counters",
                                                          "use a worker of the program's own version"};
            answer(result.counters.value_or(unknown));
        },
        [answer](const WorkerFault &fault) {
            answer({false, {}, {}, fault.reason.toStdString(), fault.fix.toStdString()});
        });
}

void Surveyor::Private::report(const WorkerProcess &process, const WorkerFault &fault)
{
    emit q->reported({process.command().worker, process.command().shown, false, fault.reason, fault.fix, {}});
}

} // namespace stagecraft::run
