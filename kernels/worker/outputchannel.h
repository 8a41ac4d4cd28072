// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <mutex>
#include <string_view>

namespace stagecraft::worker {

// Writes whole lines to a descriptor, from any thread. A write blocks until the other side has read enough.
class OutputChannel
{
public:
    // onLost is called once, on the thread that found out, when the other side is gone; later lines are discarded.
    OutputChannel(int descriptor, std::function<void()> onLost) : m_descriptor(descriptor), m_onLost(std::move(onLost))
    {
    }

    void send(std::string_view lines);

private:
    bool write(std::string_view bytes) const;

    int m_descriptor;
    std::function<void()> m_onLost;
    std::mutex m_mutex;
    bool m_lost = false;
};

} // namespace stagecraft::worker
