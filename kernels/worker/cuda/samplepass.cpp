// SPDX-License-Identifier: MIT
#include "samplepass.h"

#include "backend.h"
#include "passes.h"
#include "pcsampler.h"
#include "reference.h"

#include <algorithm>

namespace stagecraft::worker {

namespace {

using namespace protocol;

void requireRight(Workload &workload, const Gpu &gpu, const std::vector<double> &reference)
{
    const operations::Comparison comparison = operations::compare(outputPass(workload, gpu), reference);
    if (!comparison.passed)
        throw WorkerError(error::failed,
                          "its result is wrong: " + std::to_string(comparison.badElements) + " of " +
                              std::to_string(comparison.checkedElements) + " elements; it is not sampled",
                          "correct the stage first");
}

std::int64_t samplesOf(const SampledKernel &kernel)
{
    std::int64_t count = 0;
    for (const SampledInstruction &instruction : kernel.instructions) {
        for (const auto &[reason, samples] : instruction.samples)
            count += samples;
    }
    return count;
}

// The stage's own kernels: what else the context holds was not loaded meanwhile, but is not ours to say.
void keepOwn(SampleResult &result, const Workload &workload)
{
    const std::vector<Launch> launches = workload.launches();
    std::erase_if(result.kernels, [&](const SampledKernel &kernel) {
        const bool isOwn = std::ranges::find(launches, kernel.entry, &Launch::entry) != launches.end();
        result.samples -= isOwn ? 0 : samplesOf(kernel);
        return !isOwn;
    });
    if (result.samples == 0)
        throw WorkerError(error::failed, "no sample is of this stage",
                          "sample more calls, and check that no other profiler uses this GPU");
}

} // namespace

SampleResult samplePass(const MakeWorkload &make, const Gpu &gpu, int iterations, const std::vector<double> &reference,
                        capture::KernelRecorder &recorder, std::vector<char> *machineCode)
{
    const std::unique_ptr<capture::PcSampler> sampler = recorder.openSampler();
    sampler->start();
    const std::unique_ptr<Workload> workload = make();
    requireRight(*workload, gpu, reference); // sampled with the others: it is a call like them
    for (int i = 1; i < iterations; ++i) {
        workload->turn();
        workload->enqueue();
        gpu.wait();
    }
    SampleResult result = sampler->stop();
    keepOwn(result, *workload);
    if (machineCode)
        *machineCode = workload->machineCode();
    return result;
}

} // namespace stagecraft::worker
