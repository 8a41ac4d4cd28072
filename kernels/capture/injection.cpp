// SPDX-License-Identifier: MIT
// What the shared capture library exports. The driver loads it into a process whose environment names it in
// CUDA_INJECTION64_PATH, and calls InitializeInjection from within cuInit. Loaded by other means it does nothing but
// mark ranges.
#include "bracketrecorder.h"
#include "loadeddriver.h"
#include "nvidialibraries.h"

#include <cstdio>
#include <cstdlib>

#define STAGECRAFT_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace stagecraft::capture;

// Never destroyed: CUPTI calls back until the process is gone.
std::atomic<BracketRecorder *> recorder{nullptr};

// A libcupti that is in the process already goes first, whatever its file's name: PyTorch brings its own, and two
// copies would each see a part. Mostly there is one by now, since a framework links it and comes before cuInit; what a
// process loads only later stays unused.
std::vector<std::string> cuptiNames()
{
    std::vector<std::string> names = SharedLibrary::loadedFiles("libcupti");
    for (const std::string &soname : sonamesFor("libcupti", loadedDriverVersion()))
        names.push_back(soname);
    return names;
}

const char *metrics()
{
    const char *names = std::getenv("STAGECRAFT_CAPTURE_METRICS");
    return names ? names : "";
}

// Read once, as the metrics: a process may take the variables out of its environment again, so that its children are
// left alone, or change its working directory.
std::filesystem::path directory()
{
    const char *name = std::getenv("STAGECRAFT_CAPTURE_DIRECTORY");
    if (!name || *name == '\0')
        return {};
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(name, error);
    return error ? std::filesystem::path(name) : whole;
}

void processEnds()
{
    if (BracketRecorder *const one = recorder)
        one->processEnds();
}

void initialize()
{
    auto *const one = new BracketRecorder(cuptiNames(), directory());
    one->setCounters(metrics());
    one->watch();
    recorder = one;
    // Registered after libcupti is there, so that it runs before that library's own handler.
    std::atexit(processEnds);
}

} // namespace

// Always 1, "initialized": what is amiss with the instrument is no reason to keep the process from its GPU.
STAGECRAFT_EXPORT int InitializeInjection(void)
{
    try {
        static std::once_flag once;
        std::call_once(once, initialize);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "stagecraft capture: initializing failed: %s\n", error.what());
    }
    return 1;
}

// Kernels launched from now on, by any thread, are of this iteration of the open bracket; −1: of none. −1 after a
// bracket, while no thread is in a CUDA call, takes away what recording has added to each launch.
STAGECRAFT_EXPORT void stagecraft_capture_iteration(int iteration)
{
    if (BracketRecorder *const one = recorder)
        one->setIteration(iteration);
}

// From the next bracket on kernels are counted, not recorded: metrics by their names with commas between, or "usual".
// nullptr or "": recorded again. Before CUDA is initialized the environment alone says it.
STAGECRAFT_EXPORT void stagecraft_capture_counters(const char *metrics)
{
    if (BracketRecorder *const one = recorder)
        one->setCounters(metrics ? metrics : "");
}
