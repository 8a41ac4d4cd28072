// SPDX-License-Identifier: MIT
#pragma once

#include "cudaobjects.h"
#include "stagefit.h"

namespace stagecraft::worker {

// How many GPUs CUDA shows. 0 without a driver.
int gpuCount();

// What the driver says of GPU `index`, without opening it. Throws WorkerError.
protocol::Device describeGpu(int index);

// One GPU in use: its primary context, retained, and the stream that everything runs on. Current on the thread that
// made it.
class Gpu
{
public:
    // Throws WorkerError: unavailable without a driver, invalid for an index that is not there, failed otherwise.
    explicit Gpu(int index);
    ~Gpu();
    Gpu(const Gpu &) = delete;
    Gpu &operator=(const Gpu &) = delete;

    // To be called before work on this GPU where another may have been used since.
    void makeCurrent() const;

    CUstream stream() const { return m_stream.get(); }
    void wait() const; // until the stream is idle; reports what went wrong on it

    stagefile::GpuFacts facts() const;
    int attribute(CUdevice_attribute attribute) const;
    std::int64_t freeBytes() const; // of its memory, now

private:
    CUdevice m_device = 0;
    CUcontext m_context = nullptr;
    Stream m_stream;
};

} // namespace stagecraft::worker
