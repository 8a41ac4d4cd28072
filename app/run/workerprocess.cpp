// SPDX-License-Identifier: GPL-3.0-or-later
#include "workerprocess.h"

#include "faultphrases.h"
#include "publictext.h"

#include <csignal>
#include <QCoreApplication>
#include <sys/prctl.h>
#include <unistd.h>

namespace stagecraft::run {

namespace {

// After the shutdown request a worker has this long; a worker is gone within 1 s of the end of its input by contract.
constexpr int orderlyEndMs = 1500;
constexpr int terminateMs = 1000;
constexpr int reapMs = 3000;
// A login banner and a launcher's chatter are shorter; a program that is no worker may print without end.
constexpr qint64 maximumBannerBytes = 256 << 10;

template <class... Callables>
struct Overloaded : Callables...
{
    using Callables::operator()...;
};
template <class... Callables>
Overloaded(Callables...) -> Overloaded<Callables...>;

} // namespace

WorkerProcess::WorkerProcess(WorkerCommand command, QObject *parent)
    : QObject(parent), m_command(std::move(command)), m_process(this), m_limit(this), m_endTimer(this)
{
    m_limit.setSingleShot(true);
    m_endTimer.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, &WorkerProcess::limitReached);
    connect(&m_endTimer, &QTimer::timeout, this, &WorkerProcess::endHarder);
    connect(&m_process, &QProcess::started, this, [this] { m_group = m_process.processId(); });
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &WorkerProcess::readOutput);
    connect(&m_process, &QProcess::readyReadStandardError, this, &WorkerProcess::readErrors);
    connect(&m_process, &QProcess::finished, this, &WorkerProcess::processEnded);
    connect(
        &m_process, &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError error) {
            if (error != QProcess::FailedToStart)
                return;
            setFault(QStringLiteral("%1 could not be started: %2").arg(m_command.shown, m_process.errorString()),
                     QStringLiteral("check that the command exists and may be executed"));
            goodbye();
        },
        Qt::QueuedConnection);
    // Should this program be killed, no worker stays behind; one of an external program ends what that has started.
    const int atDeath = m_command.worker.startsWith(QLatin1String("external/")) ? SIGTERM : SIGKILL;
    m_process.setChildProcessModifier([atDeath] {
        ::setsid();
        ::prctl(PR_SET_PDEATHSIG, atDeath);
    });
}

WorkerProcess::~WorkerProcess()
{
    m_process.disconnect(this);
    if (m_process.state() == QProcess::NotRunning)
        return;
    signalGroup(SIGKILL);
    m_process.kill();
    m_process.waitForFinished(reapMs);
}

void WorkerProcess::retire(std::unique_ptr<WorkerProcess> process)
{
    QCoreApplication *application = QCoreApplication::instance();
    if (!process || process->m_process.state() == QProcess::NotRunning || !application ||
        application->thread() != process->thread())
        return;
    process->disconnect();
    process->m_pending = {};
    process->setParent(application);
    connect(process.get(), &WorkerProcess::ended, process.get(), &QObject::deleteLater);
    process.release()->fail(QStringLiteral("nobody needs it any more"), {});
}

void WorkerProcess::start(int helloLimitMs)
{
    m_state = Starting;
    if (!m_command.problem.isEmpty()) {
        setFault(m_command.problem, m_command.fix);
        QMetaObject::invokeMethod(this, &WorkerProcess::goodbye, Qt::QueuedConnection);
        return;
    }
    m_limit.start(helloLimitMs);
    m_process.start(m_command.program, m_command.arguments);
}

void WorkerProcess::request(std::string_view method, const nlohmann::json &params, int silenceLimitMs, Decoder decode,
                            Failed failed)
{
    if (!isUsable() || isBusy()) {
        WorkerFault fault = m_fault;
        fault.lost = !isUsable();
        if (fault.reason.isEmpty())
            fault.reason = QStringLiteral("the worker cannot be asked now");
        QMetaObject::invokeMethod(
            this, [failed, fault] { failed(fault); }, Qt::QueuedConnection);
        return;
    }
    m_pending = {++m_lastId, QString::fromUtf8(method.data(), static_cast<qsizetype>(method.size())), std::move(decode),
                 std::move(failed)};
    m_limit.start(silenceLimitMs);
    m_process.write(QByteArray::fromStdString(protocol::requestLine(m_lastId, method, params)));
}

