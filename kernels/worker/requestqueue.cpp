// SPDX-License-Identifier: MIT
#include "requestqueue.h"

namespace stagecraft::worker {

void RequestQueue::push(protocol::Request request)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_waiting.push_back({std::move(request)});
    }
    m_changed.notify_one();
}

void RequestQueue::cancel()
{
    const std::scoped_lock lock(m_mutex);
    m_cancelRequested = true;
    for (auto &waiting : m_waiting)
        waiting.cancelled = true;
}

void RequestQueue::close()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_closed = true;
        m_cancelRequested = true;
    }
    m_changed.notify_one();
}

std::optional<protocol::Request> RequestQueue::next()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_closed || !m_waiting.empty(); });
    if (m_closed)
        return std::nullopt;
    auto waiting = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_cancelRequested = waiting.cancelled;
    return std::move(waiting.request);
}

} // namespace stagecraft::worker
