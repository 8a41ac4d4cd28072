// SPDX-License-Identifier: MIT
#include "cublassession.h"

namespace stagecraft::worker {

namespace {

// What cuBLAS itself would take on Hopper, and more than on any GPU before.
constexpr std::size_t workspaceBytes = 32u << 20;

CublasHandle createHandle()
{
    const LibraryState &state = cublas().state;
    if (!state.available)
        throw WorkerError(protocol::error::unavailable, "cuBLAS: " + state.reason, state.fix);
    cublasHandle_t handle = nullptr;
    STAGECRAFT_CHECK(cublas().create(&handle));
    return CublasHandle(handle);
}

} // namespace

CublasSession::CublasSession(const Gpu &gpu) : m_workspace(workspaceBytes), m_handle(createHandle())
{
    STAGECRAFT_CHECK(cublas().setMathMode(m_handle.get(), CUBLAS_DEFAULT_MATH));
    STAGECRAFT_CHECK(cublas().setStream(m_handle.get(), gpu.stream()));
    // After the stream: setting one returns the handle to cuBLAS's own workspace.
    STAGECRAFT_CHECK(cublas().setWorkspace(m_handle.get(), m_workspace.pointer(), workspaceBytes));
}

std::string CublasSession::note() const
{
    return "cuBLAS " + cublas().state.version + ", FP32 without TF32, workspace " +
           std::to_string(workspaceBytes >> 20) + " MiB";
}

} // namespace stagecraft::worker
