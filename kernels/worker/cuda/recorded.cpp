// SPDX-License-Identifier: MIT
#include "recorded.h"

#include "backend.h"

namespace stagecraft::worker {

Recorded::~Recorded()
{
    if (m_stopped)
        return;
    try {
        m_recorder.stop();
    } catch (const capture::CaptureError &) {
        // The error that leads here is being reported already.
    }
}

capture::Recording Recorded::stop()
{
    m_stopped = true;
    capture::Recording recording = m_recorder.stop();
    if (recording.unmatched > 0)
        throw WorkerError(protocol::error::failed,
                          std::to_string(recording.unmatched) +
                              " kernel records belong to no iteration, the first is of " + recording.firstUnmatched,
                          "measure spans only (--no-capture), and report this with the library's version");
    return recording;
}

} // namespace stagecraft::worker
