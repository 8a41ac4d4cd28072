// SPDX-License-Identifier: MIT
#pragma once

#include "floorkernels.h"
#include "kernelrecorder.h"

#include <atomic>
#include <variant>

// Launches whose kernel time is a floor or a rate, and the pass that times them.
namespace stagecraft::worker {

// Moves `quads` × 16 bytes; takes (in, out, quads).
struct StreamWork
{
    std::int64_t quads = 0;
    double bytes = 0; // that it moves, in and out together
};

// Runs `rounds` loop passes in registers; takes (out, rounds, factor, addend).
struct ArithmeticWork
{
    int rounds = 0;
    double flops = 0; // of the whole launch
};

struct Probe
{
    std::string name; // for people: "4 float4 a thread"
    CUfunction function = nullptr;
    unsigned blocks = 1, threads = 1;
    std::variant<StreamWork, ArithmeticWork> work;
};

// Arrays of zeros that streams go through, in `copies` that are taken in turn (one: a warm cache).
struct ProbeArrays
{
    // Throws WorkerError(failed) where memory is short.
    ProbeArrays(std::int64_t bytesEach, std::int64_t copyCount);
    static std::int64_t neededBytes(std::int64_t bytesEach, std::int64_t copyCount);

    std::int64_t bytes, copies;
    DeviceBuffer in, out;
};

// The probes' mean kernel time in µs, each of at least 20 records after warm-up, in their order. They take turns launch
// by launch, so that a change of clocks meets all of them alike. Throws capture::CaptureError where CUPTI refuses,
// WorkerError: cancelled, or failed where records are missing or belong to no launch.
std::vector<double> probeMeans(const std::vector<Probe> &probes, const ProbeArrays &arrays, const Gpu &gpu,
                               capture::KernelRecorder &recorder, const std::atomic<bool> &cancelRequested);

} // namespace stagecraft::worker
