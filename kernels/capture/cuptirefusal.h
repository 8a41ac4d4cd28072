// SPDX-License-Identifier: MIT
#pragma once

#include "surroundings.h"

#include <stdexcept>
#include <string>

namespace stagecraft::capture {

// Why CUPTI does not record here, and what a person can do about it.
struct Refusal
{
    std::string reason, fix;
};

struct CaptureError : std::runtime_error
{
    explicit CaptureError(const Refusal &refusal) : std::runtime_error(refusal.reason), fix(refusal.fix) {}
    std::string fix;
};

// `code` is a CUptiResult, whose numbers are the same in CUDA 12 and 13; `name` its name as CUPTI gives it, `call` the
// function that returned it.
Refusal explainRefusal(int code, const std::string &name, const std::string &call, const Surroundings &where);

// The same of hardware counters, which need more than kernel records do: records may be there where counters are not.
Refusal explainCounterRefusal(int code, const std::string &name, const std::string &call, const Surroundings &where);

// What of a GPU or its surroundings CUPTI says it does not count with.
struct CounterObstacles
{
    bool architecture = false; // before compute capability 7.0
    bool sli = false, virtualGpu = false, confidentialComputing = false, miningGpu = false, wsl = false;
};
Refusal explainUncounted(const CounterObstacles &obstacles);

} // namespace stagecraft::capture
