// SPDX-License-Identifier: MIT
#pragma once

#include "cuptirefusal.h"
#include "iterationmatching.h"
#include "nvidialibraries.h"

#include <memory>

namespace stagecraft::capture {

class BracketWatcher;
class CounterProfiler;
class CuptiSession;
class PcSampler;
struct CuptiVariant;

struct RecorderSupport
{
    bool available = false; // libcupti is there and this build can read its records; CUPTI may still refuse to start
    std::string libraryPath, version; // "API 130001, CUDA 13"
    std::string timestampMode;
    std::string reason, fix;
};

// Records which kernels ran in which iteration, through the CUPTI of this machine. For one thread at a time;
// setIteration() for any, while support() says available.
class KernelRecorder
{
public:
    // Uses the first of the libraries that is loaded already or can be loaded. Does not throw: support() tells.
    explicit KernelRecorder(const std::vector<std::string> &sonames);
    ~KernelRecorder();
    KernelRecorder(const KernelRecorder &) = delete;
    KernelRecorder &operator=(const KernelRecorder &) = delete;

    const RecorderSupport &support() const { return m_support; }

    // Takes CUPTI's one subscription for as long as the recorder lives and tells the watcher, which outlives it, of the
    // process's profiler calls; within them start() and stop() may be called. Throws as start().
    void watch(BracketWatcher &watcher);

    // While it watches, between recordings: see CuptiSession::rest().
    void rest();

    // Throws CaptureError where support() says unavailable or CUPTI refuses.
    void start();

    // The calls that follow belong to this iteration; −1: to none.
    void setIteration(int iteration);

    // The caller has waited for the GPU. Throws CaptureError.
    Recording stop(Unmatched unmatched = Unmatched::LeftOut);

    // Count or sample kernels through the same library, while nothing is recorded. Throw CaptureError where support()
    // says unavailable or the library is too old for it.
    std::unique_ptr<CounterProfiler> openCounters() const;
    std::unique_ptr<PcSampler> openSampler() const;

private:
    void open(const LibraryResult &found);
    void requireSupport() const;
    RecorderSupport m_support;
    SharedLibrary m_library;
    const CuptiVariant *m_variant = nullptr; // that fits the library
    std::unique_ptr<CuptiSession> m_session;
};

} // namespace stagecraft::capture
