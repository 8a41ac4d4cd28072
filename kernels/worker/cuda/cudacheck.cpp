// SPDX-License-Identifier: MIT
#include "cudacheck.h"

#include <cctype>
#include <string_view>

namespace stagecraft::worker {

namespace {

// "cuMemAlloc" of "driver().memAlloc(&address, bytes)", "nvrtcGetPTX" of "nvrtc().getPTX(program, image)".
std::string functionName(const std::string &prefix, const std::string &call)
{
    const std::size_t dot = call.find("().");
    if (dot == std::string::npos || dot + 3 >= call.size())
        return call;
    std::string name = call.substr(dot + 3, call.find('(', dot + 3) - dot - 3);
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return prefix + name;
}

bool losesContext(CUresult result)
{
    switch (result) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_UNKNOWN:
        return true;
    default:
        return false;
    }
}

std::string whatToDo(CUresult result)
{
    switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
        return "choose smaller dims, or end other programs that hold GPU memory (nvidia-smi lists them)";
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
        return "the kernel reads or writes outside its buffers: check its indices at the edges of these dims, e.g. "
               "under compute-sanitizer";
    case CUDA_ERROR_LAUNCH_TIMEOUT:
        return "the kernel ran longer than the display driver allows: choose smaller dims or a GPU without a display";
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    case CUDA_ERROR_INVALID_VALUE:
        return "check the stage's block, shared_bytes and grid against the GPU's limits";
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
        return "NVRTC is newer than the driver: install the Toolkit of the driver's CUDA version, or a newer driver";
    case CUDA_ERROR_NOT_FOUND:
        return "the stage's entry must be the name of an extern \"C\" __global__ function of the file";
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
        return "another process has the GPU to itself (compute mode exclusive): wait for it, or choose another device";
    case CUDA_ERROR_ASSERT:
        return "an assert in the kernel failed; its message is in the log";
    case CUDA_ERROR_ECC_UNCORRECTABLE:
        return "the GPU's memory is damaged: reset or replace the GPU";
    default:
        return "run the stage under compute-sanitizer; if other programs fail too, restart the driver";
    }
}

} // namespace

void checkResult(CUresult result, const char *call)
{
    if (result == CUDA_SUCCESS)
        return;
    const char *name = nullptr, *text = nullptr;
    driver().getErrorName(result, &name);
    driver().getErrorString(result, &text);
    const std::string reason = std::string(name ? name : "unknown CUDA error") + ": " + (text ? text : "") + " (in " +
                               functionName("cu", call) + ")";
    if (losesContext(result))
        throw ContextLost(protocol::error::failed, reason, whatToDo(result));
    throw WorkerError(protocol::error::failed, reason, whatToDo(result));
}

void checkResult(nvrtcResult result, const char *call)
{
    if (result == NVRTC_SUCCESS)
        return;
    throw WorkerError(protocol::error::failed,
                      std::string(nvrtc().getErrorString(result)) + " (in " + functionName("nvrtc", call) + ")",
                      "check the NVRTC that stagecraft doctor lists");
}

void checkResult(cublasStatus_t result, const char *call)
{
    if (result == CUBLAS_STATUS_SUCCESS)
        return;
    const bool lt = std::string_view(call).starts_with("cublasLt()");
    const char *name = lt ? cublasLt().getStatusName(result) : cublas().getStatusName(result);
    throw WorkerError(protocol::error::failed,
                      std::string(name) + " (in " + functionName(lt ? "cublasLt" : "cublas", call) + ")",
                      std::string("check that the ") + (lt ? "cuBLASLt" : "cuBLAS") +
                          " that stagecraft doctor lists fits the driver");
}

void checkResult(cusparseStatus_t result, const char *call)
{
    if (result == CUSPARSE_STATUS_SUCCESS)
        return;
    throw WorkerError(protocol::error::failed,
                      std::string(cusparse().getErrorName(result)) + ": " + cusparse().getErrorString(result) +
                          " (in " + functionName("cusparse", call) + ")",
                      "check that the cuSPARSE that stagecraft doctor lists fits the driver");
}

} // namespace stagecraft::worker
