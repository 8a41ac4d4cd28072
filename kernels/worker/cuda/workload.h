// SPDX-License-Identifier: MIT
#pragma once

#include "coldcache.h"
#include "gpu.h"
#include "inputs.h"

namespace stagecraft::worker {

// An operation's arrays on the GPU.
struct DeviceArrays
{
    std::vector<DeviceBuffer> inputs; // in the order of a kernel's parameters
    DeviceBuffer output;              // outputElements floats
};

// What calls take in turn: one for a warm cache, more for a cold one. All hold the same inputs. A workload refers to
// them, so they stay where they are as long as it lives.
using ArrayCopies = std::span<const DeviceArrays>;

// Of one copy: all inputs and the output.
std::int64_t arrayBytes(const operations::Operation &operation, const operations::Dims &dims);

// Copies the inputs to the GPU that is current, as often as asked for.
std::vector<DeviceArrays> uploadArrays(const operations::Operation &operation, const operations::InputSet &inputs,
                                       std::size_t copies);

// One implementation of one operation, ready to be called again and again on resident arrays. It refers to the arrays
// and the GPU that it was made with, which must outlive it.
class Workload
{
public:
    explicit Workload(ArrayCopies copies) : m_copies(copies), m_turns(copies.size()) {}
    virtual ~Workload() = default;
    Workload(const Workload &) = delete;
    Workload &operator=(const Workload &) = delete;

    // The next call takes the next copy of the arrays, which is returned. Before every call, and never between two
    // events.
    const DeviceArrays &turn()
    {
        const std::size_t copy = m_turns.next();
        use(copy);
        return m_copies[copy];
    }

    bool isCold() const { return m_copies.size() > 1; }

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
    virtual std::vector<char> machineCode() const { return {}; }          // as it was loaded; a library's is its own

protected:
    ArrayCopies copies() const { return m_copies; }

private:
    // Points the next calls at a copy; all that enqueue() needs of it is ready before the first call.
    virtual void use(std::size_t copy) = 0;

    ArrayCopies m_copies;
    CopyTurns m_turns;
};

} // namespace stagecraft::worker
