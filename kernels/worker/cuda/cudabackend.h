// SPDX-License-Identifier: MIT
#pragma once

#include "kernelrecorder.h"
#include "selftest.h"
#include "workload.h"

#include <map>
#include <memory>

namespace stagecraft::worker {

// NVIDIA GPUs as a worker: implementations `cuda` (stages, compiled by NVRTC) and NVIDIA's libraries, spans by CUDA
// events, kernel records by CUPTI. Nothing is loaded before it is needed; `compile` and `describe` work without a GPU.
class CudaBackend : public Backend
{
public:
    CudaBackend();
    ~CudaBackend() override;

    protocol::DescribeResult describe(const protocol::DescribeParams &params) override;
    protocol::CompileResult compile(const protocol::CompileParams &params) override;
    protocol::PrepareResult prepare(const protocol::PrepareParams &params) override;
    protocol::CheckResult check(const protocol::CheckParams &params) override;
    protocol::MeasureResult measure(const protocol::MeasureParams &params, SampleSink &sink,
                                    const std::atomic<bool> &cancelRequested) override;
    protocol::CaptureResult capture(const protocol::CaptureParams &params,
                                    const std::atomic<bool> &cancelRequested) override;
    void release(std::int64_t handle) override;
    protocol::FloorsResult floors(const protocol::FloorsParams &params,
                                  const std::atomic<bool> &cancelRequested) override;
    protocol::CountersResult counters(const protocol::CountersParams &params,
                                      const std::atomic<bool> &cancelRequested) override;
    protocol::SampleResult sample(const protocol::SampleParams &params) override;
    bool lost() const override { return m_lost; }

private:
    struct Prepared
    {
        const Gpu *gpu = nullptr;
        std::vector<double> reference;
        std::vector<DeviceArrays> copies;
        std::unique_ptr<Workload> workload; // refers to the copies
    };

    Prepared &prepared(std::int64_t handle); // and makes its GPU current
    const Gpu &gpu(int index);               // opened at the first use, then kept
    capture::KernelRecorder &recorder();
    std::unique_ptr<Workload> makeWorkload(const protocol::PrepareParams &params, const Gpu &gpu, ArrayCopies copies);
    void requireProfiler() const; // throws where it is left to another program
    const SelfTestOutcome &selfTest(int device);
    void describeCounters(int device, protocol::DescribeResult &result);

    // Runs work that may kill the context and remembers whether it did.
    template <typename Work>
    auto guarded(Work &&work);

    std::map<int, std::unique_ptr<Gpu>> m_gpus;
    std::map<std::pair<int, bool>, SelfTestOutcome> m_selfTests; // by device, and whether it was to be recorded
    std::unique_ptr<capture::KernelRecorder> m_recorder;
    std::map<std::int64_t, Prepared> m_prepared; // after m_gpus, so that it goes first
    std::int64_t m_lastHandle = 0;
    bool m_lost = false;
    bool m_captures = true; // as the last describe wished
};

} // namespace stagecraft::worker
