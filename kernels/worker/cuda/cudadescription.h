// SPDX-License-Identifier: MIT
#pragma once

#include "kernelrecorder.h"
#include "messages.h"

namespace stagecraft::worker {

// All of describe but the self-test: devices, libraries with path and version, implementations and, for each that
// cannot be used, why and what to do. `devices` is empty where CUDA shows none.
protocol::DescribeResult describeMachine(int device, const capture::RecorderSupport &recorder);

} // namespace stagecraft::worker
