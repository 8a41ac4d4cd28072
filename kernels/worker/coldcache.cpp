// SPDX-License-Identifier: MIT
#include "coldcache.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace stagecraft::worker {

namespace {

using protocol::error::invalid;
using protocol::error::unavailable;

constexpr auto whatToDo = "choose larger dims, or a warm cache (--cache warm)";

std::string megabytes(std::int64_t bytes)
{
    if (bytes < 10'000)
        return std::to_string(bytes) + " bytes";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), bytes < 1'000'000 ? "%.3f MB" : "%.1f MB",
                  static_cast<double>(bytes) / 1e6);
    return text.data();
}

void requireWord(const char *key, const std::string &word, std::array<const char *, 2> known)
{
    if (word.empty() || std::ranges::find(known, word) != known.end())
        return;
    throw WorkerError(invalid, std::string(key) + ": there is no \"" + word + "\"",
                      std::string("use \"") + known[0] + "\" or \"" + known[1] + "\"");
}

} // namespace

void requireKnownWords(const protocol::PrepareParams &params)
{
    requireWord("cache", params.cache, {"warm", "cold"});
    requireWord("arithmetic", params.arithmetic, {"any", "fp32"});
}

// In 64 bits whatever the sizes are: no cache and no copy has 2^62 bytes.
std::int64_t copiesBeyond(std::int64_t cacheBytes, std::int64_t bytesOfOne)
{
    return std::max<std::int64_t>(2, 2 * cacheBytes / bytesOfOne + 1);
}

ColdPlan planCold(std::int64_t bytesOfOne, const CacheFacts &facts)
{
    if (facts.cacheBytes <= 0)
        throw WorkerError(unavailable, "cold: the system does not say how large the " + facts.cache + " is",
                          "measure with a warm cache (--cache warm)");
    const std::int64_t copies = copiesBeyond(facts.cacheBytes, bytesOfOne);
    const std::string one = megabytes(bytesOfOne);
    if (copies > mostColdCopies)
        throw WorkerError(unavailable,
                          "cold: the inputs and the output are " + one + ", so " + std::to_string(copies) +
                              " copies would exceed twice the " + facts.cache + " of " + megabytes(facts.cacheBytes) +
                              "; at most " + std::to_string(mostColdCopies) + " are made",
                          whatToDo);
    if (facts.availableBytes > 0 && bytesOfOne > facts.availableBytes / copies)
        throw WorkerError(unavailable,
                          "cold: " + std::to_string(copies) + " copies of " + one + " do not fit into the " +
                              megabytes(facts.availableBytes) + " of " + facts.memory + " that are free",
                          "choose smaller dims, end other programs that hold " + facts.memory +
                              ", or measure with a warm cache (--cache warm)");
    return {static_cast<std::size_t>(copies), "cold: " + std::to_string(copies) + " copies of " + one +
                                                  " rotate through " + facts.article + " " + facts.cache + " of " +
                                                  megabytes(facts.cacheBytes)};
}

} // namespace stagecraft::worker
