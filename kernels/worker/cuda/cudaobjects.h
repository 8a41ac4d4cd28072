// SPDX-License-Identifier: MIT
#pragma once

#include "cudacheck.h"

#include <cstddef>
#include <cstdint>
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
inline void releaseCublasLt(cublasLtHandle_t handle)
{
    cublasLt().destroy(handle);
}
inline void releaseMatmulDesc(cublasLtMatmulDesc_t description)
{
    cublasLt().matmulDescDestroy(description);
}
inline void releaseMatrixLayout(cublasLtMatrixLayout_t layout)
{
    cublasLt().matrixLayoutDestroy(layout);
}
inline void releaseMatmulPreference(cublasLtMatmulPreference_t preference)
{
    cublasLt().matmulPreferenceDestroy(preference);
}
inline void releaseCusparse(cusparseHandle_t handle)
{
    cusparse().destroy(handle);
}
inline void releaseSparseMatrix(cusparseConstSpMatDescr_t matrix)
{
    cusparse().destroySpMat(matrix);
}
inline void releaseConstDenseMatrix(cusparseConstDnMatDescr_t matrix)
{
    cusparse().destroyDnMat(matrix);
}
inline void releaseDenseMatrix(cusparseDnMatDescr_t matrix)
{
    cusparse().destroyDnMat(matrix);
}

using Stream = CudaHandle<CUstream, releaseStream>;
using Event = CudaHandle<CUevent, releaseEvent>;
using CublasHandle = CudaHandle<cublasHandle_t, releaseCublas>;
using CublasLtHandle = CudaHandle<cublasLtHandle_t, releaseCublasLt>;
using MatmulDesc = CudaHandle<cublasLtMatmulDesc_t, releaseMatmulDesc>;
using MatrixLayout = CudaHandle<cublasLtMatrixLayout_t, releaseMatrixLayout>;
using MatmulPreference = CudaHandle<cublasLtMatmulPreference_t, releaseMatmulPreference>;
using CusparseHandle = CudaHandle<cusparseHandle_t, releaseCusparse>;
using SparseMatrix = CudaHandle<cusparseConstSpMatDescr_t, releaseSparseMatrix>;
using ConstDenseMatrix = CudaHandle<cusparseConstDnMatDescr_t, releaseConstDenseMatrix>;
using DenseMatrix = CudaHandle<cusparseDnMatDescr_t, releaseDenseMatrix>;

// The module lives as long as its context. It is not unloaded before: CUPTI keeps a kernel's name by the address of its
// function, and gave a later kernel that came to lie there the name of the earlier one (CUPTI 13.0, driver 580).
CUmodule loadModule(const std::vector<char> &image);
Stream createStream(); // does not wait for the default stream
Event createEvent();   // with timing

// What poisoned memory holds: a NaN with a payload of our own. NVIDIA's FP32 arithmetic gives 0x7fffffff for every NaN,
// so a word with these bits was not computed.
inline constexpr std::uint32_t poisonBits = 0x7fc0dead;

// Device memory. Of zero bytes it still has an address, so that a kernel's parameter is always valid.
class DeviceBuffer
{
public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::size_t bytes);
    explicit DeviceBuffer(std::span<const std::byte> content);

    CUdeviceptr address() const { return m_memory.get(); }
    std::size_t bytes() const { return m_bytes; }
    float *pointer() const { return reinterpret_cast<float *>(address()); } // for libraries, which take pointers

    // Every 32-bit word becomes poisonBits.
    void poison() const;
    void read(std::span<std::byte> content) const;

private:
    CudaHandle<CUdeviceptr, releaseMemory> m_memory;
    std::size_t m_bytes = 0;
};

} // namespace stagecraft::worker
