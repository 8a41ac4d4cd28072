// SPDX-License-Identifier: MIT
#pragma once

#include "gpu.h"
#include "kernelrecorder.h"

#include <atomic>

namespace stagecraft::worker {

// The `floors` benchmark: an empty kernel, streams, gathers and arithmetic peaks, each in several shapes of which the
// fastest counts, timed by kernel records alone (the span of an empty kernel's call by events); then the floors of the
// operations (floorformulas.h). Takes a few seconds at most, the larger part of it compiling. The GPU must be current.
// Throws WorkerError: invalid for operations that cannot be, unavailable without NVRTC or the sources;
// capture::CaptureError where there are no kernel records.
protocol::FloorsResult measureFloors(const protocol::FloorsParams &params, const Gpu &gpu,
                                     capture::KernelRecorder &recorder, const std::atomic<bool> &cancelRequested);

} // namespace stagecraft::worker
