// SPDX-License-Identifier: MIT
#include "samplesender.h"

#include "envelope.h"

namespace stagecraft::worker {

namespace {

constexpr std::chrono::milliseconds interval{20}; // design: batches at most 50 ms apart
constexpr std::size_t maximumBatch = 8192;        // keeps a line below 200 KB
constexpr int maximumRing = 1 << 20;              // 8 MB

} // namespace

SampleSender::SampleSender(OutputChannel &channel) : m_channel(channel), m_thread(&SampleSender::run, this) {}

SampleSender::~SampleSender()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stopped = true;
    }
    m_changed.notify_one();
    m_thread.join();
}

SampleSink &SampleSender::begin(std::int64_t handle, int iterations, const std::atomic<bool> &cancelRequested)
{
    const std::scoped_lock lock(m_mutex);
    m_ring = std::make_unique<SampleRing>(static_cast<std::size_t>(std::min(iterations, maximumRing)), cancelRequested);
    m_note.handle = handle;
    m_changed.notify_one();
    return *m_ring;
}

void SampleSender::end()
{
    const std::scoped_lock lock(m_mutex);
    drain();
    m_ring.reset();
}

void SampleSender::run()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_stopped || m_ring; });
        if (m_stopped)
            return;
        m_changed.wait_for(lock, interval, [this] { return m_stopped; });
        drain();
    }
}

void SampleSender::drain()
{
    while (m_ring) {
        m_note.first = static_cast<int>(m_ring->take(m_note.us, maximumBatch));
        if (m_note.us.empty())
            return;
        m_channel.send(protocol::notificationLine(protocol::method::samples, m_note));
    }
}

} // namespace stagecraft::worker
