// SPDX-License-Identifier: MIT
#include "loadeddriver.h"

#include "sharedlibrary.h"

namespace stagecraft::capture {

namespace {

// CUresult of cuda.h, whose numbers never change. Without its header, so that this builds where there is none.
enum Code
{
    Success = 0,
    NotInitialized = 3,
    Deinitialized = 4,
    InvalidContext = 201,
    ContextIsDestroyed = 709,
};

SharedLibrary driver()
{
    return SharedLibrary::alreadyLoaded("libcuda.so.1");
}

std::string nameOf(int code, const SharedLibrary &cuda)
{
    int (*getErrorName)(int, const char **) = nullptr;
    const char *name = nullptr;
    if (cuda.bind(getErrorName, "cuGetErrorName") && getErrorName(code, &name) == Success && name)
        return name;
    return "error " + std::to_string(code);
}

} // namespace

std::optional<Refusal> waitForGpu()
{
    const SharedLibrary cuda = driver();
    int (*synchronize)() = nullptr;
    if (!cuda.bind(synchronize, "cuCtxSynchronize"))
        return std::nullopt;
    const int code = synchronize();
    switch (code) {
    case Success:
    case NotInitialized:
    case Deinitialized:
    case InvalidContext:
    case ContextIsDestroyed:
        return std::nullopt;
    default:
        return Refusal{"the GPU failed before cuProfilerStop (cuCtxSynchronize: " + nameOf(code, cuda) + ")",
                       "see what the program says of this error, or run it under compute-sanitizer"};
    }
}

int loadedDriverVersion()
{
    int (*getVersion)(int *) = nullptr;
    int version = 0;
    return driver().bind(getVersion, "cuDriverGetVersion") && getVersion(&version) == Success ? version : 0;
}

} // namespace stagecraft::capture
