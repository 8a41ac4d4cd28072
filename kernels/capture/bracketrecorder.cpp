// SPDX-License-Identifier: MIT
#include "bracketrecorder.h"

#include "capturewriter.h"
#include "loadeddriver.h"
#include "metriclist.h"

#include <cerrno>
#include <cstdio>
#include <unistd.h>

namespace stagecraft::capture {

namespace {

void say(const std::string &text)
{
    std::fprintf(stderr, "stagecraft capture: %s\n", text.c_str());
}

void sayOnceThatNothingIsKept()
{
    static std::atomic<bool> said{false};
    if (!said.exchange(true))
        say("no kernels are recorded, as STAGECRAFT_CAPTURE_DIRECTORY was not set when CUDA was initialized: name a "
            "folder in it");
}

Refusal refusalOf(const CaptureError &error)
{
    return {error.what(), error.fix};
}

// Runs a step inside the host's own call, which no exception may reach.
void guarded(const char *step, const auto &work) noexcept
{
    try {
        work();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "stagecraft capture: %s failed: %s\n", step, error.what());
    }
}

} // namespace

BracketRecorder::BracketRecorder(const std::vector<std::string> &sonames, std::filesystem::path directory)
    : m_directory(std::move(directory)), m_recorder(sonames)
{
    m_file.process = program_invocation_short_name;
    m_file.cupti = m_recorder.support().version;
}

void BracketRecorder::setCounters(const char *metrics) noexcept
{
    guarded("choosing counters", [=, this] {
        const std::lock_guard lock(m_mutex);
        m_metrics.clear();
        m_unreadableMetrics.reset();
        try {
            m_metrics = metricsNamed(metrics);
        } catch (const CaptureError &error) {
            m_unreadableMetrics = refusalOf(error);
        }
    });
}

void BracketRecorder::watch() noexcept
{
    guarded("watching for brackets", [this] {
        const std::lock_guard lock(m_mutex);
        try {
            m_recorder.watch(*this);
            m_watching = true;
        } catch (const CaptureError &error) {
            m_refusal = refusalOf(error);
            writeUnwatched();
        }
    });
}

void BracketRecorder::setIteration(int iteration) noexcept
{
    guarded("marking an iteration", [=, this] {
        if (m_watching) {
            m_recorder.setIteration(iteration);
            if (iteration < 0 && m_openedBy == 0)
                rest();
        } else if (iteration >= 0) {
            const std::lock_guard lock(m_mutex);
            writeUnwatched();
        }
    });
}

void BracketRecorder::rest()
{
    const std::lock_guard lock(m_mutex);
    if (m_openedBy != 0)
        return;
    try {
        m_recorder.rest();
    } catch (const CaptureError &error) {
        m_watching = false;
        m_refusal = refusalOf(error);
    }
}

void BracketRecorder::profilerStarted() noexcept
{
    guarded("cuProfilerStart", [this] {
        const std::lock_guard lock(m_mutex);
        if (m_openedBy != getpid())
            open();
    });
}

void BracketRecorder::profilerStopping() noexcept
{
    guarded("cuProfilerStop", [this] {
        const std::lock_guard lock(m_mutex);
        if (m_openedBy == getpid())
            close(false);
    });
}

void BracketRecorder::processEnds() noexcept
{
    // Before the lock: in a forked process another thread's hold on it would never end.
    if (m_openedBy != getpid())
        return;
    guarded("the process's end", [this] {
        const std::lock_guard lock(m_mutex);
        if (m_openedBy == getpid())
            close(true);
    });
}

void BracketRecorder::open()
{
    m_openedBy = getpid();
    m_refusal.reset();
    if (m_directory.empty())
        return;
    try {
        if (m_unreadableMetrics)
            throw CaptureError(*m_unreadableMetrics);
        if (m_metrics.empty())
            m_recorder.start();
        else
            startCounting();
    } catch (const CaptureError &error) {
        m_refusal = refusalOf(error);
    }
}

void BracketRecorder::startCounting()
{
    static_cast<void>(m_counters.release()); // at most there where this process was forked within the other's bracket
    auto counters = m_recorder.openCounters();
    counters->start(m_metrics);
    m_counters = std::move(counters);
    m_countedThread = std::this_thread::get_id();
}

void BracketRecorder::close(bool unterminated)
{
    m_openedBy = 0;
    if (m_directory.empty())
        sayOnceThatNothingIsKept();
    else
        write(finished(unterminated));
}

CaptureBracket BracketRecorder::finished(bool unterminated)
{
    CaptureBracket bracket;
    bracket.unterminated = unterminated;
    bracket.unavailable = m_refusal;
    if (m_refusal)
        return bracket;
    // A record is complete when its kernel is, and the process need not have waited before it stops the profiler. One
    // that ends inside a bracket may never come to that wait, so then kernels that still run are left out as invalid.
    if (!unterminated)
        bracket.unavailable = waitForGpu();
    try {
        if (m_counters)
            takeCounters(bracket);
        else
            takeRecords(bracket);
    } catch (const CaptureError &error) {
        bracket.unavailable = refusalOf(error);
    }
    return bracket;
}

void BracketRecorder::takeRecords(CaptureBracket &bracket)
{
    const Recording recording = m_recorder.stop(Unmatched::Kept);
    if (bracket.unavailable)
        return;
    bracket.backend = "cupti";
    bracket.timestampMode = m_recorder.support().timestampMode;
    bracket.dropped = recording.dropped;
    bracket.invalid = recording.invalid;
    for (const CapturedKernel &kernel : recording.kernels)
        bracket.records.push_back(kernelRecord(kernel));
}

void BracketRecorder::takeCounters(CaptureBracket &bracket)
{
    const std::unique_ptr<CounterProfiler> counters = std::move(m_counters); // whose end stops what is not read
    if (bracket.unavailable)
        return;
    if (m_countedThread != std::this_thread::get_id())
        throw CaptureError({"another thread called cuProfilerStop than cuProfilerStart, and what is counted is one "
                            "thread's",
                            "call both on the thread that launches the kernels"});
    bracket.counters = counters->stop();
    bracket.backend = "cupti";
}

std::filesystem::path BracketRecorder::file() const
{
    return m_directory / captureFileName(getpid()); // now: a forked process has an id of its own
}

// By this process: one before it may have had the same id, and left a file behind.
bool BracketRecorder::hasWritten() const
{
    std::error_code ignored;
    return m_file.pid == getpid() && std::filesystem::exists(file(), ignored);
}

void BracketRecorder::write(const CaptureBracket &bracket)
{
    if (!hasWritten())
        m_file.brackets.clear();
    m_file.pid = getpid();
    appendBracket(m_file.brackets, bracket);
    const std::string problem = writeCapture(file(), captureText(m_file)).value_or("");
    if (problem != m_said && !problem.empty())
        say(problem);
    m_said = problem;
}

void BracketRecorder::writeUnwatched()
{
    if (m_directory.empty())
        return sayOnceThatNothingIsKept();
    if (hasWritten())
        return;
    CaptureBracket bracket;
    bracket.unavailable = m_refusal;
    write(bracket);
}

} // namespace stagecraft::capture
