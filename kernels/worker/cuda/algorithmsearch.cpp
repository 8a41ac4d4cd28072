// SPDX-License-Identifier: MIT
#include "algorithmsearch.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace stagecraft::worker {

namespace {

constexpr int warmupCalls = 3;
constexpr int rounds = 5;        // each candidate once in each, so that a drifting clock meets all alike
constexpr double sampleUs = 500; // calls in a row that one sample should last for,
constexpr int mostCalls = 20;    // and how many that is at most
constexpr double hopeless = 2;   // times the fastest first sample: not sampled again
constexpr double indistinguishable = 1.02;

struct Entrant
{
    std::size_t index = 0;
    std::vector<double> us; // of one call, by sample

    double median() const
    {
        std::vector<double> sorted = us;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        return *middle;
    }
};

class Timer
{
public:
    explicit Timer(const Gpu &gpu) : m_gpu(gpu), m_begin(createEvent()), m_end(createEvent()) {}

    // Of one call, µs.
    double time(const Candidate &candidate, int calls) const
    {
        STAGECRAFT_CHECK(driver().eventRecord(m_begin.get(), m_gpu.stream()));
        for (int i = 0; i < calls; ++i)
            candidate.enqueue();
        STAGECRAFT_CHECK(driver().eventRecord(m_end.get(), m_gpu.stream()));
        m_gpu.wait();
        float milliseconds = 0;
        STAGECRAFT_CHECK(driver().eventElapsedTime(&milliseconds, m_begin.get(), m_end.get()));
        return 1000.0 * static_cast<double>(milliseconds) / calls;
    }

    void warmUp(const Candidate &candidate) const
    {
        for (int i = 0; i < warmupCalls; ++i) {
            candidate.enqueue();
            m_gpu.wait();
        }
    }

private:
    const Gpu &m_gpu;
    Event m_begin, m_end;
};

// Those that run, each with a first sample.
std::vector<Entrant> admit(const std::vector<Candidate> &candidates, const Timer &timer)
{
    std::vector<Entrant> entrants;
    std::optional<WorkerError> refusal;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        try {
            if (candidates[i].ready)
                candidates[i].ready();
            timer.warmUp(candidates[i]);
            entrants.push_back({i, {timer.time(candidates[i], 1)}});
        } catch (const ContextLost &) {
            throw;
        } catch (const WorkerError &error) {
            if (!refusal)
                refusal =
                    WorkerError(protocol::error::unavailable, candidates[i].name + ": " + error.what(), error.fix);
        }
    }
    if (entrants.empty() && refusal)
        throw *refusal;
    return entrants;
}

int callsFor(double us)
{
    return us > 0 ? std::clamp(static_cast<int>(std::lround(sampleUs / us)), 1, mostCalls) : mostCalls;
}

} // namespace

SearchOutcome chooseFastest(const std::vector<Candidate> &candidates, const Gpu &gpu)
{
    const Timer timer(gpu);
    std::vector<Entrant> entrants = admit(candidates, timer);
    const std::size_t ran = entrants.size();
    const auto first = [](const Entrant &entrant) { return entrant.us.front(); };
    const double fastestFirst = first(*std::ranges::min_element(entrants, {}, first));
    std::erase_if(entrants, [&](const Entrant &entrant) { return first(entrant) > hopeless * fastestFirst; });
    const int calls = callsFor(fastestFirst);
    for (Entrant &entrant : entrants)
        entrant.us.clear(); // single calls carry the cost of their events, runs of them do not
    for (int round = 0; round < rounds; ++round) {
        for (Entrant &entrant : entrants)
            entrant.us.push_back(timer.time(candidates[entrant.index], calls));
    }
    const double fastest = std::ranges::min_element(entrants, {}, &Entrant::median)->median();
    const auto chosen = std::ranges::find_if(
        entrants, [&](const Entrant &entrant) { return entrant.median() <= indistinguishable * fastest; });
    return {chosen->index, ran};
}

} // namespace stagecraft::worker
