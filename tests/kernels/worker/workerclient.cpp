// SPDX-License-Identifier: GPL-3.0-or-later
#include "workerclient.h"

#include <QTest>

using namespace stagecraft::protocol;

namespace {

constexpr int patienceMs = 30'000;

nlohmann::json idOf(const WorkerClient::Reply &reply)
{
    return std::visit([](const auto &content) { return content.id; }, reply);
}

} // namespace

WorkerClient::WorkerClient()
{
    QObject::connect(&m_process, &QProcess::readyReadStandardOutput, &m_process, [this] { read(); });
}

WorkerClient::~WorkerClient()
{
    m_process.kill();
    m_process.waitForFinished();
}

void WorkerClient::start(const QString &program, const QStringList &arguments, const QProcessEnvironment &environment)
{
    auto full = environment.isEmpty() ? QProcessEnvironment::systemEnvironment() : environment;
    // A worker that leaves with _exit() has threads by intent; ThreadSanitizer would make that its exit status.
    full.insert("TSAN_OPTIONS", full.value("TSAN_OPTIONS") + ":report_thread_leaks=0");
    m_process.setProcessEnvironment(full);
    m_process.start(QStringLiteral(STAGECRAFT_BINARY_DIR "/") + program, arguments);
    QVERIFY2(m_process.waitForStarted(), qPrintable(m_process.errorString()));
}

bool WorkerClient::waitForHello()
{
    return QTest::qWaitFor([this] { return m_stream.helloReceived(); }, patienceMs);
}

std::int64_t WorkerClient::send(const char *method, const nlohmann::json &params)
{
    m_process.write(QByteArray::fromStdString(requestLine(++m_lastId, method, params)));
    return m_lastId;
}

void WorkerClient::notify(const char *method)
{
    m_process.write(QByteArray::fromStdString(notificationLine(method, nlohmann::json::object())));
}

WorkerClient::Reply WorkerClient::waitFor(std::int64_t id)
{
    Reply found = ErrorReply{};
    const auto arrived = [&] {
        const auto reply = std::ranges::find(m_replies, nlohmann::json(id), idOf);
        if (reply != m_replies.end())
            found = *reply;
        return reply != m_replies.end();
    };
    if (!QTest::qWaitFor(arrived, patienceMs))
        QTest::qFail("no reply came", __FILE__, __LINE__);
    return found;
}

WorkerClient::Reply WorkerClient::waitForAnyError()
{
    const auto isError = [](const Reply &reply) { return std::holds_alternative<ErrorReply>(reply); };
    const auto arrived = [&] { return std::ranges::any_of(m_replies, isError); };
    if (!QTest::qWaitFor(arrived, patienceMs)) {
        QTest::qFail("no error came", __FILE__, __LINE__);
        return ErrorReply{};
    }
    const auto reply = std::ranges::find_if(m_replies, isError);
    const auto found = *reply;
    m_replies.erase(reply);
    return found;
}

bool WorkerClient::waitForSamples(qsizetype count)
{
    return QTest::qWaitFor([&] { return std::ssize(m_samples) >= count; }, patienceMs);
}

bool WorkerClient::waitForLog(const QString &part)
{
    return QTest::qWaitFor([&] { return !m_logs.filter(part).isEmpty(); }, patienceMs);
}

bool WorkerClient::waitForEnd()
{
    return QTest::qWaitFor([this] { return m_process.state() == QProcess::NotRunning; }, patienceMs);
}

std::int64_t WorkerClient::prepare(const char *operation, const std::vector<std::int64_t> &dims,
                                   const char *implementation)
{
    PrepareParams params;
    params.operation = operation;
    params.dims = dims;
    params.seed = 1;
    params.implementation = implementation;
    return get<PrepareResult>(method::prepare, params).handle;
}

nlohmann::json WorkerClient::resultOf(const Reply &reply)
{
    if (const auto *result = std::get_if<Result>(&reply))
        return result->result;
    const auto &error = std::get<ErrorReply>(reply);
    QTest::qFail(qPrintable(QString::fromStdString(error.message + ": " + error.reason)), __FILE__, __LINE__);
    return {};
}

ErrorReply WorkerClient::errorOf(const Reply &reply)
{
    if (const auto *error = std::get_if<ErrorReply>(&reply))
        return *error;
    QTest::qFail("a result came where an error was expected", __FILE__, __LINE__);
    return {};
}

void WorkerClient::read()
{
    const auto bytes = m_process.readAllStandardOutput();
    m_stream.append({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    for (;;) {
        try {
            auto event = m_stream.next();
            if (!event)
                return;
            take(std::move(*event));
        } catch (const ProtocolError &error) {
            m_problems << error.what();
        }
    }
}

void WorkerClient::take(WorkerStream::Event event)
{
    if (const auto *banner = std::get_if<WorkerStream::Banner>(&event))
        m_banner << QString::fromStdString(banner->text);
    else if (const auto *hello = std::get_if<Hello>(&event))
        m_hello = *hello;
    else
        take(std::get<Envelope>(event));
}

void WorkerClient::take(const Envelope &message)
{
    if (const auto *result = std::get_if<Result>(&message)) {
        m_replies.emplace_back(*result);
    } else if (const auto *error = std::get_if<ErrorReply>(&message)) {
        m_replies.emplace_back(*error);
    } else if (const auto *note = std::get_if<Notification>(&message); note && note->method == method::samples) {
        m_batches.push_back(note->params.get<SamplesNote>());
        m_samples.insert(m_samples.end(), m_batches.back().us.begin(), m_batches.back().us.end());
    } else if (note && note->method == method::log) {
        m_logs << QString::fromStdString(note->params.get<LogNote>().text);
    }
}
