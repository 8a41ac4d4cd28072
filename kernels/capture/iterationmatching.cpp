// SPDX-License-Identifier: MIT
#include "iterationmatching.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <unordered_map>

namespace stagecraft::capture {

namespace {

std::string demangled(const std::string &name)
{
    if (!name.starts_with("_Z"))
        return name;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                           &std::free);
    return status == 0 && text ? text.get() : name;
}

bool hasTimes(const RawKernel &kernel)
{
    return kernel.start != 0 && kernel.end > kernel.start;
}

CapturedKernel captured(const RawKernel &raw, int iteration)
{
    CapturedKernel kernel;
    kernel.name = demangled(raw.name);
    kernel.durationUs = static_cast<double>(raw.end - raw.start) / 1000.0;
    kernel.iteration = iteration;
    kernel.grid = raw.grid;
    kernel.block = raw.block;
    kernel.registersPerThread = raw.registersPerThread;
    kernel.sharedBytes = raw.staticSharedBytes + raw.dynamicSharedBytes;
    kernel.localBytesPerThread = raw.localBytesPerThread;
    return kernel;
}

} // namespace

Recording matchToIterations(std::vector<RawKernel> kernels, const std::vector<IterationCall> &calls,
                            Unmatched unmatched)
{
    std::unordered_map<std::uint32_t, int> iterationOf;
    for (const IterationCall &call : calls)
        iterationOf.emplace(call.correlationId, call.iteration);
    std::stable_sort(kernels.begin(), kernels.end(),
                     [](const RawKernel &a, const RawKernel &b) { return a.start < b.start; });
    Recording recording;
    for (const RawKernel &kernel : kernels) {
        const auto found = iterationOf.find(kernel.correlationId);
        if (found == iterationOf.end() && unmatched == Unmatched::LeftOut) {
            if (recording.unmatched++ == 0)
                recording.firstUnmatched = demangled(kernel.name);
        } else if (!hasTimes(kernel)) {
            ++recording.invalid;
        } else {
            recording.kernels.push_back(captured(kernel, found == iterationOf.end() ? -1 : found->second));
        }
    }
    if (unmatched == Unmatched::LeftOut)
        std::stable_sort(recording.kernels.begin(), recording.kernels.end(),
                         [](const CapturedKernel &a, const CapturedKernel &b) { return a.iteration < b.iteration; });
    return recording;
}

} // namespace stagecraft::capture
