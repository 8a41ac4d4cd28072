// SPDX-License-Identifier: GPL-3.0-or-later
// A libcuda without a GPU: device memory is host memory, launches are noted and told to the made-up libcupti, and only
// the worker's self-test and the tests' own stages are carried out. It lets the worker's own code run: what it asks
// for, in which order, and what it makes of the answers. Environment: STAGECRAFT_FAKE_CUDA_INIT (what cuInit returns),
// STAGECRAFT_FAKE_CUDA_FAULT (what every call returns once a stage's kernel was launched, as after a fault of a
// kernel), STAGECRAFT_FAKE_CUDA_INSTANT (1: no time passes between two events), STAGECRAFT_FAKE_CUDA_VERSION (what
// cuDriverGetVersion says), STAGECRAFT_FAKE_CUDA_L2 and STAGECRAFT_FAKE_CUDA_FREE (bytes of its L2, and of its memory
// that are free), STAGECRAFT_FAKE_CUDA_ARRAYS (1: the log names the arrays of launches and the loads of modules too),
// STAGECRAFT_FAKE_CUDA_LOG (a file to which launches, events, profiler calls and what the
// made-up libraries are asked are added, a line each). Time is made up too: what is launched says how long it takes.
#include "fakecuda.h"

#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <string>

// The headers rename these to newer versions than the ones that the worker asks for.
#undef cuEventElapsedTime

namespace {

constexpr auto selfTestEntry = "stagecraft_self_test";
constexpr auto scratchEntry = "fake_keeps_scratch";
constexpr auto mapEntry = "fake_takes_map";
constexpr double spanMilliseconds = 0.0125;

int live = 0;                                         // streams, events, allocations, libraries' objects
std::map<const std::byte *, std::size_t> allocations; // start → bytes
bool faulted = false;

constexpr int staticSharedBytes = 2048; // of every function
constexpr int mostThreads = 512;        // likewise
constexpr int mostSharedBytes = 227 * 1024;

struct Function
{
    std::string name;
    int dynamicSharedBytes = 48 * 1024 - staticSharedBytes; // that a launch may have
};

int fromEnvironment(const char *name)
{
    const char *text = std::getenv(name);
    return text ? std::atoi(text) : 0;
}

CUresult status()
{
    return static_cast<CUresult>(faulted ? fromEnvironment("STAGECRAFT_FAKE_CUDA_FAULT") : 0);
}

template <typename Handle>
CUresult create(Handle *handle)
{
    if (status() != CUDA_SUCCESS)
        return status();
    ++live;
    *handle = reinterpret_cast<Handle>(std::malloc(1));
    return CUDA_SUCCESS;
}

CUresult destroy(void *handle)
{
    --live;
    std::free(handle);
    return status();
}

struct FakeEvent
{
    double milliseconds = 0;
};

void selfTest(void **parameters, unsigned threads)
{
    const auto array = [&](int i) { return reinterpret_cast<float *>(*static_cast<CUdeviceptr *>(parameters[i])); };
    for (unsigned i = 0; i < threads; ++i)
        array(2)[i] = array(0)[i] + array(1)[i];
}

// The first three of a stage's parameters, which every operation has: for gelu they are all of its arrays.
void noteArrays(void **parameters)
{
    if (!std::getenv("STAGECRAFT_FAKE_CUDA_ARRAYS"))
        return; // and the kernel may have fewer
    const auto array = [&](int i) {
        return reinterpret_cast<const void *>(*static_cast<CUdeviceptr *>(parameters[i]));
    };
    fakeCudaArrays(array(0), array(1), array(2));
}

// As the stage of this name in the tests does: what the call before it left there comes out.
void keepScratch(void **parameters)
{
    const auto array = [&](int i) { return reinterpret_cast<float *>(*static_cast<CUdeviceptr *>(parameters[i])); };
    array(2)[0] = array(3)[0];
    array(3)[0] = 1000;
}

// The stage of this name in the tests has a map of its first array, by value, after a, b and out.
void noteMap(void **parameters)
{
    CUdeviceptr mapped = 0;
    std::memcpy(&mapped, parameters[3], sizeof mapped);
    const bool aligned = reinterpret_cast<std::uintptr_t>(parameters[3]) % alignof(CUtensorMap) == 0;
    if (aligned && mapped == *static_cast<CUdeviceptr *>(parameters[0]))
        fakeCudaNote("map of the first array");
}

} // namespace

