// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

#include <cublas_v2.h>
#include <cublasLt.h>
#include <cuda.h>
#include <cusparse.h>
#include <nvrtc.h>

#include <string>
#include <vector>

// NVIDIA's libraries, loaded at the first use and bound by name, so that this program links and starts without any of
// them and each lack is its own. The types are those of the headers; the names are spelt out, because the headers
// rename functions to the newest version of each, which an older library does not have.
namespace stagecraft::worker {

// What describe says of a library.
struct LibraryState
{
    bool available = false;
    std::string path, version, reason, fix;

    protocol::Library report(const std::string &name) const;
};

struct DriverLibrary
{
    LibraryState state;
    std::string release; // of the driver, "580.159.03"; empty where nothing tells it
    int cudaVersion = 0; // the newest CUDA that the driver serves, 13000 for 13.0; 0 without a driver

    decltype(&::cuInit) init = nullptr;
    decltype(&::cuDriverGetVersion) driverGetVersion = nullptr;
    decltype(&::cuGetErrorName) getErrorName = nullptr;
    decltype(&::cuGetErrorString) getErrorString = nullptr;
    decltype(&::cuDeviceGetCount) deviceGetCount = nullptr;
    decltype(&::cuDeviceGet) deviceGet = nullptr;
    decltype(&::cuDeviceGetName) deviceGetName = nullptr;
    decltype(&::cuDeviceGetUuid) deviceGetUuid = nullptr;
    decltype(&::cuDeviceTotalMem) deviceTotalMem = nullptr;
    decltype(&::cuDeviceGetAttribute) deviceGetAttribute = nullptr;
    decltype(&::cuDevicePrimaryCtxRetain) devicePrimaryCtxRetain = nullptr;
    decltype(&::cuDevicePrimaryCtxRelease) devicePrimaryCtxRelease = nullptr;
    decltype(&::cuCtxSetCurrent) ctxSetCurrent = nullptr;
    decltype(&::cuModuleLoadData) moduleLoadData = nullptr;
    decltype(&::cuModuleGetFunction) moduleGetFunction = nullptr;
    decltype(&::cuFuncGetAttribute) funcGetAttribute = nullptr;
    decltype(&::cuFuncSetAttribute) funcSetAttribute = nullptr;
    decltype(&::cuOccupancyMaxActiveBlocksPerMultiprocessor) occupancyMaxActiveBlocksPerMultiprocessor = nullptr;
    decltype(&::cuLaunchKernelEx) launchKernelEx = nullptr;
    decltype(&::cuTensorMapEncodeTiled) tensorMapEncodeTiled = nullptr; // absent in drivers before CUDA 12
    decltype(&::cuMemAlloc) memAlloc = nullptr;
    decltype(&::cuMemFree) memFree = nullptr;
    decltype(&::cuMemGetInfo) memGetInfo = nullptr;
    decltype(&::cuMemcpyHtoD) memcpyHtoD = nullptr;
    decltype(&::cuMemcpyDtoH) memcpyDtoH = nullptr;
    decltype(&::cuMemsetD32) memsetD32 = nullptr;
    decltype(&::cuStreamCreate) streamCreate = nullptr;
    decltype(&::cuStreamDestroy) streamDestroy = nullptr;
    decltype(&::cuStreamSynchronize) streamSynchronize = nullptr;
    // Spelt out, since cudaProfiler.h is in a package of its own.
    CUresult (*profilerStart)() = nullptr;
    CUresult (*profilerStop)() = nullptr;
    decltype(&::cuEventCreate) eventCreate = nullptr;
    decltype(&::cuEventDestroy) eventDestroy = nullptr;
    decltype(&::cuEventRecord) eventRecord = nullptr;
    decltype(&::cuEventSynchronize) eventSynchronize = nullptr;
    decltype(&::cuEventElapsedTime) eventElapsedTime = nullptr;
};

struct NvrtcLibrary
{
    LibraryState state;
    int major = 0, minor = 0;

