// SPDX-License-Identifier: MIT
#include "cudalibraries.h"

#include "nvidialibraries.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace stagecraft::worker {

namespace {

using capture::findLibrary;
using capture::LibraryResult;
using capture::SharedLibrary;
using capture::sonamesFor;

constexpr auto toolkit = "the CUDA Toolkit 12 or 13";

// Binds names until one is missing, which makes the whole library unavailable: half a library would fail later, in
// the middle of something.
class Binder
{
public:
    Binder(const LibraryResult &found, LibraryState &state) : m_library(found.library), m_state(state)
    {
        state.available = m_library.loaded();
        state.path = m_library.path();
        state.reason = found.reason;
        state.fix = found.fix;
    }

    template <typename Function>
    void bind(Function *&target, const char *name)
    {
        if (!m_state.available || m_library.bind(target, name))
            return;
        m_state.available = false;
        m_state.reason = m_state.path + " has no " + name + ": it is older than this program needs";
        m_state.fix = std::string("install a newer NVIDIA driver and ") + toolkit;
    }

    // What only some callers need: they say themselves that it is missing.
    template <typename Function>
    void bindWherePresent(Function *&target, const char *name)
    {
        if (m_state.available && !m_library.bind(target, name))
            target = nullptr;
    }

private:
    SharedLibrary m_library;
    LibraryState &m_state;
};

std::string versionText(int major, int minor)
{
    return std::to_string(major) + "." + std::to_string(minor);
}

// "580.159.03": libcuda's file carries the driver's version in its name; elsewhere the kernel module says it.
std::string driverRelease(const std::string &libraryPath)
{
    std::smatch match;
    std::error_code error;
    const std::string file = std::filesystem::canonical(libraryPath, error).filename().string();
    if (std::regex_search(file, match, std::regex(R"(\.so\.(\d{3,}(\.\d+)+)$)")))
        return match[1];
    std::ifstream stream("/proc/driver/nvidia/version");
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    if (std::regex_search(text, match, std::regex(R"(\s(\d{3,}(\.\d+)+)\s)")))
        return match[1];
    return {};
}

void bindFunctions(DriverLibrary &library, Binder &binder)
{
    binder.bind(library.init, "cuInit");
    binder.bind(library.driverGetVersion, "cuDriverGetVersion");
    binder.bind(library.getErrorName, "cuGetErrorName");
    binder.bind(library.getErrorString, "cuGetErrorString");
    binder.bind(library.deviceGetCount, "cuDeviceGetCount");
    binder.bind(library.deviceGet, "cuDeviceGet");
    binder.bind(library.deviceGetName, "cuDeviceGetName");
    binder.bind(library.deviceGetUuid, "cuDeviceGetUuid_v2");
    binder.bind(library.deviceTotalMem, "cuDeviceTotalMem_v2");
    binder.bind(library.deviceGetAttribute, "cuDeviceGetAttribute");
    binder.bind(library.devicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
    binder.bind(library.devicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
    binder.bind(library.ctxSetCurrent, "cuCtxSetCurrent");
    binder.bind(library.moduleLoadData, "cuModuleLoadData");
    binder.bind(library.moduleGetFunction, "cuModuleGetFunction");
    binder.bind(library.funcGetAttribute, "cuFuncGetAttribute");
    binder.bind(library.funcSetAttribute, "cuFuncSetAttribute");
    binder.bind(library.occupancyMaxActiveBlocksPerMultiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    binder.bind(library.launchKernelEx, "cuLaunchKernelEx");
    binder.bindWherePresent(library.tensorMapEncodeTiled, "cuTensorMapEncodeTiled");
    binder.bind(library.memAlloc, "cuMemAlloc_v2");
    binder.bind(library.memFree, "cuMemFree_v2");
    binder.bind(library.memGetInfo, "cuMemGetInfo_v2");
    binder.bind(library.memcpyHtoD, "cuMemcpyHtoD_v2");
    binder.bind(library.memcpyDtoH, "cuMemcpyDtoH_v2");
    binder.bind(library.memsetD32, "cuMemsetD32_v2");
    binder.bind(library.streamCreate, "cuStreamCreate");
    binder.bind(library.streamDestroy, "cuStreamDestroy_v2");
    binder.bind(library.streamSynchronize, "cuStreamSynchronize");
    binder.bind(library.profilerStart, "cuProfilerStart");
    binder.bind(library.profilerStop, "cuProfilerStop");
    binder.bind(library.eventCreate, "cuEventCreate");
    binder.bind(library.eventDestroy, "cuEventDestroy_v2");
    binder.bind(library.eventRecord, "cuEventRecord");
    binder.bind(library.eventSynchronize, "cuEventSynchronize");
    binder.bind(library.eventElapsedTime, "cuEventElapsedTime"); // the oldest version: same parameters, every driver
}

// What a person does about a driver that is there but does not start.
std::string initFix(CUresult result)
{
    switch (result) {
    case CUDA_ERROR_NO_DEVICE:
        return "check that nvidia-smi lists a GPU, and that CUDA_VISIBLE_DEVICES does not hide it";
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
        return "the driver was updated while it was running: restart the machine";
    default:
        return "check that nvidia-smi works for this user; in a container, start it with --gpus all";
    }
}

DriverLibrary loadDriver()
{
    DriverLibrary library;
    Binder binder(findLibrary({{"libcuda.so.1"}, {}, "the NVIDIA driver (525 or newer)"}), library.state);
    bindFunctions(library, binder);
    LibraryState &state = library.state;
    if (!state.available)
        return library;
    library.release = driverRelease(state.path);
    library.driverGetVersion(&library.cudaVersion);
    state.version = "CUDA " + versionText(library.cudaVersion / 1000, library.cudaVersion % 1000 / 10);
    if (!library.release.empty())
        state.version = library.release + ", " + state.version;
    if (const CUresult result = library.init(0); result != CUDA_SUCCESS) {
        const char *name = nullptr;
        library.getErrorName(result, &name);
        state.available = false;
        state.reason = std::string("the NVIDIA driver does not start: ") + (name ? name : "unknown error");
        state.fix = initFix(result);
    }
    return library;
}

NvrtcLibrary loadNvrtc()
{
    NvrtcLibrary library;
    Binder binder(findLibrary({sonamesFor("libnvrtc", driver().cudaVersion),
                               {"libnvrtc-builtins"},
                               std::string(toolkit) + " (its part NVRTC) or the wheel nvidia-cuda-nvrtc"}),
                  library.state);
    binder.bind(library.version, "nvrtcVersion");
    binder.bind(library.getErrorString, "nvrtcGetErrorString");
    binder.bind(library.getNumSupportedArchs, "nvrtcGetNumSupportedArchs");
    binder.bind(library.getSupportedArchs, "nvrtcGetSupportedArchs");
    binder.bind(library.createProgram, "nvrtcCreateProgram");
    binder.bind(library.destroyProgram, "nvrtcDestroyProgram");
    binder.bind(library.compileProgram, "nvrtcCompileProgram");
    binder.bind(library.getProgramLogSize, "nvrtcGetProgramLogSize");
    binder.bind(library.getProgramLog, "nvrtcGetProgramLog");
    binder.bind(library.getCUBINSize, "nvrtcGetCUBINSize");
    binder.bind(library.getCUBIN, "nvrtcGetCUBIN");
    binder.bind(library.getPTXSize, "nvrtcGetPTXSize");
    binder.bind(library.getPTX, "nvrtcGetPTX");
    if (library.state.available && library.version(&library.major, &library.minor) == NVRTC_SUCCESS)
        library.state.version = versionText(library.major, library.minor);
    return library;
}

// FP32 means FP32, whatever the user's environment asks cuBLAS for.
void keepToFp32()
{
    setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
    setenv("CUBLAS_EMULATE_SINGLE_PRECISION", "0", 1);
}

// Of cuBLAS, cuBLASLt and cuSPARSE, which tell their versions alike; 12603 for 12.6.3, 0 where it is not told.
template <typename Status>
int setVersion(LibraryState &state, Status (*getProperty)(libraryPropertyType, int *))
{
    int major = 0, minor = 0, patch = 0;
    if (!state.available || getProperty(MAJOR_VERSION, &major) != Status{} ||
        getProperty(MINOR_VERSION, &minor) != Status{} || getProperty(PATCH_LEVEL, &patch) != Status{})
        return 0;
    state.version = versionText(major, minor) + "." + std::to_string(patch);
    return major * 1000 + minor * 100 + patch;
}

CublasLibrary loadCublas()
{
    keepToFp32();
    CublasLibrary library;
    Binder binder(findLibrary({sonamesFor("libcublas", driver().cudaVersion),
                               {"libcublasLt"},
                               std::string(toolkit) + " (its part cuBLAS) or the wheel nvidia-cublas"}),
                  library.state);
    binder.bind(library.getStatusName, "cublasGetStatusName");
    binder.bind(library.getProperty, "cublasGetProperty");
    binder.bind(library.create, "cublasCreate_v2");
    binder.bind(library.destroy, "cublasDestroy_v2");
    binder.bind(library.setStream, "cublasSetStream_v2");
    binder.bind(library.setWorkspace, "cublasSetWorkspace_v2");
    binder.bind(library.setMathMode, "cublasSetMathMode");
    binder.bind(library.sgemm, "cublasSgemm_v2");
    binder.bind(library.sgemmStridedBatched, "cublasSgemmStridedBatched");
    binder.bind(library.sgeam, "cublasSgeam");
    setVersion(library.state, library.getProperty);
    return library;
}

CublasLtLibrary loadCublasLt()
{
    keepToFp32();
    CublasLtLibrary library;
    Binder binder(findLibrary({sonamesFor("libcublasLt", driver().cudaVersion),
                               {},
                               std::string(toolkit) + " (its part cuBLAS) or the wheel nvidia-cublas"}),
                  library.state);
    binder.bind(library.getStatusName, "cublasLtGetStatusName");
    binder.bind(library.getProperty, "cublasLtGetProperty");
    binder.bind(library.create, "cublasLtCreate");
    binder.bind(library.destroy, "cublasLtDestroy");
    binder.bind(library.matmulDescCreate, "cublasLtMatmulDescCreate");
    binder.bind(library.matmulDescDestroy, "cublasLtMatmulDescDestroy");
    binder.bind(library.matrixLayoutCreate, "cublasLtMatrixLayoutCreate");
    binder.bind(library.matrixLayoutDestroy, "cublasLtMatrixLayoutDestroy");
    binder.bind(library.matmulPreferenceCreate, "cublasLtMatmulPreferenceCreate");
    binder.bind(library.matmulPreferenceDestroy, "cublasLtMatmulPreferenceDestroy");
    binder.bind(library.matmulPreferenceSetAttribute, "cublasLtMatmulPreferenceSetAttribute");
    binder.bind(library.matmulAlgoGetHeuristic, "cublasLtMatmulAlgoGetHeuristic");
    binder.bind(library.matmul, "cublasLtMatmul");
    setVersion(library.state, library.getProperty);
    return library;
}

// libcusparse.so.12 is both the file of CUDA 12 (cuSPARSE up to 12.5) and that of CUDA 13 (from 12.6), which an older
// driver does not run; so its soname does not tell them apart, its version does.
void requireDriverFor(LibraryState &state, int version)
{
    constexpr int firstOfCuda13 = 12600;
    if (!state.available || version < firstOfCuda13 || driver().cudaVersion == 0 || driver().cudaVersion >= 13000)
        return;
    state.available = false;
    state.reason =
        state.path + " is cuSPARSE " + state.version + " of CUDA 13, and the driver serves " + driver().state.version;
    state.fix =
        "name the folder of CUDA 12's libcusparse.so.12 in STAGECRAFT_CUDA_LIBRARIES, or install a newer driver";
}

CusparseLibrary loadCusparse()
{
    constexpr auto package = " (its part cuSPARSE) or the wheels nvidia-cusparse and nvidia-nvjitlink";
    CusparseLibrary library;
    // cuSPARSE links with it, and where the two lie in folders of their own it would not find it.
    findLibrary({sonamesFor("libnvJitLink", driver().cudaVersion), {}, {}});
    Binder binder(findLibrary({{"libcusparse.so.12"}, {}, toolkit + std::string(package)}), library.state);
    binder.bind(library.getErrorName, "cusparseGetErrorName");
    binder.bind(library.getErrorString, "cusparseGetErrorString");
    binder.bind(library.getProperty, "cusparseGetProperty");
    binder.bind(library.create, "cusparseCreate");
    binder.bind(library.destroy, "cusparseDestroy");
    binder.bind(library.setStream, "cusparseSetStream");
    binder.bind(library.createConstCsr, "cusparseCreateConstCsr");
    binder.bind(library.destroySpMat, "cusparseDestroySpMat");
    binder.bind(library.createConstDnMat, "cusparseCreateConstDnMat");
    binder.bind(library.createDnMat, "cusparseCreateDnMat");
    binder.bind(library.destroyDnMat, "cusparseDestroyDnMat");
    binder.bind(library.spMM_bufferSize, "cusparseSpMM_bufferSize");
    binder.bind(library.spMM_preprocess, "cusparseSpMM_preprocess");
    binder.bind(library.spMM, "cusparseSpMM");
    requireDriverFor(library.state, setVersion(library.state, library.getProperty));
    return library;
}

} // namespace

protocol::Library LibraryState::report(const std::string &name) const
{
    return {name, path, version, available, available ? std::string() : reason, available ? std::string() : fix};
}

std::vector<int> NvrtcLibrary::architectures() const
{
    int count = 0;
    if (!state.available || getNumSupportedArchs(&count) != NVRTC_SUCCESS || count <= 0)
        return {};
    std::vector<int> list(static_cast<std::size_t>(count));
    if (getSupportedArchs(list.data()) != NVRTC_SUCCESS)
        return {};
    std::sort(list.begin(), list.end());
    return list;
}

const DriverLibrary &driver()
{
    static const DriverLibrary library = loadDriver();
    return library;
}

const NvrtcLibrary &nvrtc()
{
    static const NvrtcLibrary library = loadNvrtc();
    return library;
}

const CublasLibrary &cublas()
{
    static const CublasLibrary library = loadCublas();
    return library;
}

const CublasLtLibrary &cublasLt()
{
    static const CublasLtLibrary library = loadCublasLt();
    return library;
}

const CusparseLibrary &cusparse()
{
    static const CusparseLibrary library = loadCusparse();
    return library;
}

} // namespace stagecraft::worker
