// SPDX-License-Identifier: MIT
#include "algorithmsearch.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

namespace stagecraft::worker {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int rounds = 5;                 // each candidate once in each, so that a drifting clock meets all alike
constexpr std::chrono::seconds budget{3}; // after which no round is begun, but for the first
constexpr double sampleUs = 500;          // calls in a row that one sample should last for,
constexpr int mostCalls = 20;             // and how many that is at most
constexpr double hopeless = 2;            // times the fastest median so far: not timed again
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

private:
    const Gpu &m_gpu;
    Event m_begin, m_end;
};

// Those that run. The second call of each is timed, the first loads its kernels; `fastestUs` is the least of them.
std::vector<Entrant> admit(const std::vector<Candidate> &candidates, const Timer &timer, double &fastestUs)
{
    std::vector<Entrant> entrants;
    std::optional<WorkerError> refusal;
    fastestUs = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        try {
            if (candidates[i].ready)
                candidates[i].ready();
            timer.time(candidates[i], 1);
            fastestUs = std::min(fastestUs, timer.time(candidates[i], 1));
            entrants.push_back({i, {}});
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
    return us > sampleUs / mostCalls ? std::max(1, static_cast<int>(std::lround(sampleUs / us))) : mostCalls;
}

double fastestMedian(const std::vector<Entrant> &entrants)
{
    return std::ranges::min_element(entrants, {}, &Entrant::median)->median();
}

} // namespace

SearchOutcome chooseFastest(const std::vector<Candidate> &candidates, const Gpu &gpu)
{
    const Timer timer(gpu);
    double fastestUs = 0;
    std::vector<Entrant> entrants = admit(candidates, timer, fastestUs);
    const std::size_t ran = entrants.size();
    const int calls = callsFor(fastestUs);
    const auto start = Clock::now();
    for (int round = 0; round < rounds && (round == 0 || Clock::now() - start < budget); ++round) {
        for (Entrant &entrant : entrants)
            entrant.us.push_back(timer.time(candidates[entrant.index], calls));
        const double limit = hopeless * fastestMedian(entrants);
        std::erase_if(entrants, [limit](const Entrant &entrant) { return entrant.median() > limit; });
    }
    const double limit = indistinguishable * fastestMedian(entrants);
    const auto chosen =
        std::ranges::find_if(entrants, [limit](const Entrant &entrant) { return entrant.median() <= limit; });
    return {chosen->index, ran};
}

} // namespace stagecraft::worker