void WorkerProcess::notify(std::string_view method)
{
    if (isUsable())
        m_process.write(QByteArray::fromStdString(protocol::notificationLine(method, nlohmann::json::object())));
}

void WorkerProcess::readOutput()
{
    const QByteArray chunk = m_process.readAllStandardOutput();
    if (m_state != Starting && m_state != Ready)
        return;
    m_stream.append({chunk.constData(), static_cast<std::size_t>(chunk.size())});
    try {
        while (m_state == Starting || m_state == Ready) {
            const auto event = m_stream.next();
            if (!event)
                break;
            if (m_limit.isActive() && m_state == Ready)
                m_limit.start();
            handle(*event);
        }
    } catch (const protocol::ProtocolError &error) {
        breakOff(publicText(std::string(error.what())));
    }
    m_beforeHello += m_state == Starting ? chunk.size() : 0;
    if (m_beforeHello > maximumBannerBytes)
        fail(QStringLiteral("%1 printed more than %2 KiB and said no hello: it is no worker of Stagecraft")
                 .arg(m_command.shown)
                 .arg(maximumBannerBytes >> 10),
             QStringLiteral("run the command in a terminal: it must print one line of JSON and wait"));
}

void WorkerProcess::readErrors()
{
    logLines(m_log.append(m_process.readAllStandardError()));
}

void WorkerProcess::logLines(const QStringList &lines)
{
    for (const QString &line : lines)
        emit logged(QStringLiteral("info"), QStringLiteral("%1 worker: %2").arg(m_command.worker, line));
}

void WorkerProcess::takeBanner(const std::string &text)
{
    logLines(m_banner.append(QByteArray::fromStdString(text + '\n')));
}

void WorkerProcess::handle(const protocol::WorkerStream::Event &event)
{
    std::visit(Overloaded{[this](const protocol::WorkerStream::Banner &banner) { takeBanner(banner.text); },
                          [this](const protocol::Hello &) {
                              m_limit.stop();
                              m_banner = {};
                              m_beforeHello = 0;
                              m_state = Ready;
                              emit ready();
                          },
                          [this](const protocol::Envelope &envelope) {
                              std::visit(Overloaded{[this](const protocol::Request &request) {
                                                        breakOff(
                                                            QStringLiteral("it sent the request %1, but requests go "
                                                                           "the other way")
                                                                .arg(publicText(request.method).left(100)));
                                                    },
                                                    [this](const protocol::Notification &n) { handleNotification(n); },
                                                    [this](const protocol::Result &r) { handleResult(r); },
                                                    [this](const protocol::ErrorReply &e) { handleError(e); }},
                                         envelope);
                          }},
               event);
}

void WorkerProcess::handleNotification(const protocol::Notification &notification)
{
    if (notification.method == protocol::method::samples) {
        emit samplesReceived(notification.params.get<protocol::SamplesNote>());
    } else if (notification.method == protocol::method::log) {
        const auto note = notification.params.get<protocol::LogNote>();
        emit logged(QString::fromStdString(note.level),
                    QStringLiteral("%1 worker: %2").arg(m_command.worker, QString::fromStdString(note.text)));
    }
    // Other notifications are a later version's and need no answer.
}

bool WorkerProcess::isAnswer(const nlohmann::json &id) const
{
    return isBusy() && id.is_number_integer() && id.get<std::int64_t>() == m_pending.id;
}

void WorkerProcess::handleResult(const protocol::Result &result)
{
    if (!isAnswer(result.id))
        return breakOff(QStringLiteral("it answered a request that was not made"));
    std::function<void()> deliver;
    try {
        deliver = m_pending.decode(result.result);
    } catch (const std::exception &error) {
        return breakOff(
            QStringLiteral("result of %1: %2").arg(m_pending.method, publicText(std::string(error.what()))));
    }
    m_limit.stop();
    m_pending = {};
    deliver();
}

void WorkerProcess::handleError(const protocol::ErrorReply &reply)
{
    if (!isAnswer(reply.id))
        return breakOff(QStringLiteral("it reported an error of no request: %1").arg(publicText(reply.message)));
    m_limit.stop();
    const Failed failed = std::exchange(m_pending, {}).failed;
    failed(faultOf(reply));
}

void WorkerProcess::breakOff(const QString &cause)
{
    fail(QStringLiteral("the %1 worker broke the protocol and was ended: %2").arg(m_command.worker, cause),
         QStringLiteral(
             "use a worker and a program of the same version; something else may write to its standard output"));
}

