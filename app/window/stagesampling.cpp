// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagesampling.h"

#include "stagemeasurer.h"
#include "waitstable.h"

#include <QFile>
#include <QFutureWatcher>
#include <QtConcurrent>

namespace stagecraft::window {

namespace {

SampledListing listingOf(const run::Disassembly &code, const protocol::SampleResult &result,
                         const stagefile::Stage &stage)
{
    const QString file = QString::fromStdString(stage.fileName).section(QLatin1Char('/'), -1);
    const run::SampledCode samples = run::placeSamples(result, code);
    SampledListing made;
    made.code = code;
    made.listing = sassListing(code, file, &samples);
    made.lines =
        waitsTable(run::samplesByLine(samples, code, file), samples.total.all, QString::fromStdString(stage.text));
    made.text = samplingText(result, samples.total);
    return made;
}

} // namespace

StageSampling::StageSampling(RunDesk &runs, QObject *parent)
    : QObject(parent), m_runs(runs), m_noStage(tr("No stage is chosen."))
{
    connect(&m_sampler, &run::StageSampler::sampled, this, &StageSampling::takeSamples);
    connect(&m_sampler, &run::StageSampler::failed, this,
            [this](const run::WorkerFault &fault) { fail(fault.reason, fault.fix); });
    connect(&m_disassembler, &run::Disassembler::finished, this, &StageSampling::takeDisassembly);
    connect(&m_runs, &RunDesk::freeChanged, this, &StageSampling::changed);
    connect(&m_runs, &RunDesk::surveyed, this, &StageSampling::changed);
}

StageSampling::~StageSampling() = default;

void StageSampling::setPython(const QString &python)
{
    m_disassembler.setPython(python);
}

void StageSampling::setStage(const stagefile::Stage &stage, const QList<qint64> &dims)
{
    cancel();
    m_order.emplace();
    m_order->stage = stage;
    m_order->dims = dims;
    emit changed();
}

void StageSampling::setNoStage(const QString &reason)
{
    cancel();
    m_order.reset();
    m_noStage = reason;
    emit changed();
}

QString StageSampling::refusal() const
{
    if (!m_order)
        return m_noStage;
    if (m_runs.isSurveying())
        return tr("The workers are being asked what this machine has.");
    if (const QString problem = gpuProblem(m_runs.availability(), QString::fromStdString(m_order->stage.operation));
        !problem.isEmpty())
        return tr("No GPU to sample on: %1").arg(problem);
    if (m_runs.isRunning())
        return tr("A run is in progress: sampling would disturb its times.");
    return m_runs.isFree() ? QString() : tr("A worker is being asked.");
}

QString StageSampling::cubin() const
{
    return m_folder.filePath(QStringLiteral("%1.cubin").arg(m_number));
}

void StageSampling::start()
{
    if (m_busy || !refusal().isEmpty())
        return;
    m_busy = true;
    ++m_number;
    m_order->device = m_runs.plan().device;
    m_order->cubin = cubin();
    m_gpu = tr("GPU %1").arg(m_order->device);
    for (const DeviceChoice &device : m_runs.availability().devices()) {
        if (device.index == m_order->device)
            m_gpu = device.name;
    }
    m_runs.setSampling(true);
    m_sampler.sample(*m_order);
    emit changed();
}

void StageSampling::cancel()
{
    if (!m_busy)
        return;
    m_sampler.cancel();
    m_disassembler.cancel();
    finish();
}

void StageSampling::takeSamples(const protocol::SampleResult &result)
{
    m_runs.setSampling(false); // the GPU is free again
    if (const QString problem = run::sampleProblem(result); !problem.isEmpty())
        return fail(problem, tr("Try again; look into the log of the worker if it stays so"));
    m_result = result;
    m_disassembler.disassemble(cubin());
}

void StageSampling::takeDisassembly(const run::DisassemblyResult &result)
{
    if (!result.reason.isEmpty())
        return fail(result.reason, result.fix);
    auto *watcher = new QFutureWatcher<SampledListing>(this);
    connect(watcher, &QFutureWatcher<SampledListing>::finished, this, [this, watcher, number = m_number] {
        watcher->deleteLater();
        if (number != m_number)
            return;
        SampledListing listing = watcher->result();
        listing.gpu = m_gpu;
        finish();
        emit sampled(listing);
    });
    watcher->setFuture(QtConcurrent::run(
        [code = result.code, samples = m_result, stage = m_order->stage] { return listingOf(code, samples, stage); }));
}

void StageSampling::fail(const QString &reason, const QString &fix)
{
    finish();
    emit failed(reason, fix);
}

void StageSampling::finish()
{
    QFile::remove(cubin());
    ++m_number;
    m_result = {};
    m_busy = false;
    m_runs.setSampling(false);
    emit changed();
}

} // namespace stagecraft::window
