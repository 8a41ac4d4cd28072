// SPDX-License-Identifier: MIT
#pragma once

#include "backend.h"
#include "coldcache.h"
#include "hostkernel.h"

#include <deque>
#include <map>

namespace stagecraft::worker {

// The CPU as a worker: implementation `host`, spans by the steady clock around the call, no kernel records.
class HostBackend : public Backend
{
public:
    protocol::DescribeResult describe(const protocol::DescribeParams &params) override;
    protocol::CompileResult compile(const protocol::CompileParams &params) override;
    protocol::PrepareResult prepare(const protocol::PrepareParams &params) override;
    protocol::CheckResult check(const protocol::CheckParams &params) override;
    protocol::MeasureResult measure(const protocol::MeasureParams &params, SampleSink &sink,
                                    const std::atomic<bool> &cancelRequested) override;
    protocol::CaptureResult capture(const protocol::CaptureParams &params,
                                    const std::atomic<bool> &cancelRequested) override;
    void release(std::int64_t handle) override;

private:
    struct Prepared
    {
        Prepared(const operations::InputSet &inputs, std::vector<double> expected, std::size_t copies)
            : reference(std::move(expected)), turns(copies)
        {
            for (std::size_t i = 0; i < copies; ++i)
                kernels.emplace_back(inputs);
        }
        HostKernel &turn() { return kernels[turns.next()]; } // the kernel of the next call

        std::deque<HostKernel> kernels; // each on a copy of the arrays: one for a warm cache, more for a cold one
        std::vector<double> reference;
        CopyTurns turns;
    };

    Prepared &prepared(std::int64_t handle);

    std::map<std::int64_t, Prepared> m_prepared;
    std::int64_t m_lastHandle = 0;
};

} // namespace stagecraft::worker
