// SPDX-License-Identifier: MIT
#pragma once

#include "backend.h"

#include <cstddef>

// A cold cache: the calls of a prepared handle take copies of its arrays in turn, so many that a copy has left the
// cache before its turn comes again.
namespace stagecraft::worker {

// Throws WorkerError(error::invalid) for words of `cache` and `arithmetic` that are not known.
void requireKnownWords(const protocol::PrepareParams &params);

inline bool wantsCold(const protocol::PrepareParams &params)
{
    return params.cache == "cold";
}

inline bool wantsExactFp32(const protocol::PrepareParams &params)
{
    return params.arithmetic == "fp32";
}

// What a call on consecutive copies has to outgrow, and what the copies have to fit into.
struct CacheFacts
{
    std::string article, cache;      // its name in sentences, "an" "L2"
    std::int64_t cacheBytes = 0;     // 0 where the system does not say
    std::string memory;              // "GPU memory"
    std::int64_t availableBytes = 0; // of it, now; 0 where the system does not say
};

inline constexpr std::int64_t mostColdCopies = 1024;

// The fewest copies of `bytesOfOne`, more than 0, that together exceed twice the cache, and at least two.
std::int64_t copiesBeyond(std::int64_t cacheBytes, std::int64_t bytesOfOne);

struct ColdPlan
{
    std::size_t copies = 1;
    std::string note; // "cold: 11 copies of 12.6 MB rotate through an L2 of 62.9 MB"; a MB is 1,000,000 bytes
};

// The fewest copies of `bytesOfOne` (all inputs and the output) that together exceed twice the cache, and at least two:
// between two uses of a copy more than the cache then passes through it. Throws WorkerError(error::unavailable) with
// the numbers where the cache's size is not known, mostColdCopies are not enough or the memory is short.
ColdPlan planCold(std::int64_t bytesOfOne, const CacheFacts &facts);

// Whose turn it is, from copy 0 on.
class CopyTurns
{
public:
    explicit CopyTurns(std::size_t copies = 1) : m_copies(copies) {}

    std::size_t copies() const { return m_copies; }

    std::size_t next()
    {
        const std::size_t turn = m_next;
        m_next = turn + 1 < m_copies ? turn + 1 : 0;
        return turn;
    }

private:
    std::size_t m_copies, m_next = 0;
};

} // namespace stagecraft::worker
