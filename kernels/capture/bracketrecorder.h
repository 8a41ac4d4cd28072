// SPDX-License-Identifier: MIT
#pragma once

#include "capturefile.h"
#include "cuptisession.h"
#include "kernelrecorder.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <thread>

namespace stagecraft::capture {

// Records or counts what this process does between cuProfilerStart and cuProfilerStop, and at each stop writes what it
// has found so far to <PID>.json in a folder: the one that STAGECRAFT_CAPTURE_DIRECTORY named when CUDA was
// initialized. A file that a reader has taken away begins anew; what one holds of all its brackets is bounded
// (CaptureLimits). Lives inside somebody else's process, so nothing throws and nothing ends it; what cannot be written
// is said on standard error. A start inside a bracket and a stop outside of one change nothing, as with the calls
// themselves. Safe from any thread.
class BracketRecorder final : public BracketWatcher
{
public:
    BracketRecorder(const std::vector<std::string> &sonames, std::filesystem::path directory);

    // From the next bracket on: "" records kernels, anything else counts them and names the metrics as metricsNamed()
    // reads it. A text that it does not read makes those brackets unavailable.
    void setCounters(const char *metrics) noexcept;

    // Where CUPTI cannot be used, brackets cannot be seen either: then the reason is written right away.
    void watch() noexcept;

    // The kernels launched from now on are of this iteration; below 0: of none. Below 0 outside of a bracket is also
    // the process's word that no thread of it is in a CUDA call: then what the last bracket has left in the way of its
    // launches is cleared away (KernelRecorder::rest()).
    void setIteration(int iteration) noexcept;

    // Writes a bracket that is still open, with what there is of it. A process that was forked from within one writes
    // nothing.
    void processEnds() noexcept;

    void profilerStarted() noexcept override;
    void profilerStopping() noexcept override;

private:
    void rest();
    void open();
    void close(bool unterminated);
    void startCounting();
    CaptureBracket finished(bool unterminated);
    void takeRecords(CaptureBracket &bracket);
    void takeCounters(CaptureBracket &bracket);
    void write(const CaptureBracket &bracket);
    void writeUnwatched();
    std::filesystem::path file() const;
    bool hasWritten() const;

    const std::filesystem::path m_directory;
    std::mutex m_mutex; // guards what follows, but for the atomics
    KernelRecorder m_recorder;
    std::vector<std::string> m_metrics; // of the next bracket; empty: it records
    std::optional<Refusal> m_unreadableMetrics;
    std::unique_ptr<CounterProfiler> m_counters; // of the bracket that is open, where it counts
    std::thread::id m_countedThread;
    std::atomic<bool> m_watching{false};
    std::atomic<pid_t> m_openedBy{0}; // the process whose bracket is open; 0: none
    std::optional<Refusal> m_refusal; // of the bracket that is open, or of watching
    CaptureFile m_file;               // what this process has written
    std::string m_said;               // the last problem that standard error was told of
};

} // namespace stagecraft::capture
