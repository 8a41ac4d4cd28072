// SPDX-License-Identifier: MIT
#pragma once

#include "cudacheck.h"

#include <cstddef>
#include <span>
#include <utility>

// CUDA's objects with the lifetime of C++ ones. Failures in a destructor are ignored: they are either the echo of an
// error that was reported already or without remedy. All belong to the context that is current on the kernel thread.
namespace stagecraft::worker {

// An owned handle: `Release` is called on it once.
template <typename Handle, void (*Release)(Handle)>
class CudaHandle
{
public:
    CudaHandle() = default;
    explicit CudaHandle(Handle handle) : m_handle(handle) {}
    CudaHandle(CudaHandle &&other) noexcept : m_handle(std::exchange(other.m_handle, Handle{})) {}
    CudaHandle &operator=(CudaHandle &&other) noexcept
    {
        std::swap(m_handle, other.m_handle);
        return *this;
    }
    ~CudaHandle()
    {
        if (m_handle)
            Release(m_handle);
    }
    Handle get() const { return m_handle; }

private:
    Handle m_handle{};
};

inline void releaseStream(CUstream stream)
{
    driver().streamDestroy(stream);
}
inline void releaseEvent(CUevent event)
{
    driver().eventDestroy(event);
}
inline void releaseMemory(CUdeviceptr address)
{
    driver().memFree(address);
}
inline void releaseCublas(cublasHandle_t handle)
{
    cublas().destroy(handle);
}

using Stream = CudaHandle<CUstream, releaseStream>;
using Event = CudaHandle<CUevent, releaseEvent>;
using CublasHandle = CudaHandle<cublasHandle_t, releaseCublas>;

// The module lives as long as its context. It is not unloaded before: CUPTI keeps a kernel's name by the address of its
// function, and gave a later kernel that came to lie there the name of the earlier one (CUPTI 13.0, driver 580).
CUmodule loadModule(const std::vector<char> &image);
Stream createStream(); // does not wait for the default stream
Event createEvent();   // with timing

// Device memory. Of zero bytes it still has an address, so that a kernel's parameter is always valid.
class DeviceBuffer
{
public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::size_t bytes);
    explicit DeviceBuffer(std::span<const std::byte> content);

    CUdeviceptr address() const { return m_memory.get(); }
    std::size_t bytes() const { return m_bytes; }

    // Every 32-bit word becomes a NaN that no kernel computes.
    void poison();
    void read(std::span<std::byte> content) const;

private:
    CudaHandle<CUdeviceptr, releaseMemory> m_memory;
    std::size_t m_bytes = 0;
};

} // namespace stagecraft::worker
