// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagecompiler.h"

#include "publictext.h"
#include "workerprocess.h"

#include <algorithm>
#include <QFileInfo>
#include <QQueue>

namespace stagecraft::run {

namespace {

constexpr int helloLimitMs = 30'000;
constexpr int orderLimitMs = 60'000;

} // namespace

class StageCompiler::Private
{
public:
    explicit Private(StageCompiler *compiler) : q(compiler) {}
    ~Private() { retireWorker(); }

    void wake(); // sees to the first order, from the event loop
    void startWorker();
    void retireWorker(); // kills the process
    void send();
    static protocol::CompileParams params(const CompileOrder &order);
    void compiled(const protocol::CompileResult &result);
    void failed(const WorkerFault &fault);
    void lost(WorkerProcess *process, const WorkerFault &fault);
    StageCompilation aboutFirst() const;
    void report(const StageCompilation &compilation); // of the first order

    StageCompiler *q;
    QStringList prefix;
    int timeLimitMs = orderLimitMs;
    QQueue<CompileOrder> orders; // the first is the one in progress
    bool busy = false;           // the first is with the worker, or its report is on its way
    int generation = 0;          // counts clear(): what is on its way for an earlier one is dropped
    WorkerProcess *worker = nullptr;
    std::optional<WorkerFault> startFault; // why no worker comes up: all orders of this batch are told the same
};

StageCompiler::StageCompiler(QObject *parent) : QObject(parent), d(std::make_unique<Private>(this))
{
    qRegisterMetaType<stagecraft::run::StageCompilation>();
}

StageCompiler::~StageCompiler() = default;

void StageCompiler::setWorkerPrefix(const QStringList &prefix)
{
    d->prefix = prefix;
}

void StageCompiler::setTimeLimit(int ms)
{
    d->timeLimitMs = ms;
}

void StageCompiler::compile(const QList<CompileOrder> &orders)
{
    d->orders.append(orders);
    d->wake();
}

void StageCompiler::clear()
{
    if (d->orders.isEmpty())
        return;
    d->orders.clear();
    d->busy = false;
    d->startFault.reset();
    ++d->generation;
    d->retireWorker(); // nothing here is ever called from inside the worker's own functions
    emit finished();
}

void StageCompiler::Private::wake()
{
    const auto look = [this] {
        if (orders.isEmpty() || busy)
            return;
        if (startFault)
            failed(*startFault);
        else if (!worker)
            startWorker();
        else if (worker->isUsable())
            send();
        // Else it is starting, or ending: ready() or lost() follows.
    };
    QMetaObject::invokeMethod(q, look, Qt::QueuedConnection);
}

void StageCompiler::Private::startWorker()
{
    auto *process = new WorkerProcess(workerCommand(QStringLiteral("cuda"), WorkerSetup{prefix, {}, {}}), q);
    worker = process;
    QObject::connect(process, &WorkerProcess::ready, q, [this] { wake(); });
    QObject::connect(process, &WorkerProcess::lost, q,
                     [this, process](const WorkerFault &fault) { lost(process, fault); });
    process->start(helloLimitMs);
}

void StageCompiler::Private::retireWorker()
{
    WorkerProcess::retire(std::unique_ptr<WorkerProcess>(std::exchange(worker, nullptr)));
}

void StageCompiler::Private::lost(WorkerProcess *process, const WorkerFault &fault)
{
    process->deleteLater();
    worker = nullptr;
    if (fault.state == evidence::State::Unavailable) // it did not come up
        startFault = fault;
    wake();
}

void StageCompiler::Private::send()
{
    busy = true;
    worker->call<protocol::CompileResult>(
        protocol::method::compile, params(orders.head()), timeLimitMs,
        [this](const protocol::CompileResult &result) { compiled(result); },
        [this](const WorkerFault &fault) { failed(fault); });
}

protocol::CompileParams StageCompiler::Private::params(const CompileOrder &order)
{
    protocol::CompileParams params;
    params.operation = order.stage.operation;
    params.stage = order.stage.name();
    params.architecture = order.architecture.toStdString();
    params.dims.assign(order.dims.begin(), order.dims.end());
    params.source = order.stage.text;
    if (!order.cubin.isEmpty())
        params.cubin = QFileInfo(order.cubin).absoluteFilePath().toStdString();
    if (!order.ptx.isEmpty())
        params.ptx = QFileInfo(order.ptx).absoluteFilePath().toStdString();
    return params;
}

StageCompilation StageCompiler::Private::aboutFirst() const
{
    const CompileOrder &order = orders.head();
    StageCompilation compilation;
    compilation.operation = QString::fromStdString(order.stage.operation);
    compilation.id = QString::fromStdString(order.stage.id);
    compilation.architecture = order.architecture;
    compilation.sourceSha256 = QString::fromStdString(order.stage.sha256);
    return compilation;
}

void StageCompiler::Private::compiled(const protocol::CompileResult &result)
{
    StageCompilation compilation = aboutFirst();
    compilation.log = publicLines(QString::fromStdString(result.log));
    if (std::ranges::equal(orders.head().stage.launches, result.kernels, {}, &stagefile::LaunchSpec::entry,
                           &protocol::KernelResources::entry)) {
        compilation.state = StageCompilation::Compiled;
        compilation.kernels = QList(result.kernels.begin(), result.kernels.end());
    } else {
        compilation.reason = QStringLiteral("the worker told of other kernels than the stage launches");
        compilation.fix = QStringLiteral("use a worker and a program of the same version");
    }
    report(compilation);
}

void StageCompiler::Private::failed(const WorkerFault &fault)
{
    StageCompilation compilation = aboutFirst();
    compilation.state =
        fault.state == evidence::State::Unavailable ? StageCompilation::Unavailable : StageCompilation::Failed;
    compilation.reason = fault.reason;
    compilation.fix = fault.fix;
    compilation.log = fault.log;
    if (fault.timedOut) { // no kernel runs here: the compiler itself does not come to an end
        compilation.reason = QStringLiteral("compiling %1/%2 for %3 did not come to an end: the worker sent nothing "
                                            "for %4 s and was ended")
                                 .arg(compilation.operation, compilation.id, compilation.architecture)
                                 .arg(timeLimitMs / 1000.0);
        compilation.fix = QStringLiteral("look for templates, macros or includes that expand without end, or for far "
                                         "too much unrolled code");
    }
    report(compilation);
}

void StageCompiler::Private::report(const StageCompilation &compilation)
{
    busy = true;
    const auto deliver = [this, compilation, batch = generation] {
        if (batch != generation)
            return;
        orders.dequeue();
        busy = false;
        emit q->compiled(compilation);
        if (batch != generation)
            return;
        if (!orders.isEmpty())
            return wake();
        startFault.reset(); // the next orders try again
        emit q->finished();
    };
    QMetaObject::invokeMethod(q, deliver, Qt::QueuedConnection);
}

} // namespace stagecraft::run
