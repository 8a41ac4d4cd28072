// SPDX-License-Identifier: MIT
#pragma once

#include "envelope.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace stagecraft::worker {

// Requests from the reading thread to the kernel thread, in order, with the cancellation that overtakes them.
class RequestQueue
{
public:
    void push(protocol::Request request);

    // Cancels the request in progress and those that wait: a cancel that follows its measure at once must not be lost
    // because the kernel thread has not begun it yet.
    void cancel();

    // Cancels everything and lets next() return nullopt from now on.
    void close();

    // Blocks until there is a request, which is then the one in progress; the one before it is over.
    std::optional<protocol::Request> next();

    // Of the request in progress.
    const std::atomic<bool> &cancelRequested() const { return m_cancelRequested; }

private:
    struct Waiting
    {
        protocol::Request request;
        bool cancelled = false;
    };

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Waiting> m_waiting;
    bool m_closed = false;
    std::atomic<bool> m_cancelRequested = false;
};

} // namespace stagecraft::worker
