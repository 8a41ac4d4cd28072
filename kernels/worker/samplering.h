// SPDX-License-Identifier: MIT
#pragma once

#include "backend.h"

#include <chrono>
#include <thread>

namespace stagecraft::worker {

// Samples on their way from the kernel thread (put) to one other thread (take). All memory is there before the first
// sample; put() is two atomic accesses. Only when the receiver has fallen a whole ring behind does put() wait: a late
// sample is worth more than a lost one. Cancelled, it waits no longer.
class SampleRing : public SampleSink
{
public:
    // cancelRequested: of the measure, and there as long as the ring.
    SampleRing(std::size_t capacity, const std::atomic<bool> &cancelRequested)
        : m_cancelRequested(cancelRequested), m_values(capacity)
    {
    }

    bool put(double us) override
    {
        const auto written = m_written.load(std::memory_order_relaxed);
        while (written - m_taken.load(std::memory_order_acquire) == m_values.size()) {
            if (m_cancelRequested)
                return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        m_values[written % m_values.size()] = us;
        m_written.store(written + 1, std::memory_order_release);
        return true;
    }

    // Moves at most `maximum` samples into `us`, whose old content goes; returns the number of the first one.
    std::size_t take(std::vector<double> &us, std::size_t maximum)
    {
        const auto first = m_taken.load(std::memory_order_relaxed);
        const auto end = std::min(m_written.load(std::memory_order_acquire), first + maximum);
        us.clear();
        for (auto i = first; i < end; ++i)
            us.push_back(m_values[i % m_values.size()]);
        m_taken.store(end, std::memory_order_release);
        return first;
    }

private:
    const std::atomic<bool> &m_cancelRequested;
    std::vector<double> m_values;
    // On cache lines of their own, so that the two threads do not take one from each other with every sample.
    alignas(64) std::atomic<std::size_t> m_written = 0;
    alignas(64) std::atomic<std::size_t> m_taken = 0;
};

} // namespace stagecraft::worker
