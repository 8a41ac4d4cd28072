// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workerstream.h"

#include <QProcess>
#include <QStringList>

// The other side of a worker in a test: a child process and what it has said so far. Waiting ends with the test's
// failure after half a minute.
class WorkerClient
{
public:
    using Reply = std::variant<stagecraft::protocol::Result, stagecraft::protocol::ErrorReply>;

    WorkerClient();
    ~WorkerClient();

    // program: below the build folder, "bin/stagecraft-worker-host".
    void start(const QString &program, const QStringList &arguments = {}, const QProcessEnvironment &environment = {});
    bool waitForHello();

    std::int64_t send(const char *method, const nlohmann::json &params = nlohmann::json::object());
    void notify(const char *method);
    void sendBytes(const QByteArray &bytes) { m_process.write(bytes); }

    // The reply to the request `id`; a failed test and an empty error reply where none comes.
    Reply waitFor(std::int64_t id);
    Reply waitForAnyError(); // an error reply, whatever its id
    bool waitForSamples(qsizetype count);
    bool waitForLog(const QString &part); // a log notification that holds it
    bool waitForEnd();

    Reply call(const char *method, const nlohmann::json &params = nlohmann::json::object())
    {
        return waitFor(send(method, params));
    }

    // The result as a message; fails the test on an error reply.
    template <class Message>
    Message get(const char *method, const nlohmann::json &params = nlohmann::json::object())
    {
        return resultOf(call(method, params)).template get<Message>();
    }

    // A handle for `implementation`; seed 1.
    std::int64_t prepare(const char *operation, const std::vector<std::int64_t> &dims, const char *implementation);

    QProcess &process() { return m_process; }
    const QStringList &banner() const { return m_banner; }
    const QStringList &problems() const { return m_problems; } // lines that were no message
    const std::vector<double> &samples() const { return m_samples; }
    const std::vector<stagecraft::protocol::SamplesNote> &batches() const { return m_batches; }
    const stagecraft::protocol::Hello &hello() const { return m_hello; }

    static nlohmann::json resultOf(const Reply &reply);
    static stagecraft::protocol::ErrorReply errorOf(const Reply &reply);

private:
    void read();
    void take(stagecraft::protocol::WorkerStream::Event event);
    void take(const stagecraft::protocol::Envelope &message);

    QProcess m_process;
    stagecraft::protocol::WorkerStream m_stream;
    stagecraft::protocol::Hello m_hello;
    QStringList m_banner, m_problems, m_logs;
    std::vector<Reply> m_replies;
    std::vector<double> m_samples;
    std::vector<stagecraft::protocol::SamplesNote> m_batches;
    std::int64_t m_lastId = 0;
};
