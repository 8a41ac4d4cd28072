// SPDX-License-Identifier: GPL-3.0-or-later
#include "workerprocess.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace stagecraft::tests {

namespace {

constexpr int silenceLimitMs = 120'000;

[[noreturn]] void becomeWorker(const WorkerCommand &command, const std::string &resources, int in, int out)
{
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    if (!resources.empty())
        setenv("STAGECRAFT_RESOURCES", resources.c_str(), 1);
    for (const auto &[name, value] : command.environment)
        setenv(name.c_str(), value.c_str(), 1);
    std::vector<char *> words;
    for (const std::string &word : command.prefix)
        words.push_back(const_cast<char *>(word.c_str()));
    words.push_back(const_cast<char *>(command.program.c_str()));
    words.push_back(nullptr);
    execvp(words.front(), words.data());
    _exit(127);
}

} // namespace

WorkerProcess::WorkerProcess(const WorkerCommand &command, const std::string &resources)
    : m_command(command), m_resources(resources)
{
    std::signal(SIGPIPE, SIG_IGN);
    start();
}

WorkerProcess::~WorkerProcess()
{
    end();
}

void WorkerProcess::restart()
{
    end();
    m_stream = protocol::WorkerStream();
    start();
}

void WorkerProcess::start()
{
    int toChild[2], fromChild[2];
    if (pipe2(toChild, O_CLOEXEC) != 0 || pipe2(fromChild, O_CLOEXEC) != 0)
        throw Gone(std::string("no pipe: ") + std::strerror(errno));
    m_child = fork();
    if (m_child == 0)
        becomeWorker(m_command, m_resources, toChild[0], fromChild[1]);
    close(toChild[0]);
    close(fromChild[1]);
    m_in = toChild[1];
    m_out = fromChild[0];
    if (m_child < 0)
        throw Gone(std::string("no process: ") + std::strerror(errno));
}

void WorkerProcess::end()
{
    closeInput();
    if (m_child > 0) {
        kill(m_child, SIGKILL);
        waitpid(m_child, nullptr, 0);
    }
    m_child = -1;
    close(m_out);
}

void WorkerProcess::closeInput()
{
    if (m_in >= 0)
        close(m_in);
    m_in = -1;
}

void WorkerProcess::write(const std::string &line)
{
    for (std::size_t done = 0; done < line.size();) {
        const ssize_t count = ::write(m_in, line.data() + done, line.size() - done);
        if (count <= 0)
            throw Gone("the worker reads no more");
        done += static_cast<std::size_t>(count);
    }
}

void WorkerProcess::notify(std::string_view method, const nlohmann::json &params)
{
    write(protocol::notificationLine(method, params));
}

void WorkerProcess::send(std::string_view method, const nlohmann::json &params)
{
    write(protocol::requestLine(++m_lastId, method, params));
}

// False at the end of the worker's output.
bool WorkerProcess::readSome()
{
    pollfd waiting{m_out, POLLIN, 0};
    if (poll(&waiting, 1, silenceLimitMs) <= 0)
        throw Gone("the worker said nothing for two minutes");
    char chunk[65536];
    const ssize_t count = read(m_out, chunk, sizeof chunk);
    if (count > 0)
        m_stream.append({chunk, static_cast<std::size_t>(count)});
    return count > 0;
}

nlohmann::json WorkerProcess::call(std::string_view method, const nlohmann::json &params, const Notify &notify)
{
    send(method, params);
    for (;;) {
        while (auto event = m_stream.next()) {
            const auto *envelope = std::get_if<protocol::Envelope>(&*event);
            if (!envelope)
                continue;
            if (const auto *note = std::get_if<protocol::Notification>(envelope); note && notify)
                notify(*note);
            if (const auto *result = std::get_if<protocol::Result>(envelope); result && result->id == m_lastId)
                return result->result;
            if (const auto *error = std::get_if<protocol::ErrorReply>(envelope); error && error->id == m_lastId)
                throw Refused(*error);
        }
        if (!readSome())
            throw Gone("the worker ended in the middle of " + std::string(method));
    }
}

std::chrono::milliseconds WorkerProcess::waitForEnd(std::chrono::milliseconds limit)
{
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    while (waitpid(m_child, nullptr, WNOHANG) == 0) {
        if (Clock::now() - start > limit)
            throw Gone("the worker is still there after " + std::to_string(limit.count()) + " ms");
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    m_child = -1;
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
}

} // namespace stagecraft::tests
