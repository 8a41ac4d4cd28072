// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workerstream.h"

#include <chrono>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace stagecraft::tests {

// The worker said no, with its own words.
struct Refused : std::runtime_error
{
    explicit Refused(const protocol::ErrorReply &reply)
        : std::runtime_error(reply.reason + " [to do: " + reply.fix + "]"),
          code(reply.code),
          reason(reply.reason),
          fix(reply.fix)
    {
    }
    int code;
    std::string reason, fix;
};

// The worker said nothing any more: it ended, or took too long.
struct Gone : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

// How a worker is started.
struct WorkerCommand
{
    std::string program = {};
    std::vector<std::string> prefix = {}; // words before it: a tool that watches it, an interpreter
    std::vector<std::pair<std::string, std::string>> environment = {}; // added to ours
};

// A worker as a child process, asked and answered over its standard input and output. Its standard error is ours.
class WorkerProcess
{
public:
    using Notify = std::function<void(const protocol::Notification &)>;

    // `resources`: STAGECRAFT_RESOURCES for the child; empty: as it is.
    explicit WorkerProcess(const WorkerCommand &command, const std::string &resources = {});
    ~WorkerProcess(); // ends the child
    void restart();   // ends the child and starts another
    WorkerProcess(const WorkerProcess &) = delete;
    WorkerProcess &operator=(const WorkerProcess &) = delete;

    // Waits for the reply, handing notifications to `notify` meanwhile. Throws Refused or Gone.
    nlohmann::json call(std::string_view method, const nlohmann::json &params, const Notify &notify = {});

    void notify(std::string_view method, const nlohmann::json &params);
    void send(std::string_view method, const nlohmann::json &params); // a request whose reply nobody waits for
    void closeInput();

    // How long the child took to end from now on; Gone where it did not within the limit.
    std::chrono::milliseconds waitForEnd(std::chrono::milliseconds limit);

private:
    void start();
    void end();
    void write(const std::string &line);
    bool readSome();
    const WorkerCommand m_command;
    const std::string m_resources;
    pid_t m_child = -1;
    int m_in = -1, m_out = -1;
    std::int64_t m_lastId = 0;
    protocol::WorkerStream m_stream;
};

} // namespace stagecraft::tests
