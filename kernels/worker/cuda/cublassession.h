// SPDX-License-Identifier: MIT
#pragma once

#include "gpu.h"

namespace stagecraft::worker {

// A cuBLAS handle on the GPU's stream that computes FP32 without TF32 (CUBLAS_DEFAULT_MATH, in which TF32 is opt-in;
// not CUBLAS_PEDANTIC_MATH, which also forgoes kernels that a user of cuBLAS gets) in a workspace of its own.
// Throws WorkerError: unavailable without cuBLAS.
class CublasSession
{
public:
    explicit CublasSession(const Gpu &gpu);

    cublasHandle_t get() const { return m_handle.get(); }
    std::string note() const; // version, arithmetic, workspace

private:
    DeviceBuffer m_workspace;
    CublasHandle m_handle; // after the workspace, so that it goes first
};

} // namespace stagecraft::worker
