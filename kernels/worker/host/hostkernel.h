// SPDX-License-Identifier: MIT
#pragma once

#include "inputs.h"

#include <functional>
#include <string>

namespace stagecraft::worker {

// One operation on the CPU in FP32 through Eigen, with its inputs and its output in memory.
class HostKernel
{
public:
    // Throws std::length_error where the dims exceed what Eigen's sparse indices can number.
    explicit HostKernel(operations::InputSet inputs);
    HostKernel(const HostKernel &) = delete; // the function below knows this object's address
    HostKernel &operator=(const HostKernel &) = delete;

    // Computes the whole output once; what `host` spans measure.
    void run() { m_run(); }

    std::span<float> output() { return m_output; }

    // Of this kernel: fewer than the processor has where handing out the work would cost more than it saves.
    int threads() const { return m_threads; }

    // "Eigen 3.4.0, SSE, SSE2, 2 threads"
    static std::string library(int threads);

private:
    std::function<void()> matmul();
    std::function<void()> gelu();
    std::function<void()> layernorm();
    std::function<void()> triangle();
    std::function<void()> neighbor();

    operations::InputSet m_inputs;
    std::vector<float> m_output;
    int m_threads;
    std::function<void()> m_run;
};

} // namespace stagecraft::worker