    decltype(&::nvrtcVersion) version = nullptr;
    decltype(&::nvrtcGetErrorString) getErrorString = nullptr;
    decltype(&::nvrtcGetNumSupportedArchs) getNumSupportedArchs = nullptr;
    decltype(&::nvrtcGetSupportedArchs) getSupportedArchs = nullptr;
    decltype(&::nvrtcCreateProgram) createProgram = nullptr;
    decltype(&::nvrtcDestroyProgram) destroyProgram = nullptr;
    decltype(&::nvrtcCompileProgram) compileProgram = nullptr;
    decltype(&::nvrtcGetProgramLogSize) getProgramLogSize = nullptr;
    decltype(&::nvrtcGetProgramLog) getProgramLog = nullptr;
    decltype(&::nvrtcGetCUBINSize) getCUBINSize = nullptr;
    decltype(&::nvrtcGetCUBIN) getCUBIN = nullptr;
    decltype(&::nvrtcGetPTXSize) getPTXSize = nullptr;
    decltype(&::nvrtcGetPTX) getPTX = nullptr;

    // 75, 80, … ascending.
    std::vector<int> architectures() const;
};

struct CublasLibrary
{
    LibraryState state;

    decltype(&::cublasGetStatusName) getStatusName = nullptr;
    decltype(&::cublasGetProperty) getProperty = nullptr;
    decltype(&::cublasCreate) create = nullptr;
    decltype(&::cublasDestroy) destroy = nullptr;
    decltype(&::cublasSetStream) setStream = nullptr;
    decltype(&::cublasSetWorkspace) setWorkspace = nullptr;
    decltype(&::cublasSetMathMode) setMathMode = nullptr;
    decltype(&::cublasSgemm) sgemm = nullptr;
    decltype(&::cublasSgemmStridedBatched) sgemmStridedBatched = nullptr;
    decltype(&::cublasSgeam) sgeam = nullptr;
};

struct CublasLtLibrary
{
    LibraryState state;

    decltype(&::cublasLtGetStatusName) getStatusName = nullptr;
    decltype(&::cublasLtGetProperty) getProperty = nullptr;
    decltype(&::cublasLtCreate) create = nullptr;
    decltype(&::cublasLtDestroy) destroy = nullptr;
    decltype(&::cublasLtMatmulDescCreate) matmulDescCreate = nullptr;
    decltype(&::cublasLtMatmulDescDestroy) matmulDescDestroy = nullptr;
    decltype(&::cublasLtMatrixLayoutCreate) matrixLayoutCreate = nullptr;
    decltype(&::cublasLtMatrixLayoutDestroy) matrixLayoutDestroy = nullptr;
    decltype(&::cublasLtMatmulPreferenceCreate) matmulPreferenceCreate = nullptr;
    decltype(&::cublasLtMatmulPreferenceDestroy) matmulPreferenceDestroy = nullptr;
    decltype(&::cublasLtMatmulPreferenceSetAttribute) matmulPreferenceSetAttribute = nullptr;
    decltype(&::cublasLtMatmulAlgoGetHeuristic) matmulAlgoGetHeuristic = nullptr;
    decltype(&::cublasLtMatmul) matmul = nullptr;
};

struct CusparseLibrary
{
    LibraryState state;

    decltype(&::cusparseGetErrorName) getErrorName = nullptr;
    decltype(&::cusparseGetErrorString) getErrorString = nullptr;
    decltype(&::cusparseGetProperty) getProperty = nullptr;
    decltype(&::cusparseCreate) create = nullptr;
    decltype(&::cusparseDestroy) destroy = nullptr;
    decltype(&::cusparseSetStream) setStream = nullptr;
    decltype(&::cusparseCreateConstCsr) createConstCsr = nullptr;
    decltype(&::cusparseDestroySpMat) destroySpMat = nullptr;
    decltype(&::cusparseCreateConstDnMat) createConstDnMat = nullptr;
    decltype(&::cusparseCreateDnMat) createDnMat = nullptr;
    decltype(&::cusparseDestroyDnMat) destroyDnMat = nullptr;
    decltype(&::cusparseSpMM_bufferSize) spMM_bufferSize = nullptr;
    decltype(&::cusparseSpMM_preprocess) spMM_preprocess = nullptr;
    decltype(&::cusparseSpMM) spMM = nullptr;
};

// Loaded and bound once, at the first call; from the kernel thread only.
const DriverLibrary &driver();
const NvrtcLibrary &nvrtc();
const CublasLibrary &cublas();
const CublasLtLibrary &cublasLt();
const CusparseLibrary &cusparse();

} // namespace stagecraft::worker