void WorkerProcess::limitReached()
{
    const double seconds = m_limit.interval() / 1000.0;
    if (m_state == Starting) {
        fail(QStringLiteral("%1 did not say hello within %2 s and was ended").arg(m_command.shown).arg(seconds),
             QStringLiteral(
                 "run the command in a terminal: it must print one line of JSON and wait, without asking for a "
                 "password"));
    } else {
        m_fault.timedOut = m_fault.reason.isEmpty();
        fail(QStringLiteral("the %1%2it sent nothing for %3 s during %4 and was ended")
                 .arg(m_command.worker, QLatin1String(protocol::phrase::workerHung.data(),
                                                      static_cast<qsizetype>(protocol::phrase::workerHung.size())))
                 .arg(seconds)
                 .arg(m_pending.method),
             m_command.worker.startsWith(QLatin1String("external/"))
                 ? QStringLiteral("a program that takes longer prints a line now and then, between two iterations; "
                                  "smaller dims take less time")
                 : QStringLiteral("look for an endless loop or a barrier that not every thread reaches; smaller dims "
                                  "take less time"));
    }
}

void WorkerProcess::setFault(const QString &reason, const QString &fix)
{
    if (!m_fault.reason.isEmpty())
        return; // the first cause is the one that explains the others
    m_fault.state = m_state == Starting ? evidence::State::Unavailable : evidence::State::Failed;
    m_fault.reason = reason;
    m_fault.fix = fix;
    m_fault.lost = true;
}

void WorkerProcess::fail(const QString &reason, const QString &fix)
{
    if (m_state == Idle || m_state == Gone)
        return;
    setFault(reason, fix);
    m_state = Ending;
    m_limit.stop();
    m_endStage = 2;
    endHarder();
}

void WorkerProcess::end()
{
    if (m_state == Idle || m_state == Gone || m_asked)
        return;
    m_asked = true;
    if (m_state == Ending)
        return;
    setFault(QStringLiteral("the worker was asked to end"), {});
    if (isUsable())
        m_process.write(QByteArray::fromStdString(
            protocol::requestLine(++m_lastId, protocol::method::shutdown, nlohmann::json::object())));
    m_process.closeWriteChannel();
    m_state = Ending;
    m_limit.stop();
    m_endTimer.start(orderlyEndMs);
}

void WorkerProcess::endHarder()
{
    switch (m_endStage++) {
    case 0:
        signalGroup(SIGTERM);
        m_endTimer.start(terminateMs);
        break;
    case 1:
    case 2:
        m_endStage = 3;
        signalGroup(SIGKILL);
        m_process.kill();
        m_endTimer.start(reapMs);
        break;
    default:
        goodbye(); // not even SIGKILL ends a process that waits inside a driver; nobody shall wait with it
        break;
    }
}

void WorkerProcess::processEnded()
{
    readErrors();
    readOutput();
    logLines(m_log.finish());
    const bool crashed = m_process.exitStatus() == QProcess::CrashExit;
    QString reason = QStringLiteral("the %1 worker %2").arg(m_command.worker, endText(crashed, m_process.exitCode()));
    if (m_state == Starting)
        reason =
            QStringLiteral("%1 %2 before it said hello").arg(m_command.shown, endText(crashed, m_process.exitCode()));
    else if (isBusy())
        reason += QStringLiteral(" during ") + m_pending.method;
    setFault(reason, endFix(crashed, m_process.exitCode()));
    signalGroup(SIGKILL); // what it started and left behind
    goodbye();
}

void WorkerProcess::goodbye()
{
    if (m_state == Gone)
        return;
    m_state = Gone;
    m_limit.stop();
    m_endTimer.stop();
    const QStringList last = m_log.lastLines().isEmpty() ? m_banner.lastLines() : m_log.lastLines();
    if (!m_asked && !last.isEmpty())
        m_fault.reason += QStringLiteral(". Its last lines: ") + publicText(last.join(QStringLiteral(" | ")));
    if (const Failed failed = std::exchange(m_pending, {}).failed)
        failed(m_fault);
    if (!m_asked)
        emit lost(m_fault);
    emit ended();
}

void WorkerProcess::signalGroup(int signal) const
{
    const qint64 group = m_group > 0 ? m_group : m_process.processId();
    if (group > 0)
        ::kill(static_cast<pid_t>(-group), signal);
}

} // namespace stagecraft::run
