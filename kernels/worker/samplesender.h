// SPDX-License-Identifier: MIT
#pragma once

#include "outputchannel.h"
#include "samplering.h"

#include <condition_variable>
#include <memory>

namespace stagecraft::worker {

// The thread that sends samples while a measure runs, so that the kernel thread writes nothing between two of them.
class SampleSender
{
public:
    explicit SampleSender(OutputChannel &channel);
    ~SampleSender();
    SampleSender(const SampleSender &) = delete;
    SampleSender &operator=(const SampleSender &) = delete;

    // The sink for one measure of `iterations` samples; valid until end(), as cancelRequested must be.
    SampleSink &begin(std::int64_t handle, int iterations, const std::atomic<bool> &cancelRequested);

    // Returns when every sample has been handed to the channel.
    void end();

private:
    void run();
    void drain();

    OutputChannel &m_channel;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::unique_ptr<SampleRing> m_ring; // there while a measure runs
    protocol::SamplesNote m_note;       // reused: its memory is kept between batches
    bool m_stopped = false;
    std::thread m_thread; // last: starts when the rest is there
};

} // namespace stagecraft::worker
