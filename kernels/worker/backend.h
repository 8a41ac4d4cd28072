// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

#include <atomic>
#include <functional>
#include <span>
#include <stdexcept>

// What a worker program implements; the server (server.h) does the talking. Every function is called on the one
// kernel thread; cancelRequested is set from the reading thread.
namespace stagecraft::worker {

// An error that becomes a JSON-RPC error reply with this code, reason and fix.
struct WorkerError : std::runtime_error
{
    WorkerError(int errorCode, const std::string &reason, std::string whatToDo = {}, std::string compilerLog = {})
        : std::runtime_error(reason), code(errorCode), fix(std::move(whatToDo)), log(std::move(compilerLog))
    {
    }
    int code;
    std::string fix;
    std::string log; // what the compiler said, where it was one that refused
};

// Preallocated: put() never allocates, locks for long or writes, so it may stand between two samples. A thread of the
// server's own sends what has gathered at most 50 ms apart.
class SampleSink
{
public:
    virtual ~SampleSink() = default;

    // False where the measure was cancelled before there was room: the sample was not taken and must not be counted.
    [[nodiscard]] virtual bool put(double us) = 0;
};

// What every function of a backend may use. From any thread.
struct Session
{
    // Sends a log notification: to whoever asked, a sign that the work goes on.
    std::function<void(const protocol::LogNote &)> log;
    // Of the request in progress; set as well when nobody waits for any more. There as long as the backend is called.
    const std::atomic<bool> &cancelRequested;
};

class Backend
{
public:
    virtual ~Backend() = default;
    virtual void begin(const Session &) {} // before any other function
    virtual protocol::DescribeResult describe(const protocol::DescribeParams &params) = 0;
    virtual protocol::CompileResult compile(const protocol::CompileParams &params) = 0;
    virtual protocol::PrepareResult prepare(const protocol::PrepareParams &params) = 0;
    // Writes the result to the file that the params name, whether or not it is right; throws WorkerError where it
    // cannot.
    virtual protocol::CheckResult check(const protocol::CheckParams &params) = 0;
    virtual protocol::MeasureResult measure(const protocol::MeasureParams &params, SampleSink &sink,
                                            const std::atomic<bool> &cancelRequested) = 0;
    virtual protocol::CaptureResult capture(const protocol::CaptureParams &params,
                                            const std::atomic<bool> &cancelRequested) = 0;
    virtual void release(std::int64_t handle) = 0;

    // The times that no implementation can beat, measured on the device. Throws WorkerError(unavailable) where the
    // worker has no such benchmark, or kernel records are not to be had.
    virtual protocol::FloorsResult floors(const protocol::FloorsParams &, const std::atomic<bool> &)
    {
        throw WorkerError(protocol::error::unavailable, "this worker has no benchmark of floors",
                          "ask the worker of a GPU (stagecraft-worker-cuda)");
    }

    // Hardware counters of each kernel of one call. Nothing is timed in this process afterwards. Throws
    // WorkerError(unavailable) where they are not to be had.
    virtual protocol::CountersResult counters(const protocol::CountersParams &, const std::atomic<bool> &)
    {
        throw WorkerError(protocol::error::unavailable, "this worker has no hardware counters",
                          "ask the worker of a GPU (stagecraft-worker-cuda)");
    }

    // Where the warps of a stage's kernels wait. As of counters(): nothing is timed in this process afterwards.
    virtual protocol::SampleResult sample(const protocol::SampleParams &)
    {
        throw WorkerError(protocol::error::unavailable, "this worker samples no kernels",
                          "ask the worker of a GPU (stagecraft-worker-cuda)");
    }

    // True once nothing more can be done in this process (a CUDA error that kills its context, say): the server sends
    // the reply that it has and ends, so that whoever started the worker starts a fresh one.
    virtual bool lost() const { return false; }
};

} // namespace stagecraft::worker
