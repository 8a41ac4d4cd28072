// SPDX-License-Identifier: MIT
#pragma once

#include "kernelrecorder.h"

namespace stagecraft::worker {

// Records from its making on. Ends the recording on every way out, so that no later pass runs with CUPTI on.
class Recorded
{
public:
    // Throws capture::CaptureError where CUPTI refuses.
    explicit Recorded(capture::KernelRecorder &recorder) : m_recorder(recorder) { recorder.start(); }
    ~Recorded();
    Recorded(const Recorded &) = delete;
    Recorded &operator=(const Recorded &) = delete;

    // The caller has waited for the GPU. Throws capture::CaptureError, and WorkerError(failed) where a record belongs
    // to no iteration: it could not be told whose time it is.
    capture::Recording stop();

private:
    capture::KernelRecorder &m_recorder;
    bool m_stopped = false;
};

} // namespace stagecraft::worker
