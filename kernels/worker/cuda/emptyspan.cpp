// SPDX-License-Identifier: MIT
#include "emptyspan.h"

#include "backend.h"
#include "cudacheck.h"
#include "passes.h"

namespace stagecraft::worker {

namespace {

constexpr int warmup = 20, spans = 200;

class EmptyCall : public Workload
{
public:
    EmptyCall(CUfunction kernel, const Gpu &gpu, ArrayCopies copies) : Workload(copies), m_kernel(kernel)
    {
        m_configuration.gridDimX = m_configuration.gridDimY = m_configuration.gridDimZ = 1;
        m_configuration.blockDimX = 32;
        m_configuration.blockDimY = m_configuration.blockDimZ = 1;
        m_configuration.hStream = gpu.stream();
    }

    void enqueue() override
    {
        STAGECRAFT_CHECK(driver().launchKernelEx(&m_configuration, m_kernel, m_parameters, nullptr));
    }

    std::string arithmetic() const override { return "fp32"; }
    std::string note() const override { return {}; }

private:
    void use(std::size_t) override {}

    CUfunction m_kernel;
    CUlaunchConfig m_configuration{};
    // The kernel's parameters, as those of a stream: it looks at none.
    CUdeviceptr m_in = 0, m_out = 0;
    long long m_quads = 0;
    void *m_parameters[3] = {&m_in, &m_out, &m_quads};
};

class SumOfSpans : public SampleSink
{
public:
    bool put(double us) override
    {
        total += us;
        return true;
    }

    double total = 0;
};

} // namespace

double emptyKernelSpan(CUfunction kernel, const Gpu &gpu, const std::atomic<bool> &cancelRequested)
{
    const std::vector<DeviceArrays> none(1); // a call takes a turn, also of nothing
    EmptyCall call(kernel, gpu, none);
    SumOfSpans sum;
    protocol::MeasureParams params;
    params.warmup = warmup;
    params.iterations = spans;
    const protocol::MeasureResult result = spanPass(call, gpu, params, sum, cancelRequested);
    if (result.cancelled)
        throw WorkerError(protocol::error::cancelled, "cancelled while floors were measured");
    return sum.total / result.count;
}

} // namespace stagecraft::worker
