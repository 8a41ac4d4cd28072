// SPDX-License-Identifier: GPL-3.0-or-later
#include "targetsession.h"

#include "commandtable.h"
#include "console.h"
#include "implementationcatalogue.h"
#include "measurementtext.h"
#include "publictext.h"
#include "runplan.h"
#include "targettiming.h"

#include <QFile>
#include <QFileInfo>

namespace stagecraft::commands {

namespace {

constexpr int gpu = 0;

// Whoever runs the target may be recording it: none of this program's instruments may be in the way.
const protocol::DescribeParams profilerOfOthers{gpu, true};

int silenceLimitMs()
{
    return run::RunPlan().measurementTimeLimitMs;
}

} // namespace

TargetSession::TargetSession(TargetRequest request, QObject *parent)
    : QObject(parent),
      m_request(std::move(request)),
      m_pool({{}, m_request.python, {}}, profilerOfOthers, silenceLimitMs(), this)
{
    connect(&m_pool, &run::WorkerPool::logged, this, [](const QString &, const QString &text) { complainLine(text); });
    connect(&m_pool, &run::WorkerPool::samplesReceived, this,
            [this](run::WorkerProcess *, const protocol::SamplesNote &note) { takeSamples(note); });
}

void TargetSession::start()
{
    const QString problem = removeEarlierFiles();
    if (!problem.isEmpty()) {
        QMetaObject::invokeMethod(
            this, [=, this] { fail(problem); }, Qt::QueuedConnection);
        return;
    }
    m_pool.acquire(
        run::findImplementation(m_request.implementation)->worker, [this](const Ready &ready) { prepare(ready); },
        [this](const run::WorkerFault &fault) { unavailable(fault); });
}

// Those of an earlier run must not be taken for this one's, whatever becomes of it.
QString TargetSession::removeEarlierFiles() const
{
    for (const QString &name : {m_request.outputName(), m_request.timingName()}) {
        QFile file(m_request.path(name));
        if (file.exists() && !file.remove())
            return QStringLiteral("an earlier %1 cannot be removed: %2").arg(name, file.errorString());
    }
    return {};
}

void TargetSession::prepare(const Ready &ready)
{
    const QString operation = QString::fromStdString(m_request.manifest.operation);
    if (const auto fault = run::implementationFault(ready.description, m_request.implementation, operation))
        return unavailable(*fault);
    m_worker = ready.process;
    protocol::PrepareParams params;
    params.operation = m_request.manifest.operation;
    params.dims = m_request.manifest.dims;
    params.directory = QFileInfo(m_request.directory).absoluteFilePath().toStdString();
    params.implementation = m_request.implementation.toStdString();
    params.device = gpu;
    if (m_request.stage) {
        params.stage = m_request.stage->name();
        params.source = m_request.stage->text;
    }
    m_worker->call<protocol::PrepareResult>(
        protocol::method::prepare, params, silenceLimitMs(),
        [this](const protocol::PrepareResult &prepared) { check(prepared); },
        [this](const run::WorkerFault &fault) {
            if (!fault.log.isEmpty())
                complainLine(fault.log);
            unavailable(fault);
        });
}

void TargetSession::check(const protocol::PrepareResult &prepared)
{
    if (const auto fault = run::preparationFault(prepared, m_request.stage ? &*m_request.stage : nullptr))
        return fail(fault->text());
    m_prepared = prepared;
    const QString output = QFileInfo(m_request.path(m_request.outputName())).absoluteFilePath();
    m_worker->call<protocol::CheckResult>(
        protocol::method::check, protocol::CheckParams{prepared.handle, 0, output.toStdString()}, silenceLimitMs(),
        [this](const protocol::CheckResult &checked) { measure(checked); },
        [this](const run::WorkerFault &fault) { fail(fault.text()); });
}

void TargetSession::measure(const protocol::CheckResult &checked)
{
    if (!checked.passed)
        return fail(run::checkFailureText(checked));
    // Whoever started this reads the file next.
    const qint64 expected = checked.checkedElements * qint64{sizeof(float)};
    if (const qint64 found = QFileInfo(m_request.path(m_request.outputName())).size(); found != expected)
        return fail(
            QStringLiteral("%1 has %2 bytes after the check, %3 are expected: the worker does not write results")
                .arg(m_request.outputName())
                .arg(found)
                .arg(expected));
    const auto &counts = m_request.manifest;
    m_worker->call<protocol::MeasureResult>(
        protocol::method::measure,
        protocol::MeasureParams{m_prepared.handle, 0, *counts.warmup, *counts.iterations, m_request.bracket},
        silenceLimitMs(), [this](const protocol::MeasureResult &measured) { write(measured); },
        [this](const run::WorkerFault &fault) { fail(fault.text()); });
}

void TargetSession::takeSamples(const protocol::SamplesNote &note)
{
    m_samplesUs.insert(m_samplesUs.end(), note.us.begin(), note.us.end());
}

void TargetSession::write(const protocol::MeasureResult &measured)
{
    const int asked = *m_request.manifest.iterations;
    if (measured.count != asked || m_samplesUs.size() != static_cast<std::size_t>(asked))
        return fail(QStringLiteral("the worker sent %1 samples and says that it took %2, where %3 were asked for")
                        .arg(m_samplesUs.size())
                        .arg(measured.count)
                        .arg(asked));
    if (const QString problem = writeTiming(m_request, m_prepared, m_samplesUs); !problem.isEmpty())
        return fail(problem);
    const QString stage = run::publicText(m_prepared.stage);
    printLine(QStringLiteral("%1 %2, %3: correct, %4 samples of %5 µs on average (%6). Written: %7, %8")
                  .arg(QString::fromStdString(m_request.manifest.operation),
                       QString::fromStdString(operations::dimsText(m_request.manifest.dims)),
                       stage.isEmpty() ? m_request.implementation : m_request.implementation + " " + stage)
                  .arg(asked)
                  .arg(meanOf(m_samplesUs), 0, 'f', 2)
                  .arg(run::publicText(m_prepared.timingSource), m_request.outputName(), m_request.timingName()));
    m_ended = true;
    emit finished(ExitDone);
}

// Where there is no GPU, the contract can still be followed.
void TargetSession::unavailable(run::WorkerFault fault)
{
    if (fault.state == evidence::State::Unavailable && m_request.implementation != QLatin1String("host")) {
        const QString host = QStringLiteral("`--implementation host` computes it on the CPU");
        fault.fix = fault.fix.isEmpty() ? host : fault.fix + QStringLiteral("; ") + host;
    }
    fail(fault.text());
}

void TargetSession::interrupt()
{
    fail(QStringLiteral("interrupted; nothing is measured"));
}

void TargetSession::fail(const QString &problem)
{
    if (std::exchange(m_ended, true))
        return;
    complainLine(QStringLiteral("%1: %2").arg(m_request.directory, problem));
    emit finished(ExitFailed);
}

} // namespace stagecraft::commands
