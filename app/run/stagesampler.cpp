// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagesampler.h"

#include "catalogue.h"
#include "inputs.h"
#include "workerprocess.h"

#include <QFileInfo>

namespace stagecraft::run {

namespace {

constexpr int helloLimitMs = 30'000;
constexpr int silenceLimitMs = 120'000;

protocol::SampleParams paramsOf(const SampleOrder &order)
{
    protocol::SampleParams params;
    params.prepare.operation = order.stage.operation;
    params.prepare.dims.assign(order.dims.begin(), order.dims.end());
    const operations::Operation *operation = operations::findOperation(order.stage.operation);
    if (params.prepare.dims.empty() && operation) // the worker refuses an operation that it does not know
        params.prepare.dims = operation->defaultDims;
    params.prepare.seed = operations::defaultSeed;
    params.prepare.implementation = "cuda";
    params.prepare.stage = order.stage.name();
    params.prepare.source = order.stage.text;
    params.prepare.device = order.device;
    params.iterations = order.iterations;
    if (!order.cubin.isEmpty())
        params.cubin = QFileInfo(order.cubin).absoluteFilePath().toStdString();
    return params;
}

} // namespace

class StageSampler::Private
{
public:
    explicit Private(StageSampler *sampler) : q(sampler) {}
    ~Private() { retire(); }

    void retire() { WorkerProcess::retire(std::unique_ptr<WorkerProcess>(std::exchange(worker, nullptr))); }

    // From the worker's own signals: it must not be destroyed from within them.
    void finish(const std::function<void()> &tell)
    {
        WorkerProcess *const process = std::exchange(worker, nullptr);
        process->end();
        QObject::connect(process, &WorkerProcess::ended, process, &QObject::deleteLater);
        tell();
    }

    void start(const protocol::SampleParams &params)
    {
        worker = new WorkerProcess(workerCommand(QStringLiteral("cuda"), WorkerSetup{prefix, {}, {}}), q);
        WorkerProcess *const process = worker;
        QObject::connect(process, &WorkerProcess::ready, q, [this, process, params] {
            process->call<protocol::SampleResult>(
                protocol::method::sample, params, timeLimitMs,
                [this](const protocol::SampleResult &result) { finish([&] { emit q->sampled(result); }); },
                [this](const WorkerFault &fault) { finish([&] { emit q->failed(fault); }); });
        });
        // After a failed call it has been let go already.
        QObject::connect(process, &WorkerProcess::lost, q, [this, process](const WorkerFault &fault) {
            if (worker == process)
                finish([&] { emit q->failed(fault); });
        });
        process->start(helloLimitMs);
    }

    StageSampler *q;
    QStringList prefix;
    int timeLimitMs = silenceLimitMs;
    WorkerProcess *worker = nullptr;
};

StageSampler::StageSampler(QObject *parent) : QObject(parent), d(std::make_unique<Private>(this)) {}

StageSampler::~StageSampler() = default;

void StageSampler::setWorkerPrefix(const QStringList &prefix)
{
    d->prefix = prefix;
}

void StageSampler::setTimeLimit(int ms)
{
    d->timeLimitMs = ms;
}

bool StageSampler::isBusy() const
{
    return d->worker != nullptr;
}

void StageSampler::sample(const SampleOrder &order)
{
    d->retire();
    d->start(paramsOf(order));
}

void StageSampler::cancel()
{
    d->retire();
}

} // namespace stagecraft::run
