// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

// NAME-timing.json, which an external program writes: {op, dims, warmup, iterations, samples_us, event_mean_us,
// run_id}, with `source` where the samples are not CUDA-event intervals and `arithmetic` where it is not fp32. Keys
// that are not known are passed over.
namespace stagecraft::worker {

// What the program was asked for, which its file must agree with.
struct TimingRequest
{
    std::string operation;
    std::vector<std::int64_t> dims;
    int warmup = 0, iterations = 0;
    bool gpuMayBeHere = true; // where there is none, nothing can be a CUDA event
};

struct Timing
{
    std::vector<double> samplesUs; // as many as the iterations; above 0, at most 1e12
    std::string source;            // "event" or "host"
    std::string arithmetic;        // "fp32", "tf32"
};

// Trusts nothing. Throws WorkerError: error::failed where the file is missing or cannot be read, error::invalid where
// it is damaged or contradicts the request or itself, with its name, the place in it and what to do.
Timing readTiming(const std::filesystem::path &file, const TimingRequest &request);

} // namespace stagecraft::worker
