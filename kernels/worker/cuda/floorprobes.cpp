// SPDX-License-Identifier: MIT
#include "floorprobes.h"

#include "capturefile.h"
#include "cudacheck.h"
#include "recorded.h"

#include <algorithm>

namespace stagecraft::worker {

namespace {

constexpr int warmups = 5, recorded = 25; // of each probe
constexpr int fewestRecords = 20;

// Copies start at whole 256 bytes, as allocations do.
std::int64_t padded(std::int64_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

DeviceBuffer zeros(std::int64_t bytes)
{
    DeviceBuffer buffer(static_cast<std::size_t>(bytes));
    STAGECRAFT_CHECK(driver().memsetD32(buffer.address(), 0, static_cast<std::size_t>(bytes) / 4));
    STAGECRAFT_CHECK(driver().streamSynchronize(nullptr));
    return buffer;
}

void launch(const Probe &probe, const ProbeArrays &arrays, std::int64_t copy, CUstream stream)
{
    CUlaunchConfig configuration{};
    configuration.gridDimX = probe.blocks;
    configuration.gridDimY = configuration.gridDimZ = 1;
    configuration.blockDimX = probe.threads;
    configuration.blockDimY = configuration.blockDimZ = 1;
    configuration.hStream = stream;
    const auto offset = static_cast<CUdeviceptr>(copy * padded(arrays.bytes));
    CUdeviceptr in = arrays.in.address() + offset, out = arrays.out.address() + offset;
    if (const auto *streaming = std::get_if<StreamWork>(&probe.work)) {
        long long quads = streaming->quads;
        void *parameters[] = {&in, &out, &quads};
        STAGECRAFT_CHECK(driver().launchKernelEx(&configuration, probe.function, parameters, nullptr));
        return;
    }
    int rounds = std::get<ArithmeticWork>(probe.work).rounds;
    float factor = 0, addend = 0; // unknown to the compiler; zeros draw the least power, so clocks are at their best
    void *parameters[] = {&out, &rounds, &factor, &addend};
    STAGECRAFT_CHECK(driver().launchKernelEx(&configuration, probe.function, parameters, nullptr));
}

// The mean of each probe's records; iteration i is of probe i modulo their number.
std::vector<double> means(const std::vector<Probe> &probes, const capture::Recording &recording)
{
    std::vector<double> sums(probes.size(), 0);
    std::vector<int> counts(probes.size(), 0);
    for (const capture::CapturedKernel &kernel : recording.kernels) {
        const protocol::KernelRecord record = capture::kernelRecord(kernel);
        const std::size_t probe = static_cast<std::size_t>(record.iteration) % probes.size();
        sums[probe] += record.durationUs;
        ++counts[probe];
    }
    for (std::size_t i = 0; i < probes.size(); ++i) {
        if (counts[i] < fewestRecords)
            throw WorkerError(protocol::error::failed,
                              "of " + std::to_string(recorded) + " launches of the microbenchmark \"" + probes[i].name +
                                  "\" only " + std::to_string(counts[i]) + " were recorded; in all, " +
                                  std::to_string(recording.dropped) + " records were lost and " +
                                  std::to_string(recording.invalid) + " had no valid times",
                              "check that no other profiler uses this GPU");
        sums[i] /= counts[i];
    }
    return sums;
}

} // namespace

std::int64_t ProbeArrays::neededBytes(std::int64_t bytesEach, std::int64_t copyCount)
{
    return 2 * padded(bytesEach) * copyCount;
}

ProbeArrays::ProbeArrays(std::int64_t bytesEach, std::int64_t copyCount)
    : bytes(bytesEach),
      copies(copyCount),
      in(zeros(padded(bytesEach) * copyCount)),
      out(zeros(padded(bytesEach) * copyCount))
{
}

std::vector<double> probeMeans(const std::vector<Probe> &probes, const ProbeArrays &arrays, const Gpu &gpu,
                               capture::KernelRecorder &recorder, const std::atomic<bool> &cancelRequested)
{
    std::int64_t calls = 0;
    const auto call = [&](std::size_t probe) {
        if (cancelRequested)
            throw WorkerError(protocol::error::cancelled, "cancelled while floors were measured");
        launch(probes[probe], arrays, calls++ % arrays.copies, gpu.stream());
    };
    for (int round = 0; round < warmups; ++round) {
        for (std::size_t probe = 0; probe < probes.size(); ++probe) {
            call(probe);
            gpu.wait();
        }
    }
    Recorded recording(recorder);
    for (int round = 0; round < recorded; ++round) {
        for (std::size_t probe = 0; probe < probes.size(); ++probe) {
            recorder.setIteration(round * static_cast<int>(probes.size()) + static_cast<int>(probe));
            call(probe);
            recorder.setIteration(-1);
            gpu.wait();
        }
    }
    return means(probes, recording.stop());
}

} // namespace stagecraft::worker
