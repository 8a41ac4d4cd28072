// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch on the made-up GPU leaves behind: a line in the log, a record in the made-up libcupti, and time gone
// by.
#include "fakecuda.h"

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <sstream>
#include <string>

namespace {

constexpr std::uint64_t kernelNanoseconds = 1500;

double clockMilliseconds = 0;
std::uint32_t correlationId = 0;

void tellCupti(const char *kernel)
{
    void *cupti = dlopen("libcupti.so.13", RTLD_LAZY | RTLD_NOLOAD);
    if (!cupti)
        cupti = dlopen("libcupti.so.12", RTLD_LAZY | RTLD_NOLOAD);
    if (!cupti)
        return;
    using Call = void (*)(std::uint32_t, int);
    using Kernel = void (*)(const char *, std::uint32_t, std::uint64_t, std::uint64_t);
    const auto call = reinterpret_cast<Call>(dlsym(cupti, "fakeCuptiCall"));
    const auto record = reinterpret_cast<Kernel>(dlsym(cupti, "fakeCuptiKernel"));
    ++correlationId;
    if (call && record) {
        const std::uint64_t start = 1000000 + 10000 * std::uint64_t(correlationId);
        call(correlationId, 0);
        record(kernel, correlationId, start, start + kernelNanoseconds);
    }
}

} // namespace

extern "C" {

void fakeCudaNote(const char *line)
{
    if (const char *file = std::getenv("STAGECRAFT_FAKE_CUDA_LOG"))
        std::ofstream(file, std::ios::app) << line << '\n';
}

void fakeCudaArrays(const void *a, const void *b, const void *out)
{
    if (!std::getenv("STAGECRAFT_FAKE_CUDA_ARRAYS"))
        return;
    std::ostringstream line;
    line << "arrays " << a << ' ' << b << ' ' << out;
    fakeCudaNote(line.str().c_str());
}

void fakeCudaLaunch(const char *kernel, double milliseconds)
{
    fakeCudaNote((std::string("launch ") + kernel).c_str());
    tellCupti(kernel);
    clockMilliseconds += milliseconds;
}

double fakeCudaMilliseconds()
{
    return clockMilliseconds;
}
}
