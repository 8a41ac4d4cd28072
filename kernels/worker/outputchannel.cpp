// SPDX-License-Identifier: MIT
#include "outputchannel.h"

#include <cerrno>
#include <unistd.h>

namespace stagecraft::worker {

void OutputChannel::send(std::string_view lines)
{
    const std::scoped_lock lock(m_mutex);
    if (m_lost || write(lines))
        return;
    m_lost = true;
    m_onLost();
}

bool OutputChannel::write(std::string_view bytes) const
{
    while (!bytes.empty()) {
        const auto written = ::write(m_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0)
            bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

} // namespace stagecraft::worker
