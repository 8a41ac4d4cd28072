// SPDX-License-Identifier: MIT
#pragma once

#include "gpu.h"
#include "inputs.h"

namespace stagecraft::worker {

// An operation's arrays on the GPU.
struct DeviceArrays
{
    std::vector<DeviceBuffer> inputs; // in the order of a kernel's parameters
    DeviceBuffer output;              // outputElements floats
};

// Copies the inputs to the GPU that is current.
DeviceArrays uploadArrays(const operations::Operation &operation, const operations::InputSet &inputs);

// One implementation of one operation, ready to be called again and again on resident arrays. It refers to the arrays
// and the GPU that it was made with, which must outlive it.
class Workload
{
public:
    virtual ~Workload() = default;

    // Puts one call on the GPU's stream and returns without waiting. Nothing else: this stands between two events.
    virtual void enqueue() = 0;

    // Fills with NaN what the call may keep between its launches, so that nothing from an earlier call can pass for a
    // result. A library's own workspace is not touched: what it may hold is the library's to say.
    virtual void poisonScratch() {}

    virtual std::string stage() const { return {}; }
    virtual std::string sourceSha256() const { return {}; }
    virtual std::string arithmetic() const = 0;
    virtual std::string note() const = 0;
    virtual std::vector<protocol::Launch> launches() const { return {}; } // empty where a library decides
};

} // namespace stagecraft::worker
