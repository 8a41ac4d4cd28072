// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpustate.h"

#include <array>
#include <QStandardPaths>

namespace stagecraft::run {

namespace {

constexpr int queryLimitMs = 5000;

// Drivers since release 535 call the throttle reasons event reasons; older ones know the first name only.
constexpr std::array queries = {
    "name,pstate,clocks.sm,clocks.mem,temperature.gpu,power.draw,clocks_event_reasons.active",
    "name,pstate,clocks.sm,clocks.mem,temperature.gpu,power.draw,clocks_throttle_reasons.active",
};

} // namespace

GpuStateReader::GpuStateReader(QObject *parent) : QObject(parent), m_process(this), m_limit(this)
{
    m_limit.setSingleShot(true);
    m_limit.setInterval(queryLimitMs);
    connect(&m_limit, &QTimer::timeout, &m_process, &QProcess::kill);
    connect(&m_process, &QProcess::finished, this, &GpuStateReader::queryEnded);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish({}, QStringLiteral("nvidia-smi could not be started: %1").arg(m_process.errorString()));
    });
}

GpuStateReader::~GpuStateReader()
{
    m_process.disconnect(this);
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill();
        m_process.waitForFinished(1000);
    }
}

void GpuStateReader::read(const QString &gpuUuid, Done done)
{
    m_uuid = gpuUuid;
    m_done = std::move(done);
    const QString program = QStandardPaths::findExecutable(QStringLiteral("nvidia-smi"));
    if (program.isEmpty()) {
        QMetaObject::invokeMethod(
            this, [this] { finish({}, QStringLiteral("nvidia-smi was not found on the PATH")); }, Qt::QueuedConnection);
        return;
    }
    m_process.setProgram(program);
    startQuery();
}

void GpuStateReader::startQuery()
{
    m_process.setArguments({QStringLiteral("--id=") + m_uuid,
                            QStringLiteral("--query-gpu=") + QLatin1String(queries[static_cast<std::size_t>(m_query)]),
                            QStringLiteral("--format=csv")});
    m_process.start(QIODevice::ReadOnly);
    m_limit.start();
}

void GpuStateReader::queryEnded()
{
    m_limit.stop();
    const QString output = QString::fromUtf8(m_process.readAllStandardOutput()).trimmed();
    if (m_process.exitStatus() == QProcess::NormalExit && m_process.exitCode() == 0)
        return finish(output, {});
    if (m_process.exitStatus() == QProcess::CrashExit)
        return finish({}, QStringLiteral("nvidia-smi did not answer within %1 s").arg(queryLimitMs / 1000));
    if (++m_query < static_cast<int>(queries.size()) && m_done)
        return startQuery();
    m_query = 0;
    finish({},
           QStringLiteral("nvidia-smi ended with exit status %1: %2").arg(m_process.exitCode()).arg(output.left(200)));
}

void GpuStateReader::abort()
{
    if (m_process.state() != QProcess::NotRunning)
        m_process.kill();
}

void GpuStateReader::finish(const QString &text, const QString &problem)
{
    m_limit.stop();
    if (const Done done = std::exchange(m_done, nullptr))
        done(text, problem);
}

} // namespace stagecraft::run
