// SPDX-License-Identifier: MIT
#pragma once

#include "gpu.h"

#include <functional>

// Which of a library's algorithms to measure: the one that the library would have its user find by trying.
namespace stagecraft::worker {

// One algorithm. Both functions throw WorkerError where the library refuses it.
struct Candidate
{
    std::string name;
    std::function<void()> ready;   // once, before the first call; empty: nothing to do
    std::function<void()> enqueue; // one call on the GPU's stream
};

struct SearchOutcome
{
    std::size_t chosen = 0; // index into the candidates
    std::size_t ran = 0;    // of the candidates, the rest were refused
};

// Readies, warms and times every candidate between CUDA events; the fastest is chosen, and of those within a fiftieth
// of it the first, so that noise does not overrule the library's own ranking. A candidate that is refused is passed
// over. Throws WorkerError: unavailable with the first refusal where all were, ContextLost where one killed the
// context.
SearchOutcome chooseFastest(const std::vector<Candidate> &candidates, const Gpu &gpu);

} // namespace stagecraft::worker
