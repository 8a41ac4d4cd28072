// SPDX-License-Identifier: MIT
#include "metriclist.h"

#include "countermetrics.h"
#include "cuptirefusal.h"

#include <algorithm>

namespace stagecraft::capture {

namespace {

constexpr char separator = ',';
constexpr std::string_view usual = "usual";
constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(blanks);
    return first == text.npos ? text.substr(0, 0) : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

void requireName(std::string_view name)
{
    constexpr std::size_t shown = 60;
    if (isMetricName(name))
        return;
    std::string text(name.substr(0, shown));
    std::ranges::replace_if(
        text, [](char letter) { return letter < ' ' || letter > '~'; }, '?');
    throw CaptureError({"\"" + text + "\" is no name of a metric",
                        "name metrics as Nsight Compute does (ncu --query-metrics), separated by commas, or ask for "
                        "\"usual\""});
}

} // namespace

bool isMetricName(std::string_view name)
{
    constexpr std::size_t longest = 200;
    const auto fits = [](char letter) { return letter > ' ' && letter <= '~' && letter != separator; };
    return !name.empty() && name.size() <= longest && std::ranges::all_of(name, fits);
}

std::vector<std::string> metricsNamed(std::string_view text)
{
    if (trimmed(text) == usual)
        return usualMetrics();
    std::vector<std::string> metrics;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        const std::string_view name = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (name.empty() || std::ranges::find(metrics, name) != metrics.end())
            continue;
        requireName(name);
        metrics.emplace_back(name);
    }
    if (metrics.size() > maximumMetrics)
        throw CaptureError({std::to_string(metrics.size()) + " metrics are more than " +
                                std::to_string(maximumMetrics) + ", which one bracket counts at most",
                            "count them in several brackets"});
    return metrics;
}

std::string metricList(const std::vector<std::string> &metrics)
{
    std::string text;
    for (const std::string &name : metrics) {
        requireName(name);
        text += (text.empty() ? "" : std::string(1, separator)) + name;
    }
    return text.empty() ? std::string(usual) : text;
}

} // namespace stagecraft::capture
