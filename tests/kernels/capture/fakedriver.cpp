// SPDX-License-Identifier: GPL-3.0-or-later
// A libcuda and a libcudart in one, for one program of a test: cuInit loads what CUDA_INJECTION64_PATH names, as the
// driver does, and what the program launches is told to the made-up libcupti (fakecupti.cpp) in the process. A kernel
// is done when somebody waits for it; until then CUPTI has no record of it.
#include "fakecupti.h"

#include <cstdlib>
#include <deque>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace {

struct Launch
{
    std::string name;
    std::uint32_t correlationId = 0;
    bool hasTimes = true;
};

std::vector<Launch> running;
std::deque<Launch> done; // records point to its names, which must not move
std::uint32_t lastCall = 0;
int failure = 0;
thread_local bool hasContext = false;

// A function of the libcupti that is loaded, and of no other: the driver loads none by itself.
template <typename Function>
Function *cupti(const char *name)
{
    for (const char *soname : {"libcupti.so.13", "libcupti.so.12"}) {
        if (void *const library = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD))
            return reinterpret_cast<Function *>(dlsym(library, name));
    }
    return nullptr;
}

void tellProfilerCall(int runtime, int start, int exit)
{
    if (auto *const tell = cupti<decltype(fakeCuptiProfilerCall)>("fakeCuptiProfilerCall"))
        tell(runtime, start, exit);
}

void record(const Launch &launch)
{
    const std::uint64_t start = launch.hasTimes ? 1000u * launch.correlationId : 0;
    if (auto *const kernel = cupti<decltype(fakeCuptiKernel)>("fakeCuptiKernel"))
        kernel(launch.name.c_str(), launch.correlationId, start, launch.hasTimes ? start + 250 : 0);
}

} // namespace

extern "C" {

int cuDriverGetVersion(int *version)
{
    const char *text = std::getenv("STAGECRAFT_FAKE_DRIVER_VERSION");
    *version = text ? std::atoi(text) : 13000;
    return 0;
}

int cuGetErrorName(int, const char **name)
{
    *name = "CUDA_ERROR_MADE_UP";
    return 0;
}

// The context is made with it, for the thread that calls.
int cuInit(unsigned)
{
    hasContext = true;
    const char *path = std::getenv("CUDA_INJECTION64_PATH");
    void *const library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (!library)
        return 0;
    auto *const initialize = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"));
    return initialize && initialize() == 1 ? 0 : 999;
}

int cuCtxGetCurrent(void **context)
{
    *context = hasContext ? &running : nullptr;
    return 0;
}

int cuCtxGetDevice(int *device)
{
    *device = 0;
    return hasContext ? 0 : 201;
}

int cuCtxSynchronize(void)
{
    if (failure)
        return failure;
    for (Launch &launch : running)
        record(done.emplace_back(std::move(launch)));
    running.clear();
    return 0;
}

int cuProfilerStart(void)
{
    tellProfilerCall(0, 1, 0);
    tellProfilerCall(0, 1, 1);
    return 0;
}

int cuProfilerStop(void)
{
    tellProfilerCall(0, 0, 0);
    tellProfilerCall(0, 0, 1);
    return 0;
}

// The runtime's call the driver's.
int cudaProfilerStart(void)
{
    tellProfilerCall(1, 1, 0);
    const int result = cuProfilerStart();
    tellProfilerCall(1, 1, 1);
    return result;
}

int cudaProfilerStop(void)
{
    tellProfilerCall(1, 0, 0);
    const int result = cuProfilerStop();
    tellProfilerCall(1, 0, 1);
    return result;
}

// times: whether its record will have any.
void fakeDriverLaunch(const char *name, int times)
{
    running.push_back({name, ++lastCall, times != 0});
    if (auto *const call = cupti<decltype(fakeCuptiCall)>("fakeCuptiCall"))
        call(lastCall, 0);
}

// From now on waiting fails with this CUresult.
void fakeDriverFail(int code)
{
    failure = code;
}

void fakeDriverDrop(unsigned records)
{
    if (auto *const drop = cupti<decltype(fakeCuptiDrop)>("fakeCuptiDrop"))
        drop(records);
}
}
