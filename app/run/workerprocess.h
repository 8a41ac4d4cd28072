// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messagejson.h"
#include "workercommand.h"
#include "workerfault.h"
#include "workerlog.h"
#include "workerstream.h"

#include <functional>
#include <memory>
#include <QObject>
#include <QProcess>
#include <QTimer>

namespace stagecraft::run {

// One worker as a child process, in a session of its own: the terminal's Ctrl+C does not reach it, and whatever it
// starts ends with it. What it sends is untrusted: a line that is no valid message ends it. Asynchronous, one request
// at a time. Destroying it kills it; nothing is left running.
class WorkerProcess : public QObject
{
    Q_OBJECT
public:
    explicit WorkerProcess(WorkerCommand command, QObject *parent = nullptr);
    ~WorkerProcess() override;

    // ready() follows with the hello line, or lost() with the cause, at the latest after this time.
    void start(int helloLimitMs);

    bool isUsable() const { return m_state == Ready; } // said hello, is not ending
    bool isBusy() const { return bool(m_pending.failed); }
    qint64 processId() const { return m_process.processId(); }
    const WorkerCommand &command() const { return m_command; }

    // Asks for T. Exactly one of the two is called, from the event loop: never before call() returns. The worker is
    // ended when it sends nothing at all for silenceLimitMs, which fails the call with `lost` set.
    template <class T>
    void call(std::string_view method, const nlohmann::json &params, int silenceLimitMs,
              std::function<void(const T &)> done, std::function<void(const WorkerFault &)> failed);

    void notify(std::string_view method);

    // Ends it at once, for this reason; lost() follows.
    void fail(const QString &reason, const QString &fix);

    // Destroys it without waiting for the process, where the application's event loop sees to that: it ends at once,
    // and none of its signals comes any more. May be nullptr.
    static void retire(std::unique_ptr<WorkerProcess> process);

    // Orderly: shutdown request and end of input, then SIGTERM, then SIGKILL. ended() follows; a call in progress
    // fails.
    void end();

signals:
    void ready();
    void samplesReceived(const stagecraft::protocol::SamplesNote &samples);
    void logged(const QString &level, const QString &text);
    void lost(const stagecraft::run::WorkerFault &fault); // gone without having been asked to end; after a failed call
    void ended();                                         // gone, in every case; the last signal

private:
    enum LifeState
    {
        Idle,
        Starting,
        Ready,
        Ending,
        Gone
    };
    using Failed = std::function<void(const WorkerFault &)>;
    // Reads a result and returns what hands it over; throws where it is not what was asked for.
    using Decoder = std::function<std::function<void()>(const nlohmann::json &)>;
    struct Pending
    {
        std::int64_t id = 0;
        QString method;
        Decoder decode;
        Failed failed;
    };

    void request(std::string_view method, const nlohmann::json &params, int silenceLimitMs, Decoder decode,
                 Failed failed);
    void readOutput();
    void readErrors();
    void takeBanner(const std::string &text);
    void handle(const protocol::WorkerStream::Event &event);
    void handleNotification(const protocol::Notification &notification);
    void handleResult(const protocol::Result &result);
    void handleError(const protocol::ErrorReply &reply);
    bool isAnswer(const nlohmann::json &id) const;
    void breakOff(const QString &cause);
    void limitReached();
    void endHarder();
    void processEnded();
    void goodbye();
    void setFault(const QString &reason, const QString &fix);
    void signalGroup(int signal) const;
    void logLines(const QStringList &lines);

    WorkerCommand m_command;
    QProcess m_process;
    protocol::WorkerStream m_stream;
    WorkerLog m_log, m_banner; // of its standard error; of its standard output before hello
    qint64 m_beforeHello = 0;  // bytes on its standard output
    QTimer m_limit;            // of the hello line, or of silence during a request
    QTimer m_endTimer;         // until the next, harder way of ending it
    LifeState m_state = Idle;
    Pending m_pending;
    std::int64_t m_lastId = 0;
    WorkerFault m_fault;  // why it is being ended or has ended
    qint64 m_group = 0;   // process group, its own
    int m_endStage = 0;   // how hard it has been asked to end so far
    bool m_asked = false; // to end, by end()
};

template <class T>
void WorkerProcess::call(std::string_view method, const nlohmann::json &params, int silenceLimitMs,
                         std::function<void(const T &)> done, std::function<void(const WorkerFault &)> failed)
{
    request(
        method, params, silenceLimitMs,
        [done = std::move(done)](const nlohmann::json &result) -> std::function<void()> {
            return [done, value = result.get<T>()] { done(value); };
        },
        std::move(failed));
}

} // namespace stagecraft::run