extern "C" {

bool fakeCudaHolds(const void *memory, std::size_t bytes)
{
    const auto start = static_cast<const std::byte *>(memory);
    auto allocation = allocations.upper_bound(start);
    if (allocation == allocations.begin())
        return false;
    --allocation;
    return start + bytes <= allocation->first + allocation->second;
}

void fakeCudaCount(int objects)
{
    live += objects;
}

CUresult CUDAAPI cuInit(unsigned)
{
    return static_cast<CUresult>(fromEnvironment("STAGECRAFT_FAKE_CUDA_INIT"));
}

// NVRTC looks for the driver too and asks it for a table of functions: this one has no entry but its own size.
CUresult CUDAAPI cuGetExportTable(const void **table, const CUuuid *)
{
    static const std::size_t empty[] = {sizeof(std::size_t)};
    *table = empty;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDriverGetVersion(int *version)
{
    const int wished = fromEnvironment("STAGECRAFT_FAKE_CUDA_VERSION");
    *version = wished ? wished : 13000;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGetErrorName(CUresult result, const char **text)
{
    *text = result == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_MADE_UP";
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGetErrorString(CUresult, const char **text)
{
    *text = "made up";
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetCount(int *count)
{
    *count = 1;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGet(CUdevice *device, int index)
{
    *device = index;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetName(char *name, int length, CUdevice)
{
    std::snprintf(name, static_cast<std::size_t>(length), "Made-up GPU");
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice)
{
    for (int i = 0; i < 16; ++i)
        uuid->bytes[i] = static_cast<char>(16 * i + i);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceTotalMem_v2(std::size_t *bytes, CUdevice)
{
    *bytes = std::size_t{1} << 37;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice)
{
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = 9;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = 0;
        break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = 132;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
        *value = 2048;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = mostSharedBytes;
        break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
        *value = std::getenv("STAGECRAFT_FAKE_CUDA_L2") ? fromEnvironment("STAGECRAFT_FAKE_CUDA_L2") : 60 << 20;
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice)
{
    *context = reinterpret_cast<CUcontext>(&live);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease_v2(CUdevice)
{
    std::fprintf(stderr, "fake libcuda: %d objects live at release\n", live);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetCurrent(CUcontext *context)
{
    *context = reinterpret_cast<CUcontext>(&live);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetDevice(CUdevice *device)
{
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSetCurrent(CUcontext)
{
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleLoadData(CUmodule *module, const void *image)
{
    if (std::memcmp(image, "\177ELF", 4) != 0)
        return CUDA_ERROR_INVALID_IMAGE;
    if (std::getenv("STAGECRAFT_FAKE_CUDA_ARRAYS"))
        fakeCudaNote("cuModuleLoadData");
    static char loaded; // one for all: they go with their context
    *module = reinterpret_cast<CUmodule>(&loaded);
    return status();
}

CUresult CUDAAPI cuModuleGetFunction(CUfunction *function, CUmodule, const char *name)
{
    static std::list<Function> functions; // as long as the process
    *function = reinterpret_cast<CUfunction>(&functions.emplace_back(Function{.name = name}));
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction)
{
    *value = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS                ? 33
             : attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES     ? staticSharedBytes
             : attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? mostThreads
                                                                    : 0;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        reinterpret_cast<Function *>(function)->dynamicSharedBytes = value;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction, int threads, std::size_t)
{
    *blocks = 2048 / threads;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig *configuration, CUfunction function, void **parameters, void **)
{
    if (status() != CUDA_SUCCESS)
        return status();
    const auto &[name, dynamicSharedBytes] = *reinterpret_cast<Function *>(function);
    if (static_cast<int>(configuration->sharedMemBytes) > dynamicSharedBytes)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < configuration->numAttrs; ++i) {
        if (configuration->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            fakeCudaNote(("cluster " + std::to_string(configuration->attrs[i].value.clusterDim.x)).c_str());
    }
    noteArrays(parameters);
    fakeCudaLaunch(name.c_str(), spanMilliseconds);
    if (name == selfTestEntry)
        selfTest(parameters, configuration->blockDimX);
    else if (name == scratchEntry)
        keepScratch(parameters);
    else if (name == mapEntry)
        noteMap(parameters);
    else
        faulted = true; // without effect unless the environment asks for one
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemAlloc_v2(CUdeviceptr *address, std::size_t bytes)
{
    if (bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    ++live;
    void *memory = std::malloc(bytes);
    *address = reinterpret_cast<CUdeviceptr>(memory);
    allocations[static_cast<std::byte *>(memory)] = bytes;
    return memory ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult CUDAAPI cuMemFree_v2(CUdeviceptr address)
{
    allocations.erase(reinterpret_cast<std::byte *>(address));
    return destroy(reinterpret_cast<void *>(address));
}

CUresult CUDAAPI cuMemGetInfo_v2(std::size_t *free, std::size_t *total)
{
    const int wished = fromEnvironment("STAGECRAFT_FAKE_CUDA_FREE");
    *total = std::size_t{1} << 37;
    *free = wished ? static_cast<std::size_t>(wished) : *total;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, std::size_t bytes)
{
    std::memcpy(reinterpret_cast<void *>(to), from, bytes);
    return status();
}

CUresult CUDAAPI cuMemcpyDtoH_v2(void *to, CUdeviceptr from, std::size_t bytes)
{
    std::memcpy(to, reinterpret_cast<void *>(from), bytes);
    return status();
}

CUresult CUDAAPI cuMemsetD32_v2(CUdeviceptr to, unsigned value, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        reinterpret_cast<unsigned *>(to)[i] = value;
    return status();
}

CUresult CUDAAPI cuStreamCreate(CUstream *stream, unsigned)
{
    return create(stream);
}

CUresult CUDAAPI cuStreamDestroy_v2(CUstream stream)
{
    return destroy(stream);
}

CUresult CUDAAPI cuStreamSynchronize(CUstream)
{
    return status();
}

CUresult CUDAAPI cuProfilerStart()
{
    fakeCudaNote("cuProfilerStart");
    return status();
}

CUresult CUDAAPI cuProfilerStop()
{
    fakeCudaNote("cuProfilerStop");
    return status();
}

CUresult CUDAAPI cuEventCreate(CUevent *event, unsigned)
{
    ++live;
    *event = reinterpret_cast<CUevent>(new FakeEvent);
    return status();
}

CUresult CUDAAPI cuEventDestroy_v2(CUevent event)
{
    --live;
    delete reinterpret_cast<FakeEvent *>(event);
    return status();
}

CUresult CUDAAPI cuEventRecord(CUevent event, CUstream)
{
    fakeCudaNote("cuEventRecord");
    reinterpret_cast<FakeEvent *>(event)->milliseconds = fakeCudaMilliseconds();
    return status();
}

CUresult CUDAAPI cuEventSynchronize(CUevent)
{
    return status();
}

CUresult CUDAAPI cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end)
{
    const auto at = [](CUevent event) { return reinterpret_cast<FakeEvent *>(event)->milliseconds; };
    *milliseconds = fromEnvironment("STAGECRAFT_FAKE_CUDA_INSTANT") ? 0 : static_cast<float>(at(end) - at(begin));
    return status();
}
}
